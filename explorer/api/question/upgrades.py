"""Steps that bring what several questions stored to what they store today."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from explorer.text.pieces import WORD_MARKS

Upgrade = Callable[[dict[str, Any], dict[str, Any] | None], None]
"""Changes a request and its result as an older program stored them, in place, to the next schema.

Both are what JSON holds, the result None for a failure.
"""


@dataclass(frozen=True)
class FormerOption:
    """What an option of another name, or with values of another meaning, is today.

    Attributes:
        name: Today's, without the question's name.
        become: Of a value that was kept of it what is kept today.
    """

    name: str
    become: Callable[[Any], Any]


def rows_changed(_request: dict[str, Any], _result: dict[str, Any] | None) -> None:
    """An upgrade that changes nothing stored: the table has other columns since."""


def spaces_stay_visible(request: dict[str, Any], result: dict[str, Any] | None) -> None:
    """An upgrade of masks, which left a space visible that is a token of its own before a word.

    Such a token belongs to the word since. A run whose answer shows one that is not masked, or
    does not show what was read, keeps the masks that it was asked with.
    """
    if result is None:
        return
    shown = list(_tokens_in(result))
    if shown and not any(one["text"] in WORD_MARKS for one in shown):
        return
    for mask in request.get("masks") or ():
        mask["letters"] = True


def _tokens_in(value: Any) -> Iterator[dict[str, Any]]:
    """Every token in what JSON holds."""
    if isinstance(value, dict):
        if {"text", "id", "special", "masked"} <= value.keys():
            yield value
        else:
            for one in value.values():
                yield from _tokens_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from _tokens_in(one)
