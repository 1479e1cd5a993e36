"""How many weights a loaded model has, and where their bytes are."""

from dataclasses import dataclass
from math import prod
from typing import Any


@dataclass(frozen=True)
class Weighed:
    """What a model's weights come to, shared ones once.

    Attributes:
        parameters: How many numbers, whatever they are packed into.
        in_memory: Bytes, on any device.
        on_disk: Bytes of layers that are fetched whenever they are at work.
    """

    parameters: int
    in_memory: int
    on_disk: int


def weigh(module: Any) -> Weighed:
    """Count the weights of a torch module."""
    parameters = in_memory = on_disk = 0
    seen: set[int] = set()
    kept = _kept_in_memory(module)
    for one in module.parameters():
        # A weight that is elsewhere now has no address, and stands for itself.
        address = id(one) if one.is_meta else one.data_ptr()
        if not one.numel() or address in seen:
            continue
        seen.add(address)
        parameters += prod(shape_of(one))
        size = int(one.numel() * one.element_size())
        if one.is_meta and id(one) not in kept:
            on_disk += size
        else:
            in_memory += size
    return Weighed(parameters, in_memory, on_disk)


def _kept_in_memory(module: Any) -> set[int]:
    """Weights that are fetched to a GPU from memory, and not from the disk."""
    hooks = ((part, getattr(part, "_hf_hook", None)) for part in module.modules())
    return {
        id(one)
        for part, hook in hooks
        if isinstance(getattr(hook, "weights_map", None), dict)
        for one in part.parameters()
    }


def shape_of(weight: Any) -> tuple[int, ...]:
    """A weight's shape, also where two of 4 bits are packed into a byte."""
    packed = getattr(weight, "quant_state", None)
    return tuple(weight.shape if packed is None else packed.shape)
