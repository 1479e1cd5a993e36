"""What may be concluded of a claim: intervals over seeds, differences at equal seeds, a verdict.

Two ways are set against each other seed by seed: the same weights at the beginning, the same texts
in the same order, so that what both have in common falls out of the difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from explorer.learning.experiments.definition import LEAST_SEEDS, Experiment, Foretold
from explorer.learning.experiments.measures import MEASURES
from explorer.learning.experiments.results import ExperimentResults
from explorer.numerics.evaluation.student_t import MeanInterval, mean_interval


class ClaimVerdict(StrEnum):
    """What may be concluded."""

    BORNE_OUT = "borne out"
    IN_PART = "borne out in part"
    NOT_BORNE_OUT = "not borne out"
    NOTHING = "nothing can be said"


@dataclass(frozen=True, slots=True)
class ClaimFinding:
    """What the runs say of one thing that the claim foretells.

    Attributes:
        foretold: That.
        difference: Of the two ways' measurements at equal seeds, the first less the other; None
            where no seed was run in both.
        verdict: Whether it came so.
    """

    foretold: Foretold
    difference: MeanInterval | None
    verdict: ClaimVerdict


def spread_of(results: ExperimentResults, way: str, measure: str) -> MeanInterval | None:
    """The mean of a way's seeds and its interval; None where nothing was measured."""
    values = list(results.values(way, measure).values())
    return mean_interval(values) if values else None


def findings(experiment: Experiment, results: ExperimentResults) -> tuple[ClaimFinding, ...]:
    """What came of each thing that the claim foretells."""
    return tuple(_finding(one, results) for one in experiment.foretold)


def verdict(found: tuple[ClaimFinding, ...]) -> ClaimVerdict:
    """Of the whole claim: not borne out where some of it came otherwise than it says."""
    all_of_it = {one.verdict for one in found}
    if ClaimVerdict.NOT_BORNE_OUT in all_of_it:
        return ClaimVerdict.NOT_BORNE_OUT
    if all_of_it == {ClaimVerdict.BORNE_OUT}:
        return ClaimVerdict.BORNE_OUT
    return ClaimVerdict.IN_PART if ClaimVerdict.BORNE_OUT in all_of_it else ClaimVerdict.NOTHING


def of_control(
    experiment: Experiment, results: ExperimentResults
) -> tuple[ClaimFinding, ...] | None:
    """What came of the same where the claim must fail; None where too little was run to say."""
    found = findings(experiment, results.of_control)
    counts = [one.difference.count if one.difference else 0 for one in found]
    return found if experiment.control and min(counts) >= LEAST_SEEDS else None


def judged(experiment: Experiment, results: ExperimentResults) -> ClaimVerdict:
    """What may be concluded of the whole claim: nothing where it holds in its control too."""
    control = of_control(experiment, results)
    if control is not None and verdict(control) is ClaimVerdict.BORNE_OUT:
        return ClaimVerdict.NOTHING
    return verdict(findings(experiment, results))


def _finding(foretold: Foretold, results: ExperimentResults) -> ClaimFinding:
    ours, theirs = (results.values(way, foretold.measure) for way in (foretold.way, foretold.than))
    both = [ours[seed] - theirs[seed] for seed in ours if seed in theirs]
    difference = mean_interval(both) if both else None
    return ClaimFinding(foretold, difference, _judged(foretold, difference))


def _judged(foretold: Foretold, difference: MeanInterval | None) -> ClaimVerdict:
    """Fewer than three seeds say nothing, nor does an interval that holds both answers."""
    if difference is None or difference.low is None or difference.high is None:
        return ClaimVerdict.NOTHING
    if difference.count < LEAST_SEEDS:
        return ClaimVerdict.NOTHING
    low, high = difference.low, difference.high
    if foretold.within is not None:
        if -foretold.within < low and high < foretold.within:
            return ClaimVerdict.BORNE_OUT
        apart = low >= foretold.within or high <= -foretold.within
        return ClaimVerdict.NOT_BORNE_OUT if apart else ClaimVerdict.NOTHING
    if not MEASURES[foretold.measure].rises:
        low, high = -high, -low
    if low > 0:
        return ClaimVerdict.BORNE_OUT
    return ClaimVerdict.NOT_BORNE_OUT if high < 0 else ClaimVerdict.NOTHING
