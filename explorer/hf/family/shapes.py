"""Shapes without numbers, each worked out once.

On the meta device torch works out in Python what every operation gives, and a norm or a softmax
takes several times as long so as its numbers would for a short text. What an operation gives
depends on nothing but the shapes that it is given, and a model's layers do the same ones again
and again.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

MOST = 20_000
"""Operations that are kept; a family's usual size does a few dozen different ones."""

_KNOWN: dict[Any, Any] = {}
"""From an operation and what it is given to the layouts of what it gives."""


class _HasNumbers(Exception):
    """A tensor on a device: what comes of it may depend on its numbers."""


def once(func: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What an operation on the meta device gives.

    Only those are remembered that make new tensors of given ones: what writes into a tensor or
    gives another view of one is done every time, and so is what reads tensors with numbers.

    Args:
        func: One of torch's operations (an `OpOverload`).
        args: What it is given.
        kwargs: What it is given by name.
    """
    try:
        key = (func, *map(_shape, args), *((name, _shape(one)) for name, one in kwargs.items()))
        layouts = _KNOWN.get(key)
    except (_HasNumbers, TypeError):  # TypeError: a value that can't be hashed
        return func(*args, **kwargs)
    if layouts is not None:
        return _made(layouts)
    given = func(*args, **kwargs)
    if _makes_anew(func) and (found := _layouts(given)) is not None:
        if len(_KNOWN) >= MOST:
            _KNOWN.clear()
        _KNOWN[key] = found
    return given


@cache
def _makes_anew(func: Any) -> bool:
    """Whether it takes tensors, and leaves them as they are and out of what it gives."""
    schema = func._schema  # noqa: SLF001 - there is no other way to ask
    takes = any("Tensor" in str(one.type) for one in schema.arguments)
    return takes and all(one.alias_info is None for one in (*schema.arguments, *schema.returns))


def _shape(value: Any) -> Any:
    """What is known of a value without its numbers.

    Raises:
        _HasNumbers: It is a tensor that has some.
    """
    import torch

    if isinstance(value, torch.Tensor):
        if not value.is_meta:
            raise _HasNumbers
        return value.shape, value.stride(), value.dtype
    if isinstance(value, list | tuple):
        return tuple(map(_shape, value))
    return type(value), value  # 1, 1.0 and True are equal, and make tensors of other types


def _layouts(given: Any) -> Any:
    """The layout of a tensor, or of several; None where anything else is given."""
    import torch

    if isinstance(given, torch.Tensor):
        return (given.shape, given.stride(), given.dtype) if given.is_meta else None
    if not isinstance(given, tuple | list) or not given:
        return None
    found = [_layouts(one) for one in given]
    return None if None in found else (type(given), found)


def _made(layouts: Any) -> Any:
    import torch

    if len(layouts) == 2:
        kind, several = layouts
        return kind(_made(one) for one in several)
    shape, stride, dtype = layouts
    return torch.empty_strided(shape, stride, dtype=dtype, device="meta")
