"""The parts of a page that a picture can do without, and what a printed page looks like.

A page is cut where its blocks are: at headings, at cards, at the charts and matrices that stand
side by side. Paragraphs belong to what they stand above or below.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from explorer.text import _
from explorer.text.printable import shortened
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chips
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.panel import Panel
from explorer.ui.blocks.tables.numbers import NumbersBlock
from explorer.ui.blocks.text import Text
from explorer.ui.blocks.tokens import Tokens

LONGEST = 60
"""Characters of a title that a block has not given itself."""
HEADINGS = ("strong", "title", "heading")
SLIGHT = (Tokens, NumbersBlock, Text, Legend)
"""Blocks that are no figure by themselves."""


@dataclass(frozen=True)
class InlinePart:
    """One of the things that a block shows side by side.

    Attributes:
        title: What it is called; "" for what has only the titles that stand in it.
        blocks: What it is made of, where that is a small page.
    """

    title: str
    blocks: Sequence[Block] = ()


@runtime_checkable
class Parted(Protocol):
    """A block whose parts can be left out."""

    @property
    def parts(self) -> Sequence[InlinePart]:
        """In reading order."""

    def with_parts(self, kept: Mapping[int, Sequence[Block]]) -> Block:
        """The same with these parts alone, by their numbers, made of these blocks."""


@runtime_checkable
class PrintedBlock(Protocol):
    """A block that looks otherwise where nobody can point at it to read what is cut."""

    def in_print(self) -> Block:
        """As it is on paper."""


@dataclass(frozen=True)
class Branch:
    """A part as a list of choices has it.

    Attributes:
        title: What it is called.
        key: Which part it is, on this page.
        inside: Parts that can be left out one by one; none where it goes as a whole.
        is_slight: It is the sentence, a few numbers or words alone: no figure by itself.
        is_legend: It says what signs and colours of other parts mean.
    """

    title: str
    key: str
    inside: "tuple[Branch, ...]" = ()
    is_slight: bool = False
    is_legend: bool = False

    @property
    def leaves(self) -> "tuple[Branch, ...]":
        """What goes as a whole, of it and of all that is inside."""
        return tuple(leaf for one in self.inside for leaf in one.leaves) or (self,)


def branches_of(blocks: Iterable[Block]) -> tuple[Branch, ...]:
    """What a page can be asked to leave out."""
    return tuple(_walk(list(blocks), frozenset(), "", _title_of)[0])


def without(blocks: Iterable[Block], off: Iterable[str]) -> list[Block]:
    """A page's blocks without the parts of some keys."""
    # Nobody reads what they are called here, and most are laid out to find that out.
    return _walk(list(blocks), frozenset(off), "", lambda _block: "")[1]


def panels_of(blocks: Iterable[Block], *, apart: bool = True) -> list[list[Block]]:
    """A page's blocks in groups that may stand side by side; a heading goes with what follows.

    Args:
        blocks: From above.
        apart: Cards are groups by themselves; else those of a block stay together.
    """
    found: list[list[Block]] = []
    for _first, section in sections_of(list(blocks)):
        head = section[0]
        above = [head] if isinstance(head, Text) and head.role in HEADINGS else []
        for _at, unit in units_of(section[len(above) :]) or [(0, [])]:
            main = next((n for n, one in enumerate(unit) if isinstance(one, Parted)), None)
            panels = [unit]
            if apart and main is not None and (cards := _cards(unit[main])):
                panels = [[card] for card in cards]
                panels[0] = [*unit[:main], *panels[0]]
                panels[-1] += unit[main + 1 :]
            panels[0] = [*above, *panels[0]]
            found += panels
            above = []
    return found


def _cards(block: Block) -> list[Block]:
    """The parts of a block, each by itself, where they are small pages; else none."""
    if not isinstance(block, Parted) or not all(part.blocks for part in block.parts):
        return []
    return [block.with_parts({n: part.blocks}) for n, part in enumerate(block.parts)]


def alone(blocks: Iterable[Block]) -> list[Block]:
    """A page's blocks where nothing can be clicked: without controls and what is said of them."""
    found: list[Block] = []
    for block in blocks:
        if isinstance(block, Panel) or (isinstance(block, Chips) and not block.on_paper):
            continue
        less = block
        if isinstance(block, Text) and block.on_paper is not None:
            if not block.on_paper:
                continue
            less = replace(block, text=block.on_paper, on_paper=None)
        elif isinstance(block, Parted) and any(part.blocks for part in block.parts):
            parts = {n: alone(part.blocks) for n, part in enumerate(block.parts)}
            kept = {n: inner for n, inner in parts.items() if inner}
            if not kept:
                continue
            less = block.with_parts(kept)
        found.append(less)
    return found


def on_paper(blocks: Iterable[Block], *, explanations: bool = True) -> list[Block]:
    """A page's blocks as they are printed.

    Args:
        blocks: From above.
        explanations: Keep paragraphs in small grey letters.
    """
    found: list[Block] = []
    for block in blocks:
        if isinstance(block, Text) and _explains(block) and not explanations:
            continue
        less = block
        if isinstance(block, Parted):
            kept = {
                n: on_paper(part.blocks, explanations=explanations)
                for n, part in enumerate(block.parts)
            }
            less = block.with_parts(kept)
        found.append(less.in_print() if isinstance(less, PrintedBlock) else less)
    return found


def _explains(block: Text) -> bool:
    return block.role == "small" and block.colour == "muted"


Walked = tuple[list[Branch], list[Block]]
Named = Callable[[Block], str]
"""What a block is called in a list."""


def _walk(blocks: Sequence[Block], off: frozenset[str], path: str, named: Named) -> Walked:
    """The parts of some blocks, and the blocks without those that are off."""
    branches: list[Branch] = []
    kept: list[Block] = []
    for first, section in sections_of(blocks):
        head, body = section[0], section
        title = head.text if isinstance(head, Text) and head.role in HEADINGS else ""
        if title:
            body = section[1:]
        inner: list[Branch] = []
        rest: list[Block] = []
        for at, unit in units_of(body):
            more, stays = _unit(unit, off, f"{path}/{first + at + bool(title)}", named)
            inner += more
            rest += stays
        if not title:
            branches += inner
            kept += rest
            continue
        # What is the only thing below a heading goes with it.
        several = sum(len(one.leaves) for one in inner) > 1
        branch = Branch(
            shortened(title, LONGEST), f"{path}/{first}", tuple(inner) if several else ()
        )
        branches.append(branch)
        if _is_on(branch, off):
            kept += [head, *rest] if branch.inside else section
    return branches, kept


def _is_on(branch: Branch, off: frozenset[str]) -> bool:
    return any(leaf.key not in off for leaf in branch.leaves)


def sections_of(blocks: Sequence[Block]) -> list[tuple[int, list[Block]]]:
    """What stands below each heading, with it, and where that begins."""
    found: list[tuple[int, list[Block]]] = []
    for n, block in enumerate(blocks):
        if not found or (isinstance(block, Text) and block.role in HEADINGS):
            found.append((n, [block]))
        else:
            found[-1][1].append(block)
    return found


def units_of(blocks: Sequence[Block]) -> list[tuple[int, list[Block]]]:
    """What can be left out alone, with the paragraphs that belong to it."""
    found: list[tuple[int, list[Block]]] = []
    is_full = True
    for n, block in enumerate(blocks):
        is_words = isinstance(block, Text | Legend)
        if found and (not is_full or (is_words and not isinstance(block, Legend))):
            found[-1][1].append(block)
        else:
            found.append((n, [block]))
            is_full = False
        is_full = is_full or not is_words
    return found


def _unit(blocks: Sequence[Block], off: frozenset[str], path: str, named: Named) -> Walked:
    main = next((one for one in blocks if not isinstance(one, Text | Legend)), blocks[0])
    if not isinstance(main, Parted):
        words = next((one for one in blocks if isinstance(one, Text)), main)
        title = named(main) or named(words) or _("Picture")
        branch = Branch(title, path, (), isinstance(main, SLIGHT), isinstance(main, Legend))
        return [branch], ([] if path in off else list(blocks))
    inner: list[Branch] = []
    kept: dict[int, Sequence[Block]] = {}
    for n, part in enumerate(main.parts):
        # What has a title goes as a whole: a card is nothing without what stands in it.
        more = [
            Branch(shortened(part.title, LONGEST) or named(main) or _("Picture"), f"{path}/{n}")
        ]
        stays = list(part.blocks)
        if part.blocks and not part.title:
            more, stays = _walk(part.blocks, off, f"{path}/{n}", named)
        inner += more
        if any(_is_on(one, off) for one in more):
            kept[n] = stays
    if not kept:
        return inner, []
    whole = len(kept) == len(main.parts)
    same = whole and all(list(main.parts[n].blocks) == list(stays) for n, stays in kept.items())
    less = main if same else main.with_parts(kept)
    return inner, [less if one is main else one for one in blocks]


def _title_of(block: Block) -> str:
    """What a block is called in a list."""
    if isinstance(block, Tokens):
        return _("Sentence")
    if isinstance(block, NumbersBlock):
        return _("Numbers")
    own = block.text if isinstance(block, Text) else getattr(block, "title", "")
    matrix = getattr(block, "matrix", None)
    own = own or getattr(matrix, "title", "") or getattr(block.at(400.0), "name", "")
    return shortened(own, LONGEST)
