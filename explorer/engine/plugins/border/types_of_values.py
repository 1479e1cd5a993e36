"""Whether a value is what an annotation says, all the way down.

What a plugin gives is believed by nobody: a text where a number belongs would only show far from
here, in the window's painting.
"""

import dataclasses
import functools
import math
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Literal, Union

from explorer.questions import brought
from explorer.text import Phrase

LARGEST = 1e100
"""A number beyond this is a mistake, and overflows wherever it is drawn."""

_WHOLE = 2**63
_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "True or False"}


def mismatch(value: Any, wanted: Any, where: str) -> str:
    """What is wrong with a value, as in "tokens[0].id is a str, not a whole number"; or ""."""
    if wanted is Any or wanted is object or isinstance(wanted, typing.TypeVar):
        return ""
    origin = typing.get_origin(wanted)
    named = getattr(origin or wanted, "__value__", None)
    if named is not None:  # a type that has a name, as numpy's NDArray from 2.5 on
        return mismatch(value, named, where)
    if origin in (Union, types.UnionType):
        return _none_of(value, typing.get_args(wanted), where)
    if origin is Literal:
        known = typing.get_args(wanted)
        return "" if value in known else f"{where} is {_short(value)}, not one of {known}"
    if wanted in (None, type(None)):
        return "" if value is None else _not(value, "None", where)
    return _of_a_type(value, wanted if origin is None else origin, typing.get_args(wanted), where)


def _of_a_type(value: Any, kind: Any, members: tuple[Any, ...], where: str) -> str:
    wrong = ""
    if kind in _NAMES:
        wrong = _of_a_number_or_text(value, kind, where)
    elif kind is Phrase and type(value) is str:
        pass  # a text without a translation
    elif kind is tuple:
        wrong = _of_a_tuple(value, members, where)
    elif kind is Callable or kind.__name__ == "Handler":
        wrong = "" if callable(value) else _not(value, "a function", where)
    elif issubclass(kind, Mapping):
        wrong = _of_a_mapping(value, members, where)
    elif kind in (list, set, frozenset):
        wrong = _of_a_collection(value, kind, members, where)
    elif dataclasses.is_dataclass(kind):
        wrong = _of_a_dataclass(value, kind, where)
    elif kind is getattr(sys.modules.get("numpy"), "ndarray", None):
        wrong = _of_an_array(value, where)
    elif not isinstance(value, kind):
        wrong = _not(value, f"a {kind.__name__}", where)
    return wrong


def _none_of(value: Any, kinds: tuple[Any, ...], where: str) -> str:
    wrong = [mismatch(value, kind, where) for kind in kinds]
    if "" in wrong:
        return ""
    plain = _not(value, "", where)
    deeper = [one for one in wrong if not one.startswith(plain)]
    return deeper[0] if deeper else plain + " or ".join(one.removeprefix(plain) for one in wrong)


def _of_a_number_or_text(value: Any, kind: Any, where: str) -> str:
    name = _NAMES[kind]
    # numpy's float64 is a float, too.
    is_number = type(value) in (int, float) or (
        type(value).__module__ == "numpy" and isinstance(value, float)
    )
    if kind is float and is_number:
        if not abs(value) <= LARGEST:  # which "not a number" is not, either
            return f"{where} is {_short(value)}, which no model can mean"
        return ""
    if type(value) is not kind and not (kind is str and type(value) is Phrase):
        return _not(value, name, where)
    if kind is int and abs(value) >= _WHOLE:
        return f"{where} is too large a number"
    return ""


def _of_a_tuple(value: Any, kinds: tuple[Any, ...], where: str) -> str:
    if type(value) is not tuple:
        return _not(value, "a tuple", where)
    if not kinds:
        return ""
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return _first(mismatch(one, kinds[0], f"{where}[{n}]") for n, one in enumerate(value))
    if len(value) != len(kinds):
        return f"{where} has {len(value)} members, not {len(kinds)}"
    pairs = enumerate(zip(value, kinds, strict=True))
    return _first(mismatch(one, kind, f"{where}[{n}]") for n, (one, kind) in pairs)


def _of_a_mapping(value: Any, kinds: tuple[Any, ...], where: str) -> str:
    if type(value) not in (dict, types.MappingProxyType):
        return _not(value, "a dict", where)
    if len(kinds) != 2:
        return ""
    return _first(
        mismatch(key, kinds[0], f"a key of {where}")
        or mismatch(held, kinds[1], f"{where}[{_short(key)}]")
        for key, held in value.items()
    )


def _of_a_collection(value: Any, kind: Any, kinds: tuple[Any, ...], where: str) -> str:
    if type(value) is not kind:
        return _not(value, f"a {kind.__name__}", where)
    wanted = kinds[0] if kinds else Any
    return _first(mismatch(one, wanted, f"{where}[{n}]") for n, one in enumerate(value))


def _of_a_dataclass(value: Any, kind: Any, where: str) -> str:
    own: Any = type(value)
    # A class of somebody else's would run its own code wherever it is unpacked.
    is_ours = own.__module__.partition(".")[0] == __name__.partition(".")[0]
    known = is_ours or (own is kind and _is_of_a_question(own.__module__))
    if not isinstance(value, kind) or not known:
        return _not(value, f"a {kind.__name__}", where)
    return _first(
        mismatch(getattr(value, name, None), wanted, f"{where}.{name}")
        for name, wanted in _fields(own).items()
    )


def _is_of_a_question(module: str) -> bool:
    """Whether a plugin's question has this module: the window imports it as well."""
    return any(module.startswith(f"{one.folder}.") for one in brought().values())


def _of_an_array(value: Any, where: str) -> str:
    import numpy as np

    if type(value) is not np.ndarray:
        return _not(value, "an array", where)
    if value.dtype.kind not in "biuf":
        return f"{where} is an array of {value.dtype}, not of numbers"
    return ""


@functools.cache
def _fields(kind: Any) -> Mapping[str, Any]:
    """Names and annotations of a dataclass."""
    try:
        hints = typing.get_type_hints(kind)
    except NameError:  # arrays are named for the type checker alone, as few parts need them
        import numpy as np
        from numpy.typing import NDArray

        hints = typing.get_type_hints(kind, localns={"np": np, "NDArray": NDArray})
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _first(wrong: typing.Iterable[str]) -> str:
    return next(filter(None, wrong), "")


def _not(value: Any, wanted: str, where: str) -> str:
    kind = type(value).__name__
    is_a = "None" if value is None else f"{'an' if kind[0] in 'aeio' else 'a'} {kind}"
    return f"{where} is {is_a}, not {wanted}"


def _short(value: Any) -> str:
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.3g}"
    try:
        return repr(value)[:40]
    except Exception:  # noqa: BLE001 - a value of a plugin's can raise anything
        return f"a {type(value).__name__}"
