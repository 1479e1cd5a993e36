"""What came of a claim, read from its definition and its results."""

from hashlib import blake2b
from typing import Any

from explorer.api.question import Context, ModelStamp
from explorer.learning.experiments.definition import (
    Experiment,
    PublishedWays,
    bundled_experiments,
    read_experiment,
)
from explorer.learning.experiments.findings import findings, spread_of, verdict
from explorer.learning.experiments.kept_results import results_of
from explorer.learning.experiments.results import ExperimentResults
from explorer.questions.learning.experiments.question import (
    ClaimTried,
    ExperimentsRequest,
    ExperimentsResult,
    PublishedMeasure,
    WayMeasured,
)
from explorer.text import Phrase
from explorer.text.sources import checked


def run(_model: Any, request: ExperimentsRequest, _context: Context) -> ExperimentsResult:
    """Read both files.

    Raises:
        UserMistake: One of them can't be read.
    """
    path = bundled_experiments() / f"{request.claim}.toml"
    found = read_experiment(path)
    results = results_of(found, path)
    told = repr((found, results)).encode()
    fingerprint = blake2b(told, digest_size=16).hexdigest()
    return answer(found, results, ModelStamp(request.claim, "", fingerprint, "meta", ""))


def answer(
    experiment: Experiment, results: ExperimentResults | None, stamp: ModelStamp
) -> ExperimentsResult:
    """What is shown of a claim.

    Args:
        experiment: Its definition.
        results: Its runs; None where there are none.
        stamp: What identifies both.
    """
    known = results or ExperimentResults(experiment.name, experiment.command, True, "", {})
    found = findings(experiment, known)
    return ExperimentsResult(
        stamp,
        experiment.name,
        Phrase(experiment.title),
        Phrase(experiment.claim),
        experiment.source,
        Phrase(experiment.about),
        Phrase(experiment.cannot),
        verdict(found),
        tuple(
            ClaimTried(
                Phrase(experiment.way(one.foretold.way).title),
                Phrase(experiment.way(one.foretold.than).title),
                one.foretold.measure,
                one.foretold.within,
                one.difference.count if one.difference else 0,
                one.difference.mean if one.difference else None,
                one.difference.low if one.difference else None,
                one.difference.high if one.difference else None,
                one.verdict,
            )
            for one in found
        ),
        tuple(_measured(experiment, known)),
        tuple(_published(experiment, one) for one in experiment.published if checked(one.source)),
        known.command,
        known.short,
        known.date,
        ", ".join(f"{name} {number}" for name, number in known.versions.items()),
        max((one.steps for one in known.runs), default=0),
    )


def _measured(experiment: Experiment, results: ExperimentResults) -> list[WayMeasured]:
    found = []
    for measure in experiment.measures:
        for way in experiment.ways:
            spread = spread_of(results, way.name, measure)
            if spread is not None:
                values = results.values(way.name, measure)
                told = (tuple(values), tuple(values.values()), spread.mean, spread.low, spread.high)
                found.append(WayMeasured(way.name, Phrase(way.title), measure, *told))
    return found


def _published(experiment: Experiment, one: PublishedWays) -> PublishedMeasure:
    printed = [way for way in experiment.ways if way.name in one.values]
    titles = tuple(Phrase(one.titles.get(way.name, way.title)) for way in printed)
    values = tuple(one.values[way.name] for way in printed)
    return PublishedMeasure(one.measure, checked(one.source), one.date, titles, values)
