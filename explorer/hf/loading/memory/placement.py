"""Where a model's weights go, and which numbers they are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from explorer.api.family import LoadOptions, Tensor, UserMistake
from explorer.api.family.load_options import BITS, OFFLOAD
from explorer.hf.loading.devices import resolve_device, resolve_dtype
from explorer.text import N_

NAMES: Mapping[int, str] = {8: "int8", 4: "nf4"}
"""What weights of so many bits are called: LLM.int8 (Dettmers et al. 2022, arXiv 2208.07339), and
the 4-bit NormalFloat of QLoRA (Dettmers et al. 2023, arXiv 2305.14314)."""


@dataclass(frozen=True)
class Placement:
    """Where a model's weights go, and which numbers they are.

    Attributes:
        device: Where it is computed and where inputs are: "cpu", "cuda:0".
        dtype: The torch number type that it computes in.
        bits: Of the weights of its layers' products, 8 or 4; 0 where they are of `dtype` too.
        offload: Layers for which `device` has no room go elsewhere.
        cache: Where those are kept that go to the disk; None for the system's temporary folder.
    """

    device: str
    dtype: Any
    bits: int = 0
    offload: bool = False
    cache: Path | None = None

    @property
    def plain(self) -> bool:
        """All weights are on one device, and of one type."""
        return not self.bits and not self.offload

    @property
    def numbers(self) -> str:
        """As a caption tells them: "float32", "int8 + float32"."""
        computed = str(self.dtype).removeprefix("torch.")
        return f"{NAMES[self.bits]} + {computed}" if self.bits else computed


def resolve_placement(
    options: LoadOptions, tensors: Iterable[Tensor], cache: Path | None = None
) -> Placement:
    """What a user's options mean on this machine.

    Raises:
        UserMistake: There is no such device or number type here, or not both together.
    """
    offload = options.device == OFFLOAD
    bits = BITS.get(options.dtype, 0)
    if offload:
        device = resolve_device("auto")
        device = device if device.startswith("cuda") else "cpu"
    else:
        device = resolve_device(options.device)
    if bits and offload:
        raise UserMistake(
            N_("Weights of 8 or 4 bit can't lie on the disk."),
            N_("Choose another number type, or a device that has room for all of them."),
        )
    if bits and device == "mps":
        raise UserMistake(
            N_("Weights of 8 or 4 bit are not supported on an Apple GPU."),
            N_("Choose float16, or run on the CPU."),
        )
    if bits and not can_quantise():
        raise UserMistake(
            N_("Weights of 8 or 4 bit need bitsandbytes, which is not installed."),
            N_("Install it with pip install 'plm-explorer[quantised]'."),
        )
    computed = replace(options, dtype="auto") if bits else options
    return Placement(device, resolve_dtype(computed, device, tensors), bits, offload, cache)


def can_quantise() -> bool:
    """Whether the library that holds weights in 8 or 4 bit is installed."""
    return find_spec("bitsandbytes") is not None
