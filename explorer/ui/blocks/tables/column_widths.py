"""Widths of columns whose words may take several lines."""

import re
from collections.abc import Iterable, Mapping, Sequence

from explorer.ui.blocks.tables.rows import TAG_GAP, BarColumn
from explorer.ui.theme.schemes import FontRole
from explorer.ui.typesetting.one_line import text_width
from explorer.ui.typesetting.wrapping import SEAMS


def tag_width(tag: str) -> float:
    """What a tag takes beside a label, with the room between."""
    return text_width("small", tag) + TAG_GAP + 4 if tag else 0.0


def longest_word(role: FontRole, texts: Iterable[str], seams: str = SEAMS) -> float:
    """Width that the longest of all words takes, which `seams` part besides."""
    # A number is one word, whatever it is written with.
    between = rf"\s+|(?<=[{re.escape(seams)}])(?!\d)" if seams else r"\s+"
    parts = (part for text in texts for part in re.split(between, text))
    words = (text_width(role, part) for part in parts)
    return max(words, default=0.0) + 1


def shared_out(wanted: Sequence[float], least: Sequence[float], room: float) -> list[float]:
    """As a browser does it: all get their longest word, then a share of the rest by their need.

    Args:
        wanted: What each would take in one line.
        least: What its longest word takes.
        room: For all together.
    """
    if sum(wanted) <= room:
        return list(wanted)
    least = [min(pair) for pair in zip(wanted, least, strict=True)]
    rest = room - sum(least)
    if rest <= 0:
        return [one * room / sum(least) for one in least]
    needs = [most - one for most, one in zip(wanted, least, strict=True)]
    return [one + rest * need / sum(needs) for one, need in zip(least, needs, strict=True)]


def in_lines(
    label: tuple[float, float],
    wanted: Mapping[int, float],
    columns: Mapping[int, tuple[BarColumn, Sequence[str]]],
    room: float,
    *,
    strong: bool,
) -> tuple[float, dict[int, float]]:
    """Widths of labels and columns at which no word is cut; before cells are, titles are.

    Args:
        label: What labels would take in one line, and what their longest word takes.
        wanted: What each column would take.
        columns: Every column and what stands in it, by number.
        room: For all together.
        strong: Some of the rows are in bold letters.
    """
    least = [label[1], *_least(columns, strong=strong)]
    if sum(least) > room:
        least = [label[1], *_least(columns, strong=strong, titled=False)]
    first, *rest = shared_out([label[0], *(wanted[n] for n in columns)], least, room)
    return first, dict(zip(columns, rest, strict=True))


def least_widths(columns: Mapping[int, tuple[BarColumn, Sequence[str]]], *, strong: bool) -> float:
    """Width below which words of the columns would be cut, of all together."""
    return sum(_least(columns, strong=strong))


def _least(
    columns: Mapping[int, tuple[BarColumn, Sequence[str]]], *, strong: bool, titled: bool = True
) -> list[float]:
    least = []
    for column, cells in columns.values():
        role: FontRole = "strong" if strong or column.strong else "body"
        title = longest_word("small", [column.title]) if titled else 0.0
        least.append(max(longest_word(role, cells), title))
    return least
