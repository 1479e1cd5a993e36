"""The raw scores of the whole vocabulary at masked positions."""

from typing import TYPE_CHECKING

from explorer.api import Context, LoadedModel, MachineFault, Unavailable
from explorer.hf.cancelling import cancellable
from explorer.hf.encoding import Encoded
from explorer.hf.masked import HEAD_STATES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def mask_logits(model: LoadedModel, encoded: Encoded, context: Context) -> "NDArray[np.float32]":
    """Run the encoder once, and the head at the masked positions only.

    Returns:
        Shape [masks, vocabulary], float32, in the order of `encoded.mask_positions`.

    Raises:
        Unavailable: The model has no masked-LM head.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    head = model.masked_lm_head
    if head is None:
        raise Unavailable("This model has no masked-LM head.")
    with torch.inference_mode(), cancellable(context):
        states_of = model.extras.get(HEAD_STATES, model.encoder)
        logits = head(states_of(**encoded.inputs)[0, list(encoded.mask_positions)]).float()
    if not bool(torch.isfinite(logits).all()):
        raise MachineFault(
            f"The model's numbers overflow in {model.stamp.dtype}.", "Load it as float32."
        )
    found: NDArray[np.float32] = logits.cpu().numpy()
    return found
