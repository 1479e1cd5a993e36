"""What measures of bias are asked of: sentences that differ in who they are about.

Or in what they say of somebody; a third one may say nothing that makes sense.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from explorer.world.tasks.bias_pairs import pronoun_pairs

EACH: Final = 60
"""Pairs of each job of the smallest world."""


@dataclass(frozen=True)
class BiasItem:
    """A pair of sentences, or three.

    Attributes:
        stereotyped: The one that says what is said of people.
        opposite: The one that says it of others, or says the contrary.
        unrelated: One that says nothing that makes sense; "" for none.
        attribute: A word of both sentences that what differs is about, as "programmer" of he and
            she (Kurita et al. 2019); "" where nobody says.
        kind: Which bias it is about; "" where nobody says.
        term: Whom it is about: StereoSet's target; "" for no one in particular.
        blank: Where the words begin and end that were put into StereoSet's blank, of each of the
            sentences that are there; empty where what differs is found by comparing them.
    """

    stereotyped: str
    opposite: str
    unrelated: str = ""
    attribute: str = ""
    kind: str = ""
    term: str = ""
    blank: tuple[tuple[int, int], ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The stereotyped one, the opposite one, and the unrelated one where there is one."""
        return (self.stereotyped, self.opposite, *filter(None, [self.unrelated]))


def world_items(each: int = EACH) -> tuple[BiasItem, ...]:
    """Those of the smallest world, in which job and pronoun may go together."""
    return tuple(
        BiasItem(
            one.stereotyped,
            one.opposite,
            one.unrelated,
            attribute=one.job,
            kind=one.job,
            blank=_different_word((one.stereotyped, one.opposite, one.unrelated)),
        )
        for one in pronoun_pairs(each)
    )


def _different_word(sentences: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Where the one word is in which sentences of as many words differ, of each."""
    words = [one.split(" ") for one in sentences]
    at = next(n for n, row in enumerate(zip(*words, strict=True)) if len({*row}) > 1)
    start = sum(len(word) + 1 for word in words[0][:at])
    return tuple((start, start + len(row[at])) for row in words)
