"""One run of a model that was loaded: some values of a config only fail then."""

from typing import Any

from explorer.api import Cancelled
from explorer.api.errors import is_out_of_memory
from explorer.hf.family.architecture import Architecture


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
            family.run_once(module, torch.zeros((1, 2), dtype=torch.long, device=device))
    except Cancelled:
        raise
    except Exception as error:
        if is_out_of_memory(error):
            raise
        if fault := family.fault_of_running(module, error):
            raise fault from error
