"""Values of settings: as documents keep them, and as people read them in a caption."""

import enum
from collections.abc import Mapping
from dataclasses import astuple, is_dataclass
from typing import Any

from explorer.text import _
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import written
from explorer.text.printable import shortened

LONGEST = 500
"""Characters of a text that a caption quotes."""


def in_words(value: Any) -> str:
    """A value of a setting, as a caption has it: texts quoted, a list with commas."""
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if value is None or value in ("", (), [], {}):
        return _("none")
    if isinstance(value, str):
        return isolated(quoted(value))
    if isinstance(value, int | float):
        return written(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {in_words(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(
            f"({in_words(one)})" if isinstance(one, list | tuple) else in_words(one)
            for one in value
        )
    return str(value)


def quoted(text: str) -> str:
    """A text in quotation marks, on one line and not longer than a caption bears."""
    return f"“{shortened(text, LONGEST)}”"


def as_kept(value: Any) -> Any:
    """A value of a request as documents keep it: what lies in a dataclass by place, not by name."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, tuple):
        return [as_kept(one) for one in value]
    return list(astuple(value)) if is_dataclass(value) else value  # type: ignore[arg-type]
