"""The parts of a page by their names: how they are chosen, and which of them are a figure.

A part has a key, made of its English title, which is the same in every language and for every
answer whose page has that part; and its title as the page shows it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

from explorer.api.question import UserMistake
from explorer.text import N_
from explorer.text.language import current, for_programs
from explorer.text.lists import all_of
from explorer.ui.blocks.page.page import Page
from explorer.ui.blocks.page.parts import Branch, branches_of
from explorer.ui.blocks.page.shown import Shown

EVERY = "all"
"""What is typed for all parts."""
WHOLE, WORDS = 24, 4
"""Characters of a title that becomes a key as it is, and words of a longer one's beginning."""
NEAR = 0.5
"""How like a name what was typed must be, to be meant."""
HOPELESS = 2.0
"""From so many times the height of a figure on, no further part is tried."""
_CLAUSE = re.compile(r"[.:;,(“\"—·]|(?<!\S)[\d−+-]")
"""Where the beginning of a long title ends: what follows is of this answer."""


@dataclass(frozen=True)
class FigurePart:
    """A part of a page that a picture can show or leave out.

    Attributes:
        key: Its name in any language.
        title: Its name in the language of now.
        path: Where it stands on the page, for `blocks.parts.without`.
        inside: Parts that can be chosen one by one; none where it goes as a whole.
        is_slight: It is no figure by itself.
        is_legend: It says what signs and colours of other parts mean.
    """

    key: str
    title: str
    path: str
    inside: "tuple[FigurePart, ...]" = ()
    is_slight: bool = False
    is_legend: bool = False

    @property
    def leaves(self) -> "tuple[FigurePart, ...]":
        """What goes as a whole, of it and of all that is inside."""
        return tuple(leaf for one in self.inside for leaf in one.leaves) or (self,)


Node = TypeVar("Node", FigurePart, Branch)


def parts_of(page: Page, shown: Shown) -> tuple[FigurePart, ...]:
    """The parts of an answer's page."""
    branches = branches_of(page.alone(shown))
    titles = {one.key: one.title for one in _all(branches)}
    if not current().is_source:
        with for_programs():
            english = {one.key: one.title for one in _all(branches_of(page.alone(shown)))}
        if english.keys() == titles.keys():
            titles = english
    taken: set[str] = {EVERY}
    return tuple(_named(one, titles, taken) for one in branches)


def leaves_of(parts: Iterable[FigurePart]) -> tuple[FigurePart, ...]:
    """What goes as a whole, in reading order."""
    return tuple(leaf for one in parts for leaf in one.leaves)


def named(parts: Sequence[FigurePart], names: Iterable[str]) -> tuple[FigurePart, ...]:
    """The leaves that are meant by keys or titles; `EVERY` means all.

    Raises:
        UserMistake: There is no part of a name.
    """
    known: dict[str, tuple[FigurePart, ...]] = {}
    for one in _all(parts):
        for name in (one.key, one.title.casefold()):
            known.setdefault(name, one.leaves)
    known[EVERY] = leaves_of(parts)
    wanted: set[str] = set()
    for name in names:
        found = known.get(name.strip().casefold())
        if found is None:
            raise _unknown(name, parts, known)
        wanted |= {one.key for one in found}
    return tuple(one for one in leaves_of(parts) if one.key in wanted)


def first_that_fit(
    leaves: Sequence[FigurePart], height_of: Callable[[Sequence[FigurePart]], float], most: float
) -> tuple[FigurePart, ...]:
    """The first parts of a page as far as a figure's height goes: the main one at least.

    Args:
        leaves: All, in reading order.
        height_of: Of a figure of some parts.
        most: How high it may be.
    """
    legends = tuple(one for one in leaves if one.is_legend)
    others = [one for one in leaves if not one.is_legend] or list(leaves)
    main = next((n for n, one in enumerate(others) if not one.is_slight), 0)
    best = (others[main], *legends)
    for number in range(main + 1, len(others) + 1):
        taken = (*others[:number], *legends)
        height = height_of(taken)
        if height <= most:
            # A heading or a note is no end: what it is of would be on no figure.
            best = taken if number == len(others) or not others[number - 1].is_slight else best
        # A matrix beside others is lower than alone: one more part may make it fit again.
        elif height > HOPELESS * most:
            break
    return best


def _all(parts: "Iterable[Node]") -> "Iterator[Node]":
    for one in parts:
        yield one
        yield from _all(one.inside)


def _named(branch: Branch, titles: dict[str, str], taken: set[str]) -> FigurePart:
    first = _slug(titles[branch.key])
    key, number = first, 1
    while key in taken:
        number += 1
        key = f"{first}-{number}"
    taken.add(key)
    inside = tuple(_named(one, titles, taken) for one in branch.inside)
    return FigurePart(key, branch.title, branch.key, inside, branch.is_slight, branch.is_legend)


def _slug(title: str) -> str:
    """The name of a part for any reader: "one-head"."""
    text = title
    if len(title) > WHOLE:
        found = _CLAUSE.search(title)
        text = title[: found.start()] if found is not None else title
    words = re.findall(r"\w+", text.casefold())
    return "-".join(words if len(title) <= WHOLE else words[:WORDS]) or "part"


def _unknown(name: str, parts: Sequence[FigurePart], known: Iterable[str]) -> UserMistake:
    near = get_close_matches(name.strip().casefold(), list(known), 1, NEAR)
    keys = all_of([*(one.key for one in _all(parts)), EVERY])
    if near:
        said = N_("The page has no part {name}. Did you mean {near}?")
        return UserMistake(said, N_("Its parts: {parts}."), name=name, near=near[0], parts=keys)
    said = N_("The page has no part {name}.")
    return UserMistake(said, N_("Its parts: {parts}."), name=name, parts=keys)
