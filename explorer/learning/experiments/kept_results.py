"""The results of an experiment as they come with the program.

Most lie beside their definition. Two comparisons were made before there were definitions, by
commands of their own, which keep their files; what is in these is read as results here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from explorer.learning.experiments.definition import Experiment
from explorer.learning.experiments.results import ExperimentResults, ExperimentRun, read_results
from explorer.published.packed_texts import packed_page
from explorer.published.pair_objectives import NEXT, ORDER, SEGMENTS, compared

WAYS: Final = {"none": "none", NEXT: "next", ORDER: "order"}


def results_of(experiment: Experiment, definition: Path) -> ExperimentResults | None:
    """What came of an experiment; None where it was not run yet.

    Args:
        experiment: As its definition says it.
        definition: The file, beside which results lie.

    Raises:
        UserMistake: The file of results can't be read.
    """
    if experiment.measured_in:
        return KEPT[experiment.measured_in](experiment)
    path = definition.with_suffix(".json")
    return read_results(path) if path.is_file() else None


def _pairs(experiment: Experiment) -> ExperimentResults:
    """Objectives for pairs, five seeds, on courses of events."""
    found = compared()
    runs = tuple(
        ExperimentRun(
            WAYS[run.objective],
            run.seed,
            {},
            found.steps,
            found.tokens * found.steps,
            None,
            {
                "excess": run.loss - found.floor,
                "accuracy": run.masked,
                "order_read": run.classifier[ORDER],
            },
        )
        for run in found.runs
        if run.format == SEGMENTS
    )
    date = max(run.date for run in found.runs)
    return ExperimentResults(experiment.name, found.command, False, date, {}, runs)


def _packed(experiment: Experiment) -> ExperimentResults | None:
    """Single documents, packed ones, and those with attention that stays within each."""
    page = packed_page()
    if page is None:
        return None
    ways = {
        "doc-sentences": "single",
        "full-sentences": "packed",
        "full-sentences-within": "within",
        "full-sentences-anew": "anew",
    }
    runs = tuple(
        ExperimentRun(
            ways[run["way"]],
            run["seed"],
            {},
            page["steps"],
            page["tokens"] * page["steps"],
            None,
            {"excess": run["loss"] - page["floor"], "accuracy": run["masked"]},
        )
        for run in page["runs"]
    )
    date = max(run["date"] for run in page["runs"])
    return ExperimentResults(experiment.name, page["command"], False, date, {}, runs)


KEPT: Final[Mapping[str, Callable[[Experiment], ExperimentResults | None]]] = {
    "pair_objectives": _pairs,
    "full_sentences": _packed,
}
"""By what a definition calls it in ``measured_in``."""
