"""Whether there is room for a checkpoint, asked before anything of it is read but its header.

A load that runs out of memory half-way may fail anywhere in the libraries, and not all of them get
over it: Python itself waits for ever for a thread that had no memory to begin with.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

from explorer.api.family import Files, NeedsRoom, Tensor
from explorer.api.family.load_options import BITS, OFFLOAD
from explorer.hf.device_memory import free_memory
from explorer.hf.loading.devices import FLOATS
from explorer.hf.loading.memory.placement import Placement, can_quantise
from explorer.text import N_, Phrase
from explorer.text.formatting.quantities import bytes_precisely

AROUND = 32_000_000
"""Bytes for what a load needs besides numbers: its thread's stack, the tokenizer, the modules."""

LAYER = re.compile(r"(?:^|.*?\.)\d+(?=\.)")
"""The beginning of the name of a tensor of one of a model's layers: "encoder.layer.3"."""

BLOCK = 64
"""Weights of 4 bit that share a scale, which is a float32."""


@dataclass(frozen=True)
class MemorySizes:
    """What a checkpoint's weights take, by where they are in the model. All in bytes.

    Attributes:
        outside: Embeddings, heads, and what else is in no layer.
        layers: Each layer, by the beginning of its tensors' names.
    """

    outside: int
    layers: Mapping[str, int]

    @property
    def whole(self) -> int:
        """All of them."""
        return self.outside + sum(self.layers.values())

    @property
    def offloaded(self) -> int:
        """What is in memory while the largest layer is at work, and the others are on the disk."""
        return self.outside + max(self.layers.values(), default=0)


def sizes_of(tensors: Mapping[str, Tensor], itemsize: int, bits: int = 0) -> MemorySizes:
    """Count a checkpoint's weights from its header.

    Args:
        tensors: By name.
        itemsize: Bytes of each number.
        bits: Of those of the layers' products instead; 0 where they are no others.
    """
    outside, layers = 0, defaultdict[str, int](int)
    for name, tensor in tensors.items():
        if tensor.dtype not in FLOATS:
            outside += prod(tensor.shape)  # whole numbers and masks: a byte each at least
            continue
        layer = LAYER.match(name)
        if layer is None:
            outside += prod(tensor.shape) * itemsize
        elif bits and len(tensor.shape) == 2:
            scales = prod(tensor.shape) // BLOCK if bits == 4 else tensor.shape[0]
            layers[layer.group()] += prod(tensor.shape) * bits // 8 + scales * 4
        else:
            layers[layer.group()] += prod(tensor.shape) * itemsize
    return MemorySizes(outside, layers)


def refuse_without_room(files: Files, placement: Placement) -> None:
    """Refuse a checkpoint for which there is not enough memory as it is to be loaded.

    Raises:
        NeedsRoom: There is not; with what fits instead.
    """
    needed = _needed(files, placement)
    if needed <= free_memory(placement.device, with_swap=placement.plain):
        return
    free = free_memory(placement.device)
    fitting = [other for other in _others(placement) if _needed(files, other) <= free]
    raise NeedsRoom(
        N_("There is not enough memory for {name}: it takes {needed}, and {free} are free.")
        if placement.device == "cpu"
        else N_(
            "{device} has not enough free memory for {name}: it takes {needed}, and {free} are "
            "free."
        ),
        "{advice}",
        device=placement.device,
        name=files.name,
        needed=bytes_precisely(needed),
        free=bytes_precisely(free),
        advice=Phrase.joined([*(_told(files, one) for one in fitting), OTHERWISE]),
        fitting=",".join(_option(one) for one in fitting),
    )


OTHERWISE = N_("Unload another model, or choose a smaller checkpoint.")


def _others(placement: Placement) -> list[Placement]:
    """Ways to load a model that take less, those first that answer quicker."""
    import torch

    if placement.offload:
        return []
    wide = placement.device != "cpu" and placement.dtype is torch.float32
    halved = [replace(placement, bits=0, dtype=torch.float16)] if wide else []
    if placement.device == "mps":
        return halved
    fewer = [bits for bits in sorted(BITS.values(), reverse=True) if bits < (placement.bits or 16)]
    quantised = [replace(placement, bits=bits) for bits in fewer if can_quantise()]
    return [*halved, *quantised, replace(placement, bits=0, offload=True)]


def _option(placement: Placement) -> str:
    """What a user chooses to load a model so."""
    if placement.offload:
        return OFFLOAD
    return f"{placement.bits}bit" if placement.bits else "float16"


def _told(files: Files, placement: Placement) -> Phrase:
    if placement.offload:
        return Phrase(
            N_(
                "With layers on the disk (device offload) it takes {needed} at least: it answers "
                "the same, and more slowly."
            ),
            needed=bytes_precisely(_needed(files, placement)),
        )
    return Phrase(
        N_("As {option} it takes {needed}, and its answers change a little."),
        option=_option(placement),
        needed=bytes_precisely(_needed(files, placement)),
    )


def _needed(files: Files, placement: Placement) -> int:
    """Bytes that the device of a placement has to have."""
    if not files.tensors:
        return AROUND + files.size_bytes
    sizes = sizes_of(files.tensors, placement.dtype.itemsize, placement.bits)
    taken = sizes.offloaded if placement.offload else sizes.whole
    if placement.device != "cpu":
        return taken
    # A pickle is read as a whole, before its tensors go where they belong.
    return AROUND + taken + (files.size_bytes if files.pickled else 0)
