"""Frozen dataclasses to JSON and back: requests, results and documents, arrays included."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_origin

import msgspec

from explorer.api.question import Distribution
from explorer.text import Phrase

T = TypeVar("T")

Aside = Callable[[Any], int | None]
"""Keeps an array elsewhere and returns its number there; None for one that stays in the JSON."""
Found = Callable[[int], Any]
"""The array that was kept elsewhere under a number."""


def _encode_other(value: object, aside: Aside | None = None, *, whole: bool = False) -> object:
    import numpy as np  # here and below: the window needs no arrays before it can be seen

    if isinstance(value, np.ndarray):
        number = aside(value) if aside is not None else None
        if number is not None:
            return {"array": number}
        contiguous = np.ascontiguousarray(value)
        return {
            "dtype": contiguous.dtype.str,
            "shape": list(value.shape),
            "base64": base64.b64encode(contiguous.tobytes()).decode("ascii"),
        }
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Phrase):
        return value.stored
    if isinstance(value, str):  # a text that a plugin marks
        return str.__str__(value)
    if isinstance(value, Distribution):
        # A whole vocabulary a mask is for the window, not for a log.
        return {"vocabulary": value.vocabulary, "values": value.values} if whole else None
    raise NotImplementedError(f"{type(value).__name__} cannot be written as JSON")


def _decode_other(kind: type, value: Any, found: Found | None = None) -> object:
    import numpy as np

    if np.ndarray in (kind, get_origin(kind)):
        if found is not None and "array" in value:
            return found(value["array"])
        array = np.frombuffer(base64.b64decode(value["base64"]), dtype=np.dtype(value["dtype"]))
        return array.reshape(value["shape"])
    if kind is Phrase:
        return Phrase.read(value)
    if kind is Distribution:
        values = _decode_other(np.ndarray, value["values"], found)
        return Distribution(values, value["vocabulary"])  # type: ignore[arg-type]
    if kind is Path:
        return Path(value)
    raise NotImplementedError(f"{kind} cannot be read from JSON")


def to_json(value: object, aside: Aside | None = None, *, whole: bool = False) -> str:
    """Write a dataclass as one line of JSON.

    Args:
        value: What to write.
        aside: Where arrays are kept that the JSON only refers to; None to write them all.
        whole: Distributions over a vocabulary are written too, which a log leaves out.
    """

    def hook(other: object) -> object:
        return _encode_other(other, aside, whole=whole)

    return msgspec.json.encode(value, enc_hook=hook).decode("utf-8")


def to_builtins(value: object) -> Any:
    """Turn a dataclass into dicts, lists, tuples, strings and numbers.

    Arrays become lists, and phrases what they are in English: it is for programs.
    """
    import numpy as np

    def hook(other: object) -> object:
        if isinstance(other, Phrase):
            return str.__str__(other)
        return other.tolist() if isinstance(other, np.ndarray) else _encode_other(other)

    return msgspec.to_builtins(value, enc_hook=hook)


def from_json(kind: type[T], text: str | bytes, found: Found | None = None) -> T:
    """Read a dataclass back; raises ValueError for what does not fit it.

    Args:
        kind: What it is.
        text: The JSON.
        found: Where arrays are that the JSON only refers to.
    """
    try:
        return msgspec.json.decode(
            text, type=kind, dec_hook=lambda kind, value: _decode_other(kind, value, found)
        )
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
