"""What of a page somebody is to look at, found by its titles: the rest is left out on a stage."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.page.parts import HEADINGS, InlinePart, Parted, sections_of, units_of
from explorer.ui.blocks.text import Text

ANY_WIDTH = 400.0
_PLACE = re.compile(r"\{(\w+)(?:=([^}]*))?\}")
"""A place in a title, and what is there, if that is said."""


def is_called(name: str, title: str) -> bool:
    """Whether a title on screen is one that was given in English.

    Args:
        name: On screen, in the language in use.
        title: In English, as it is in the catalogue: what is in braces may be anything, but for
            what is said there, in English too ("{measure=excess loss}, {unit}").
    """
    said = {place: _(words) for place, words in _PLACE.findall(title) if words}
    whole = _(_PLACE.sub(r"{\1}", title))
    pieces = (
        re.escape(said[piece])
        if is_place and piece in said
        else ".+?"
        if is_place
        else _with_particles(piece)
        for is_place, piece in _pieces(whole)
    )
    pattern = "".join(pieces)
    return bool(name) and re.fullmatch(pattern, name, re.DOTALL | re.IGNORECASE) is not None


def _pieces(title: str) -> Iterator[tuple[bool, str]]:
    """Names of places, each marked so, and what is between them."""
    end = 0
    for place in _PLACE.finditer(title):
        yield False, title[end : place.start()]
        yield True, place[1]
        end = place.end()
    yield False, title[end:]


def _with_particles(piece: str) -> str:
    """A piece of a title as a pattern; of a Korean particle in both forms either is on screen."""
    escaped = re.escape(piece)
    escaped = re.sub(r"(\w)\\\((\w)\\\)", r"(?:\1\\(\2\\)|\1|\2)", escaped)
    return re.sub(r"\\\((\w)\\\)(\w)", r"(?:\1\2|\2)", escaped)


def focused(blocks: Iterable[Block], titles: Sequence[str]) -> list[Block]:
    """The blocks of some titles, each with what is below it; none where the page has no such.

    Of two parts of one name the first is meant.

    Args:
        blocks: Of a page.
        titles: In English: of headings, cards, charts, tables or matrices.
    """
    return _meant(list(blocks), _Meant(titles))


class _Meant:
    """Which names are meant.

    Args:
        titles: In English.
    """

    def __init__(self, titles: Sequence[str]) -> None:
        self._titles = titles
        self._earlier: set[str] = set()
        self._here: set[str] = set()

    def has(self, name: str) -> bool:
        """Whether something of this name is meant."""
        found = name not in self._earlier and any(is_called(name, one) for one in self._titles)
        if found:
            self._here.add(name)
        return found

    def leave_section(self) -> None:
        """What comes from now on and is called as something before is another thing."""
        self._earlier |= self._here


def _meant(blocks: Sequence[Block], meant: _Meant, *, is_card: bool = False) -> list[Block]:
    """The blocks that are meant, each with what is below it."""
    found: list[Block] = []
    below: int | None = None
    for _first, section in sections_of(blocks):
        head = section[0]
        rank = HEADINGS.index(head.role) if isinstance(head, Text) and head.role in HEADINGS else -1
        # What has a lesser heading belongs to the one that was found.
        below = below if below is not None and -1 < rank < below else None
        if isinstance(head, Text) and rank >= 0 and meant.has(head.text):
            below = rank
        if below is not None:
            found += section
        else:
            for _at, unit in units_of(section[rank >= 0 :]):
                found += _of_unit(unit, meant)
        if not is_card:
            meant.leave_section()
    return found


def _of_unit(unit: Sequence[Block], meant: _Meant) -> list[Block]:
    """A figure with the words that belong to it, or what of its parts is meant."""
    main = next((one for one in unit if not isinstance(one, Text | Legend)), unit[0])
    if any(meant.has(name) for name in _names_of(main)):
        return list(unit)
    if not isinstance(main, Parted):
        return []
    parts = {n: _of_part(part, meant) for n, part in enumerate(main.parts)}
    kept = {n: stays for n, stays in parts.items() if stays is not None}
    legends = [one for one in unit if isinstance(one, Legend)]
    return [*legends, main.with_parts(kept)] if kept else []


def _of_part(part: InlinePart, meant: _Meant) -> Sequence[Block] | None:
    """What stays of a part; None where it is not meant."""
    # A card has the title that its first heading has: what is below the next one is not meant.
    inner = _meant(part.blocks, meant, is_card=True)
    return inner or (part.blocks if meant.has(part.title) else None)


def _names_of(block: Block) -> Iterable[str]:
    if isinstance(block, Text):
        return [block.text]
    of: Any = block
    matrix = getattr(of, "matrix", None)
    # What has no title on screen says itself how it is called.
    titles = getattr(of, "title", ""), getattr(of, "called", ""), getattr(matrix, "title", "")
    own = *titles, block.at(ANY_WIDTH).name
    return [one for one in own if isinstance(one, str) and one]
