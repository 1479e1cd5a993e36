"""What came of a claim, read from its definition and its results."""

from hashlib import blake2b
from typing import Any

from explorer.api.question import Context, ModelStamp, Unavailable
from explorer.learning.experiments.definition import (
    Experiment,
    PublishedWays,
    bundled_experiments,
)
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.findings import findings, judged
from explorer.learning.experiments.kept_results import results_of
from explorer.learning.experiments.results import ExperimentResults
from explorer.questions.learning.experiments.question import (
    ExperimentsRequest,
    ExperimentsResult,
    PublishedMeasure,
)
from explorer.questions.learning.experiments.telling import control_of, measured, tried
from explorer.questions.learning.experiments.trying import tried_here
from explorer.text import N_, Phrase
from explorer.text.sources import UNCHECKED, unmarked


def run(_model: Any, request: ExperimentsRequest, context: Context) -> ExperimentsResult:
    """Read what came of a claim; try it, or follow it while somebody does.

    Raises:
        UserMistake: A file can't be read, or the claim can't be tried here.
        MachineFault: There is no room, or the process that trains ended by itself.
        Cancelled: It is not followed any more; the training goes on.
    """
    path = bundled_experiments() / f"{request.claim}.toml"
    found = read_experiment(path)
    bundled = answer(found, results_of(found, path))
    if context is None or context.training is None:
        if request.train or request.act:
            raise Unavailable(N_("There is no folder to keep runs of training in."))
        return bundled
    return tried_here(bundled, found, path, request, context)


def answer(experiment: Experiment, results: ExperimentResults | None) -> ExperimentsResult:
    """What is shown of a claim.

    Args:
        experiment: Its definition.
        results: Its runs; None where there are none.
    """
    known = results or ExperimentResults(experiment.name, experiment.command, True, "", {})
    told = repr((experiment, results)).encode()
    stamp = ModelStamp(experiment.name, "", blake2b(told, digest_size=16).hexdigest(), "meta", "")
    return ExperimentsResult(
        stamp,
        experiment.name,
        Phrase(experiment.title),
        Phrase(experiment.claim),
        experiment.source,
        Phrase(experiment.about),
        Phrase(experiment.cannot),
        judged(experiment, known),
        tried(experiment, findings(experiment, known)),
        measured(experiment, known),
        tuple(_published(experiment, one) for one in experiment.published),
        known.command,
        known.short,
        known.date,
        ", ".join(f"{name} {number}" for name, number in known.versions.items()),
        max((one.steps for one in known.runs), default=0),
        control_of(experiment, known),
    )


def _published(experiment: Experiment, one: PublishedWays) -> PublishedMeasure:
    printed = [way for way in experiment.ways if way.name in one.values]
    titles = tuple(Phrase(one.titles.get(way.name, way.title)) for way in printed)
    values = tuple(one.values[way.name] for way in printed)
    return PublishedMeasure(
        one.measure, unmarked(one.source), one.date, titles, values, UNCHECKED not in one.source
    )
