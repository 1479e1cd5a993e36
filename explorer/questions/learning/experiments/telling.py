"""What runs came to, as it is told: each way's spread, each thing foretold, the control."""

from collections.abc import Iterator, Sequence

from explorer.learning.experiments.definition import Experiment
from explorer.learning.experiments.findings import (
    ClaimFinding,
    ClaimVerdict,
    of_control,
    spread_of,
    verdict,
)
from explorer.learning.experiments.measures import measure_of
from explorer.learning.experiments.results import ExperimentResults
from explorer.questions.learning.experiments.question import (
    ClaimTried,
    ControlTried,
    WayMeasured,
)
from explorer.text import Phrase


def tried(experiment: Experiment, found: Sequence[ClaimFinding]) -> tuple[ClaimTried, ...]:
    """Each thing that the claim foretells, with what came of it."""
    return tuple(_tried(experiment, one) for one in found)


def _tried(experiment: Experiment, one: ClaimFinding) -> ClaimTried:
    foretold, difference = one.foretold, one.difference
    return ClaimTried(
        Phrase(experiment.way(foretold.way).title),
        Phrase(experiment.way(foretold.than).title),
        foretold.measure,
        foretold.within,
        difference.count if difference else 0,
        difference.mean if difference else None,
        difference.low if difference else None,
        difference.high if difference else None,
        one.verdict,
    )


def measured(experiment: Experiment, results: ExperimentResults) -> tuple[WayMeasured, ...]:
    """What was measured of each way."""
    return tuple(_measured(experiment, results))


def _measured(experiment: Experiment, results: ExperimentResults) -> Iterator[WayMeasured]:
    for measure in experiment.measures:
        for way in experiment.ways:
            spread = spread_of(results, way.name, measure)
            if spread is not None:
                values, of = results.values(way.name, measure), measure_of(measure)
                told = (tuple(values), tuple(values.values()), spread.mean)
                low = None if spread.low is None else max(spread.low, of.least)
                high = None if spread.high is None else min(spread.high, of.most)
                yield WayMeasured(way.name, Phrase(way.title), measure, *told, low, high)


def control_of(experiment: Experiment, results: ExperimentResults) -> ControlTried | None:
    """Where the claim must fail, and whether it does; None without such a control."""
    control = experiment.control
    if control is None:
        return None
    title, why = Phrase(control.title), Phrase(control.why)
    found = of_control(experiment, results)
    if found is None:
        return ControlTried(title, why)
    holds = verdict(found) is ClaimVerdict.BORNE_OUT
    return ControlTried(title, why, tried(experiment, found), holds)
