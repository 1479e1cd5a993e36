"""What of a page somebody is to look at, found by its titles: the rest is left out on a stage."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.parts import HEADINGS, InlinePart, Parted, sections_of, units_of
from explorer.ui.blocks.text import Text

ANY_WIDTH = 400.0


def is_called(name: str, title: str) -> bool:
    """Whether a title on screen is one that was given in English.

    Args:
        name: On screen, in the language in use.
        title: In English, as it is in the catalogue: what is in braces may be anything.
    """
    pieces = re.split(r"\{[^}]*\}", _(title))
    pattern = ".+?".join(map(_with_particles, pieces))
    return bool(name) and re.fullmatch(pattern, name, re.DOTALL | re.IGNORECASE) is not None


def _with_particles(piece: str) -> str:
    """A piece of a title as a pattern; of a Korean particle in both forms either is on screen."""
    escaped = re.escape(piece)
    escaped = re.sub(r"(\w)\\\((\w)\\\)", r"(?:\1\\(\2\\)|\1|\2)", escaped)
    return re.sub(r"\\\((\w)\\\)(\w)", r"(?:\1\2|\2)", escaped)


def focused(blocks: Iterable[Block], titles: Sequence[str]) -> list[Block]:
    """The blocks of some titles, each with what is below it; none where the page has no such.

    Args:
        blocks: Of a page.
        titles: In English: of headings, cards, charts, tables or matrices.
    """
    found: list[Block] = []
    below: int | None = None
    for _first, section in sections_of(list(blocks)):
        head = section[0]
        rank = HEADINGS.index(head.role) if isinstance(head, Text) and head.role in HEADINGS else -1
        # What has a lesser heading belongs to the one that was found.
        below = below if below is not None and -1 < rank < below else None
        if isinstance(head, Text) and rank >= 0 and _is_one(head.text, titles):
            below = rank
        if below is not None:
            found += section
            continue
        for _at, unit in units_of(section[rank >= 0 :]):
            found += _of_unit(unit, titles)
    return found


def _of_unit(unit: Sequence[Block], titles: Sequence[str]) -> list[Block]:
    """A figure with the words that belong to it, or what of its parts is meant."""
    main = next((one for one in unit if not isinstance(one, Text | Legend)), unit[0])
    if any(_is_one(name, titles) for name in _names_of(main)):
        return list(unit)
    if not isinstance(main, Parted):
        return []
    parts = {n: _of_part(part, titles) for n, part in enumerate(main.parts)}
    kept = {n: stays for n, stays in parts.items() if stays is not None}
    legends = [one for one in unit if isinstance(one, Legend)]
    return [*legends, main.with_parts(kept)] if kept else []


def _of_part(part: InlinePart, titles: Sequence[str]) -> Sequence[Block] | None:
    """What stays of a part; None where it is not meant."""
    # A card has the title that its first heading has: what is below the next one is not meant.
    inner = focused(part.blocks, titles)
    return inner or (part.blocks if _is_one(part.title, titles) else None)


def _names_of(block: Block) -> Iterable[str]:
    if isinstance(block, Text):
        return [block.text]
    of: Any = block
    matrix = getattr(of, "matrix", None)
    own = getattr(of, "title", ""), getattr(matrix, "title", ""), block.at(ANY_WIDTH).name
    return [one for one in own if isinstance(one, str) and one]


def _is_one(name: str, titles: Sequence[str]) -> bool:
    return any(is_called(name, title) for title in titles)
