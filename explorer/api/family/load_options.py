"""How a user wants a checkpoint loaded."""

from collections.abc import Mapping
from dataclasses import dataclass

OFFLOAD = "offload"
"""The device of models that are larger than any: as many layers as fit are on the GPUs, then in
memory, and the others are read from the disk whenever they are at work."""

BITS: Mapping[str, int] = {"8bit": 8, "4bit": 4}
"""Number types of which only the weights of a model's layers are, and their bits."""


NUMBER_TYPES = ("float32", "float16", "bfloat16", *BITS)
"""Those that a model can be loaded as."""


def as_numbers(checkpoint_id: str, dtype: str) -> str:
    """A checkpoint's id with the number type that it is loaded as: "bert-miniature:8bit".

    Args:
        checkpoint_id: As a user types it.
        dtype: One of `NUMBER_TYPES`; any other, as "" and "auto", leaves the id as it is.
    """
    return f"{checkpoint_id}:{dtype}" if dtype in NUMBER_TYPES else checkpoint_id


def numbers_of(name: str) -> tuple[str, str]:
    """A checkpoint's id, and the number type that was named with it; "" where none was."""
    checkpoint_id, _colon, dtype = name.strip().rpartition(":")
    return (checkpoint_id, dtype) if dtype in NUMBER_TYPES else (name, "")


@dataclass(frozen=True)
class LoadOptions:
    """How a user wants a checkpoint loaded.

    Attributes:
        device: "auto", "cpu", "cuda", "cuda:1", "mps", or "offload".
        dtype: "auto" (float32 on a CPU and for small models, the checkpoint's own elsewhere),
            "float32", "float16", "bfloat16"; "8bit" and "4bit" round the layers' weights, and all
            else is as by "auto".
        allow_pickle: The user agreed to open a pickled file (with weights_only=True).
        family: Overrules the family that was recognised; "" leaves it.
    """

    device: str = "auto"
    dtype: str = "auto"
    allow_pickle: bool = False
    family: str = ""
