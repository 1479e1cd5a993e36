"""How a user wants a checkpoint loaded."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LoadOptions:
    """How a user wants a checkpoint loaded.

    Attributes:
        device: "auto", "cpu", "cuda", "cuda:1", "mps".
        dtype: "auto" (float32 on a CPU and for small models, the checkpoint's own elsewhere),
            "float32", "float16", "bfloat16".
        allow_pickle: The user agreed to open a pickled file (with weights_only=True).
        family: Overrules the family that was recognised; "" leaves it.
    """

    device: str = "auto"
    dtype: str = "auto"
    allow_pickle: bool = False
    family: str = ""
