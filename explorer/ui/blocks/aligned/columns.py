"""The columns of a text: what is drawn as one letter, how wide, in which line, and where."""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QTextBoundaryFinder

from explorer.text.bidi import runs_from_right
from explorer.text.pieces import visible
from explorer.ui.typesetting.one_line import text_width

LEAST = 8.0
"""Width of the narrowest column, in pixels."""
ROOM = 2.0
"""Beside a letter."""
JOINER = "\u200d"
SPACES = frozenset("␣↵⇥")
"""Signs of white space."""
_NEVER_ON = frozenset("اأإآدذرزوؤةىءٱ")
"""Arabic letters that are not joined to the one behind them."""


@dataclass(frozen=True)
class Unit:
    """What a reader sees as one letter, with its marks: a column.

    Attributes:
        start: Its first character.
        end: One past its last.
        text: Its characters, a space as a sign; Arabic letters in the shape that they have here.
        leftward: It belongs to a word that runs from the right.
    """

    start: int
    end: int
    text: str
    leftward: bool


def units_of(text: str) -> list[Unit]:
    """The columns of a text, in the order of reading."""
    places = list(_edges(text))
    leftward = _directions(text, places)
    return [
        Unit(start, end, shaped(text, start, end), left)
        for (start, end), left in zip(places, leftward, strict=True)
    ]


def shaped(text: str, start: int, end: int) -> str:
    """Characters of a text as they look inside of it, white space as signs."""
    part = text[start:end]
    if not part.strip():
        return visible(part[:1])
    before = JOINER if start and _joins(text, start) else ""
    after = JOINER if end < len(text) and _joins(text, end) else ""
    return f"{before}{part}{after}"


def _joins(text: str, place: int) -> bool:
    """Whether the letter before a place is written together with the one behind it."""
    if unicodedata.bidirectional(text[place]) != "AL":
        return False
    at = place - 1
    while at > 0 and unicodedata.combining(text[at]):
        at -= 1
    before = text[at]
    return unicodedata.bidirectional(before) == "AL" and not (
        before in _NEVER_ON or text[place] == "ء"
    )


def _edges(text: str) -> Iterator[tuple[int, int]]:
    """First character of each grapheme cluster and one past its last."""
    # Qt counts in UTF-16, where what stands beyond the first plane counts twice.
    units = [0]
    for character in text:
        units.append(units[-1] + (2 if ord(character) > 0xFFFF else 1))
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, text)
    found = [0]
    while (place := finder.toNextBoundary()) > 0:
        found.append(bisect_right(units, place) - 1)
    yield from pairwise(dict.fromkeys([*found, len(text)]))


def _directions(text: str, places: Sequence[tuple[int, int]]) -> list[bool]:
    """Whether each column runs from the right; what has no direction goes with its neighbours."""
    base = runs_from_right(text)
    known: list[bool | None] = [_direction(text[start:end]) for start, end in places]
    result: list[bool] = []
    ahead: list[bool | None] = [None] * len(known)
    following: bool | None = None
    for number in range(len(known) - 1, -1, -1):
        following = known[number] if known[number] is not None else following
        ahead[number] = following
    before: bool | None = None
    for own, later in zip(known, ahead, strict=True):
        if own is None:
            result.append(before if before is not None and before == later else base)
        else:
            result.append(own)
            before = own
    return result


def _direction(text: str) -> bool | None:
    for character in text:
        kind = unicodedata.bidirectional(character)
        if kind in ("R", "AL"):
            return True
        if kind in ("L", "EN", "AN"):
            return False
    return None


def width_of(unit: Unit) -> float:
    """What a column needs for its letter."""
    return max(LEAST, text_width("token", unit.text) + ROOM)


def lines_of(units: Sequence[Unit], widths: Sequence[float], room: float) -> list[range]:
    """Numbers of the columns in every line: broken behind spaces, and elsewhere where it must be.

    Args:
        units: The columns.
        widths: In pixels.
        room: For the columns of a line.
    """
    lines: list[range] = []
    begin, space, used = 0, 0, 0.0
    for number, width in enumerate(widths):
        if used + width > room and number > begin:
            end = space if space > begin else number
            lines.append(range(begin, end))
            begin, used = end, sum(widths[end:number])
        used += width
        if units[number].text in SPACES:
            space = number + 1
    return [*lines, range(begin, len(units))] if begin < len(units) or not lines else lines


def placed(
    units: Sequence[Unit], widths: Sequence[float], line: range, base: bool, room: float
) -> dict[int, tuple[float, float]]:
    """Left and right edge of each column of a line, by its number.

    Args:
        units: All columns.
        widths: In pixels.
        line: Which of them stand in it.
        base: The text runs from the right: its lines end there.
        room: For a line; where a text from the right begins.
    """
    order: list[int] = []
    run: list[int] = []
    # Spaces at the end of a line stand where the line ends, whatever is before them.
    last = next((number for number in reversed(line) if units[number].text not in SPACES), -1)
    for number in line:
        if units[number].leftward != base and number <= last:
            run.insert(0, number)
            continue
        order += run
        run = []
        order.append(number)
    # In a text from the right its own order is turned as a whole, runs of the other with it.
    order += run
    if base:
        order.reverse()
    x = max(0.0, room - sum(widths[number] for number in line)) if base else 0.0
    found: dict[int, tuple[float, float]] = {}
    for number in order:
        found[number] = x, x + widths[number]
        x += widths[number]
    return found
