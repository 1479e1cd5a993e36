"""What is exactly probable of two texts: does the second follow, and do they stand in their order?

As `explorer.objectives.pairs` draws them, from texts of the world in the place of a corpus. A text
of n sentences, two at least, is cut behind one of the first n - 1, all as probable. For the next
sentence the second part stays in half of the cases; else any text of the world, of k sentences,
gives what it has from one of these on. For the order the parts are swapped in half of the cases.
So the posterior of either half is its share of

* next sentence: P(both as one text) / (n - 1) against the product of
  the sum over n of P(a text of n sentences that begins with the first) / (n - 1) and
  the sum over k of P(a text of k sentences that ends with the second) / k;
* order: P(both as one text) against P(both as one text, the second one first).
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.world.exact.truth import Truth

Pieces = Sequence[str]


class Outside(enum.StrEnum):
    """Why a pair is none that is drawn from texts of the world."""

    FIRST = "first"
    """Its first text can't be read beyond a place."""
    FIRST_OPEN = "first open"
    """The first text ends inside a sentence."""
    FIRST_LAST = "first last"
    """No text goes on behind the first one."""
    SECOND = "second"
    """Its second text can't be read beyond a place."""
    SECOND_OPEN = "second open"
    """No text ends where the second one does."""
    NO_ORDER = "no order"
    """Each may be of some text; both together are none."""


@dataclass(frozen=True, slots=True)
class PairTruth:
    """The exact answer about a pair.

    Attributes:
        probability: That the second text follows, or that both stand in their order; None where
            no such pair is drawn.
        outside: Why there is none.
        reach: How many pieces can be read of the text that can't be read.
    """

    probability: float | None
    outside: Outside | None = None
    reach: int = 0


def follows(truth: Truth, first: Pieces, second: Pieces) -> PairTruth:
    """Whether the second text follows the first.

    Args:
        truth: Of the world, in the pieces of both.
        first: What stands before the cut.
        second: What may stand behind it.
    """
    begins = _begins(truth, first)
    if isinstance(begins, PairTruth):
        return begins
    ends = _ends(truth, second)
    if isinstance(ends, PairTruth):
        return ends
    both = [*first, *second]
    joint = math.fsum(
        style.share * style.reader.probability(both) / max(1, style.sentences.count(both) - 1)
        for style in truth.fitting(both)
    )
    return PairTruth(joint / (joint + begins * ends))


def in_order(truth: Truth, first: Pieces, second: Pieces) -> PairTruth:
    """Whether two parts of one text stand in their order.

    Args:
        truth: Of the world, in the pieces of both.
        first: The part that stands first here.
        second: The other one.
    """
    here = truth.probability([*first, *second])
    there = truth.probability([*second, *first])
    if here + there > 0.0:
        return PairTruth(here / (here + there))
    for one in (_begins(truth, first), _ends(truth, second)):
        if isinstance(one, PairTruth) and one.outside in (Outside.FIRST, Outside.SECOND):
            return one
    return PairTruth(None, Outside.NO_ORDER)


def _begins(truth: Truth, first: Pieces) -> float | PairTruth:
    """How probable a text is before a cut."""
    total, is_open = 0.0, True
    for style in truth.fitting(first):
        if first[-1] in style.sentences.ends:
            is_open = False
            counts, own = style.sentences.beginning(first), style.sentences.count(first)
            parts = (mass / (own + n - 1) for n, mass in counts.items() if n)
            total += style.share * math.fsum(parts)
    if total:
        return total
    read = truth.reading(first)
    if read.outside is not None:
        return PairTruth(None, Outside.FIRST, read.outside)
    return PairTruth(None, Outside.FIRST_OPEN if is_open else Outside.FIRST_LAST)


def _ends(truth: Truth, second: Pieces) -> float | PairTruth:
    """How probable a text is as what another one has from a sentence on."""
    total, reach = 0.0, 0
    for style in truth.fitting(second):
        ending, own = style.sentences.ending(second), style.sentences.count(second)
        reach = max(reach, ending.reach)
        parts = (mass / (n + own) for n, mass in ending.before.items())
        total += style.share * math.fsum(parts)
    if total:
        return total
    outside = Outside.SECOND if reach < len(second) else Outside.SECOND_OPEN
    return PairTruth(None, outside, reach)
