"""What may leave the engine: checked here, in one place, for every result.

A result is a frozen dataclass of plain values and numpy arrays. Arrays leave owned and
read-only: a view of a tensor's memory would change under the reader's eyes, and a view of a
corner of a big array would carry all of it across.
"""

import dataclasses
import pickle
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def owned(value: Any, where: str = "result") -> Any:
    """The same value with every array in it owned, contiguous and read-only.

    What needs no change is returned as it is, otherwise a copy; the value that was passed in is
    never changed, except that its own arrays become read-only.

    Raises:
        TypeError: There is a torch tensor or an array of Python objects in it.
    """
    if value is None or isinstance(value, str | int | float | bytes):
        return value
    if _is_a(value, "numpy", "ndarray"):
        return _owned_array(value, where)
    if _is_a(value, "torch", "Tensor"):
        raise TypeError(f"{where} is a torch tensor; results hold numpy arrays.")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _owned_dataclass(value, where)
    if isinstance(value, tuple | list):
        items = [owned(item, f"{where}[{i}]") for i, item in enumerate(value)]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        is_named_tuple = hasattr(value, "_fields")
        return type(value)(*items) if is_named_tuple else type(value)(items)
    if isinstance(value, Mapping):
        pairs = {key: owned(item, f"{where}[{key!r}]") for key, item in value.items()}
        unchanged = isinstance(value, dict) and all(pairs[key] is value[key] for key in value)
        # Read-only mappings (MappingProxyType) cannot be pickled; a dict can.
        return value if unchanged else pairs
    return value


def encode(message: object) -> bytes:
    """Pickle a message. Protocol 5 keeps read-only arrays read-only on the other side.

    Raises:
        TypeError: Something in it cannot be pickled; the message says what.
    """
    try:
        return pickle.dumps(message, protocol=5)
    except Exception as error:  # pickling runs foreign code, which may raise anything
        raise TypeError(f"This cannot cross the process boundary: {error}") from error


def decode(payload: bytes | bytearray) -> Any:
    """The message in a payload; only ever bytes that the other end of the pipe wrote."""
    return pickle.loads(payload)  # noqa: S301


def _owned_array(array: "np.ndarray[Any, Any]", where: str) -> "np.ndarray[Any, Any]":
    if array.dtype.hasobject:
        raise TypeError(f"{where} is an array of Python objects; results hold arrays of numbers.")
    is_owned = array.flags.owndata and array.flags.c_contiguous
    result = array if is_owned else _copied(array)
    result.flags.writeable = False
    return result


def _owned_dataclass(value: Any, where: str) -> Any:
    changed: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        old = getattr(value, field.name)
        new = owned(old, f"{where}.{field.name}")
        if new is not old:
            changed[field.name] = new
    if not changed:
        return value
    # dataclasses.replace would run __post_init__ once more; the values are the same.
    result = object.__new__(type(value))
    for field in dataclasses.fields(value):
        object.__setattr__(result, field.name, changed.get(field.name, getattr(value, field.name)))
    return result


def _copied(array: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    import numpy as np

    return np.array(array, order="C", copy=True, subok=False)


def _is_a(value: object, module: str, name: str) -> bool:
    """Whether a value is of a class whose module need not be imported: then nothing is."""
    kind = getattr(sys.modules.get(module), name, None)
    return kind is not None and isinstance(value, kind)
