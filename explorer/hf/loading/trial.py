"""One run of a model that was loaded: some values of a config only fail then."""

from typing import Any

from explorer.api.errors import is_out_of_memory
from explorer.api.family import Cancelled
from explorer.hf.family.architecture import Architecture


def two_pieces(module: Any, device: str) -> Any:
    """Numbers of two pieces (1 x 2), that any class can read.

    Classes of T5 and BART for sequences read their state where a text ends, so that it must end.
    """
    import torch

    ids = torch.zeros((1, 2), dtype=torch.long, device=device)
    config = module.config
    end = getattr(config, "eos_token_id", None)
    ends = type(module).__name__.endswith("ForSequenceClassification") and config.is_encoder_decoder
    if ends and isinstance(end, int):
        ids[0, 1] = end
    return ids


def try_once(family: Architecture, module: Any, device: str) -> None:
    """Let two pieces go through a model once.

    Args:
        family: Whose it is.
        module: With its weights.
        device: Where it is.

    Raises:
        CheckpointFault: It can't run, for a value of its config.
    """
    import torch

    try:
        with torch.inference_mode():
            family.run_once(module, two_pieces(module, device))
    except Cancelled:
        raise
    except Exception as error:
        if is_out_of_memory(error):
            raise
        if fault := family.fault_of_running(module, error):
            raise fault from error
