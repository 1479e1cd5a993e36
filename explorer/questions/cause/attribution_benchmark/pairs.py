"""Every method against every other one, on the same places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from explorer.api.question import Table, column
from explorer.numerics.evaluation.paired_outcomes import holm, mcnemar
from explorer.questions.cause.attribution_benchmark.rules import rule_results
from explorer.questions.cause.attribution_benchmark.tested import (
    AttributionBenchmarkResult,
    WayTested,
)
from explorer.text import N_

LEVEL = 0.05
"""What a corrected p is at most where one of two is surely better."""


@dataclass(frozen=True)
class ComparedPair:
    """Two methods, or rules, at the same places.

    Attributes:
        first: The name of one.
        second: That of the other.
        first_alone: At how many places the first alone is right.
        second_alone: The second alone.
        p: Of McNemar's exact test.
        corrected: The same by Holm's correction over all pairs.
    """

    first: str = column(N_("method"), key=True)
    second: str = column(N_("other method"), key=True)
    first_alone: int = column(N_("right alone"))
    second_alone: int = column(N_("other right alone"))
    p: float = column("p")
    corrected: float = column(N_("p with Holm's correction"))

    @property
    def better(self) -> str:
        """Which of both is surely right more often; "" for neither."""
        if self.corrected > LEVEL:
            return ""
        return self.first if self.first_alone > self.second_alone else self.second


def pairs_of(hits: Mapping[str, Sequence[bool]]) -> tuple[ComparedPair, ...]:
    """All pairs of what was tested at the same places.

    Args:
        hits: By name, whether it is right at each place.
    """
    counts = []
    for first, second in combinations(hits, 2):
        both = list(zip(hits[first], hits[second], strict=True))
        counts.append((first, second, both.count((True, False)), both.count((False, True))))
    ps = [mcnemar(one, other) for _first, _second, one, other in counts]
    every = zip(counts, ps, holm(ps), strict=True)
    return tuple(ComparedPair(*names, p, corrected) for names, p, corrected in every)


def all_compared(result: AttributionBenchmarkResult) -> tuple[WayTested, ...]:
    """Methods and rules, those that are right most often first."""
    every = (*result.ranked, *rule_results(result.places))
    return tuple(sorted(every, key=lambda one: (-one.right, -one.captured)))


def pairs(result: AttributionBenchmarkResult) -> tuple[ComparedPair, ...]:
    """All pairs of an answer's methods and rules."""
    return pairs_of({one.way.name: result.hits(one) for one in all_compared(result)})


def table_of_pairs(result: AttributionBenchmarkResult) -> Table:
    """A row a pair."""
    return Table.of(ComparedPair, pairs(result))
