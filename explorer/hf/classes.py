"""What classifiers say of a text, and next-sentence heads of a pair."""

from typing import TYPE_CHECKING

from explorer.api import Context, LoadedModel, Unavailable, UserMistake
from explorer.hf.cancelling import cancellable
from explorer.hf.encoding import Encoded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CLASSIFIER = "classifier"
NEXT_SENTENCE = "next_sentence"
NEXT_SENTENCE_NAMES = ("is next", "is not next")
"""In the order of BERT's head (Devlin et al. 2019, section 3.1, task 2)."""


def can_classify(model: LoadedModel, *, pair: bool) -> bool:
    """Whether the model tells classes of such texts apart, with weights of its own.

    Args:
        model: Loaded.
        pair: There is a second text, without which nothing can be said of a next sentence.
    """
    present = _heads(model)
    return CLASSIFIER in present or (pair and NEXT_SENTENCE in present)


def class_logits(
    model: LoadedModel, encoded: Encoded, context: Context, *, pair: bool
) -> "tuple[tuple[str, ...], NDArray[np.float32]]":
    """The classes' names, and a raw score for each, float32.

    Raises:
        Unavailable: The model has no such head.
        UserMistake: It judges pairs, and there is no second text.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    present = _heads(model)
    if CLASSIFIER not in present and NEXT_SENTENCE not in present:
        raise Unavailable(f"{model.stamp.id} is no classifier: it has no head for classes.")
    if CLASSIFIER not in present and not pair:
        raise UserMistake("The next sentence is judged of pairs.", "Add a second text.")
    with torch.inference_mode(), cancellable(context):
        if CLASSIFIER in present:
            logits = model.module(**encoded.inputs).logits[0]
            labels = model.config.id2label
            names = tuple(str(labels[index]) for index in range(logits.shape[-1]))
        else:
            pooled = model.module.base_model(**encoded.inputs).pooler_output
            logits = model.extras[f"{NEXT_SENTENCE}_head"](pooled)[0]
            names = NEXT_SENTENCE_NAMES
    found: NDArray[np.float32] = logits.float().cpu().numpy()
    return names, found


def _heads(model: LoadedModel) -> set[str]:
    return {head.name for head in model.heads if head.present}
