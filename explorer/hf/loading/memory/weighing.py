"""How many weights a loaded model has, and where their bytes are."""

from collections.abc import Callable
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


def used_in(module: Any, run: Callable[[], None]) -> int | None:
    """How many parameters of a torch module some work computes with, shared ones once.

    A table counts as a whole where any row of it is read.

    Args:
        module: The model.
        run: The work; it is done once.

    Returns:
        The number; None where weights are fetched while they are at work, and have no place.
    """
    from torch import Tensor
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    own = {_place_of(one): one for one in module.parameters() if one.numel() and not one.is_meta}
    if any(one.is_meta for one in module.parameters()):
        return None
    seen: set[int] = set()

    class Seen(TorchDispatchMode):  # type: ignore[misc,no-untyped-call,unused-ignore]
        def __torch_dispatch__(
            self, func: Any, _types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            for one in tree_leaves((args, kwargs)):
                if isinstance(one, Tensor):
                    seen.add(_place_of(one))
            return func(*args, **(kwargs or {}))

    # torch may be untyped
    with Seen():  # type: ignore[no-untyped-call,unused-ignore]
        run()
    return sum(prod(shape_of(own[place])) for place in seen & own.keys())


def _place_of(tensor: Any) -> int:
    """Where the numbers lie that a tensor shows, whole or a part of them."""
    try:
        return int(tensor.untyped_storage().data_ptr())
    except RuntimeError:
        # One that only stands for another, as on a device of somebody's own.
        return int(tensor.data_ptr())


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
