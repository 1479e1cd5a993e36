"""``python -m explorer.learning.experiments NAME`` tries a claim about training.

The runs of a definition that are not in its file of results yet are trained, one after the other,
and each is kept when it is done: a command that was stopped is simply given again. ``--short`` is
the form of a few minutes.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from explorer.api.errors import ExplorerError, UserMistake
from explorer.learning.experiments.definition import (
    COMMAND,
    Experiment,
    bundled_experiments,
    experiment_names,
)
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.findings import (
    ClaimFinding,
    ClaimVerdict,
    findings,
    judged,
    of_control,
    verdict,
)
from explorer.learning.experiments.one_training import planned, train
from explorer.learning.experiments.results import ExperimentResults
from explorer.learning.experiments.running import WantedRun, begun, run_missing, wanted_runs
from explorer.text import N_


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is missing. Returns the exit code: 0 done, 2 the user's mistake."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Try a claim about training.")
    parser.add_argument("name", choices=experiment_names(), help="the claim")
    parser.add_argument("--short", action="store_true", help="the form of a few minutes")
    parser.add_argument("--out", type=Path, help="file of results (beside the definition)")
    parser.add_argument("--threads", type=int, default=1, help="processor threads")
    options = parser.parse_args(arguments)

    import torch

    torch.set_num_threads(options.threads)
    definition = bundled_experiments() / f"{options.name}.toml"
    path = options.out or definition.with_suffix(".json")
    try:
        experiment = read_experiment(definition)
        if experiment.measured_in and not (options.short and experiment.is_planned):
            raise UserMistake(
                N_("The runs of {name} are made by another command: {command}."),
                name=experiment.name,
                command=experiment.command,
            )
        results = begun(experiment, path, short=options.short)
        wanted = wanted_runs(experiment, planned, short=options.short)
        results = run_missing(wanted, results, path, functools.partial(train, experiment), _tell)
    except ExplorerError as error:
        print(f"{error.message} {error.hint}".strip(), file=sys.stderr)
        return 2
    for line in lines_of(experiment, results):
        print(line)
    return 0


def lines_of(experiment: Experiment, results: ExperimentResults) -> Iterator[str]:
    """What may be concluded, the whole of it last; before that, whether the control fails."""
    for one in findings(experiment, results):
        yield _line(one)
    control = of_control(experiment, results)
    if control is not None:
        for one in control:
            yield f"control: {_line(one)}"
        holds = verdict(control) is ClaimVerdict.BORNE_OUT
        yield "control: the claim holds even there" if holds else "control: fails, as it must"
    yield judged(experiment, results)


def _line(one: ClaimFinding) -> str:
    difference = one.difference
    told = f"{one.foretold.way} against {one.foretold.than}, {one.foretold.measure}"
    if difference is not None and difference.low is not None:
        told += f": {difference.mean:+.4f} [{difference.low:+.4f}, {difference.high:+.4f}]"
    return f"{told}: {one.verdict}"


def _tell(run: WantedRun, number: int, count: int) -> None:
    way = f"{run.way} in the control" if run.control else run.way
    print(f"run {number} of {count}: {way}, seed {run.seed}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
