"""What the rows of a model's states are called, and what older programs called them.

Layers are counted from 0, as in the names of the weights; the embeddings lie before them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.text import Phrase

EMBEDDINGS = "emb."
"""Name of the row of states before the first layer."""


def row_name(row: int) -> str:
    """What a row of states is called: "emb." for row 0, "0" for what leaves the first layer."""
    return EMBEDDINGS if row == 0 else str(row - 1)


def name_from_0(name: str) -> str:
    """What a row is called today that was called "embeddings", "1" for the first layer and so on.

    A name that is neither, as of a pass of a decoder or of a head, stays.
    """
    if name == "embeddings":
        return EMBEDDINGS
    return row_name(int(name)) if name.isdecimal() else name


@dataclass(frozen=True)
class LayersFrom0:
    """An upgrade of what counted its layers from 1; its table, summary and headline are made anew.

    Attributes:
        lists: Fields of the result, at any depth, that hold names of rows.
        value: Of the headline's values the one that names a row; "" where none does.
        words: A headline in English that no values were kept of: a pattern whose only group is the
            name of the row.
    """

    lists: tuple[str, ...] = ()
    value: str = ""
    words: str = ""

    def __call__(self, _request: dict[str, Any], result: dict[str, Any] | None) -> None:
        """Change a result in place."""
        self._lift(result)

    def _lift(self, held: Any) -> None:
        if isinstance(held, dict):
            for key, one in held.items():
                if key in self.lists and isinstance(one, list) and all(map(_is_text, one)):
                    held[key] = [name_from_0(name) for name in one]
                else:
                    self._lift(one)
        elif isinstance(held, list):
            for one in held:
                self._lift(one)

    def headline(self, told: str) -> str:
        """A headline as it was stored, with the name of the row as it is today."""
        if isinstance(told, Phrase):
            return Phrase.joined(Phrase(code, **self._lifted(own)) for code, own in told.parts)
        found = re.search(self.words, told) if self.words else None
        if found is None:
            return told
        start, end = found.span(1)
        return f"{told[:start]}{name_from_0(found[1])}{told[end:]}"

    def _lifted(self, values: Mapping[str, Any]) -> dict[str, Any]:
        name = values.get(self.value)
        # What is worded in the reader's language, as the embeddings, has no number.
        is_name = _is_text(name) and not isinstance(name, Phrase)
        return {**values, self.value: name_from_0(str(name))} if is_name else dict(values)


def _is_text(value: object) -> bool:
    return isinstance(value, str)
