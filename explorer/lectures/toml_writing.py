"""Plain values as TOML: what a file of the lectures is made of, and no more than that."""

import json
import math
import re
from collections.abc import Mapping, Sequence

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDE = 96
"""Characters of a line; a longer list has a line for each of its items."""


def line(key: str, value: object) -> str:
    """A key with its value; long lists stand on several lines.

    Raises:
        ValueError: TOML has nothing for it.
    """
    whole = f"{_key(key)} = {written(value)}"
    if len(whole) <= _WIDE or isinstance(value, str) or not isinstance(value, Sequence):
        return whole
    items = "".join(f"    {written(one)},\n" for one in value)
    return f"{_key(key)} = [\n{items}]"


def table_head(*keys: str) -> str:
    """The line a table begins with; dots within a key part it."""
    return f"[{'.'.join(_key(part) for key in keys for part in key.split('.'))}]"


def written(value: object) -> str:
    """A value on one line.

    Raises:
        ValueError: TOML has nothing for it.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(str(key))} = {written(one)}" for key, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(written, value))}]"
    raise ValueError(f"TOML has no {type(value).__name__}")


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(value: str) -> str:
    """A basic string: JSON escapes as TOML does, all but one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
