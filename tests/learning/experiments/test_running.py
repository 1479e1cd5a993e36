"""Running what is missing of an experiment."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from explorer.api.errors import UserMistake
from explorer.learning.experiments.definition import (
    Experiment,
    ExperimentControl,
    ExperimentWay,
)
from explorer.learning.experiments.results import ExperimentRun, read_results
from explorer.learning.experiments.running import WantedRun, begun, run_missing, wanted_runs
from tests.made_experiments import experiment


def planned(
    experiment: Experiment, way: ExperimentWay, seed: int, *, short: bool, control: bool
) -> Mapping[str, Any]:
    otherwise = experiment.control.of(way.name) if control and experiment.control else {}
    return {**experiment.form(short=short).plan, **way.plan, **otherwise, "seed": seed}


def trained(wanted: WantedRun) -> ExperimentRun:
    excess = {"excess": 1.0 / wanted.plan["layers"] + wanted.seed}
    return ExperimentRun(wanted.way, wanted.seed, wanted.plan, 300, 9600, 1e9, excess)


def test_a_part_of_all_runs_is_a_whole_comparison() -> None:
    wanted = wanted_runs(experiment(), planned, short=True)
    ways = [(one.seed, one.way) for one in wanted]
    assert ways == [(seed, way) for seed in range(3) for way in ("old", "new")]
    assert wanted[3].plan == {"steps": 300, "layers": 2, "seed": 1}
    assert len(wanted_runs(experiment(), planned, short=False)) == 10


def test_the_control_is_run_last_from_three_seeds() -> None:
    own = ExperimentControl("t", "w", {"steps": 1}, {"new": {"layers": 1}})
    wanted = wanted_runs(replace(experiment(), control=own), planned, short=False)
    assert [one.control for one in wanted] == [False] * 10 + [True] * 6
    assert [one.plan for one in wanted[10:12]] == [{"steps": 1, "layers": 1, "seed": 0}] * 2


def test_each_run_is_kept_and_none_is_trained_twice(tmp_path: Path) -> None:
    """A command that was stopped is simply given again."""
    path = tmp_path / "made.json"
    wanted = wanted_runs(experiment(), planned, short=True)
    done: list[WantedRun] = []

    def stops(one: WantedRun) -> ExperimentRun:
        if len(done) == 4:
            raise KeyboardInterrupt
        done.append(one)
        return trained(one)

    with pytest.raises(KeyboardInterrupt):
        run_missing(wanted, begun(experiment(), path, short=True), path, stops)
    kept = read_results(path)
    assert [(one.seed, one.way) for one in kept.runs] == [(one.seed, one.way) for one in wanted[:4]]
    assert kept.command == "python -m explorer.learning.experiments made --short"
    assert {"plm-explorer", "python", "torch"} <= {*kept.versions}

    again: list[tuple[WantedRun, int, int]] = []
    found = run_missing(
        wanted,
        begun(experiment(), path, short=True),
        path,
        trained,
        lambda *told: again.append(told),
    )
    assert [told[1:] for told in again] == [(5, 6), (6, 6)]
    assert len(found.runs) == 6
    assert read_results(path) == found


def test_runs_of_another_plan_are_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "made.json"
    wanted = wanted_runs(experiment(), planned, short=True)
    run_missing(wanted, begun(experiment(), path, short=True), path, trained)
    others = [WantedRun(one.way, one.seed, {**one.plan, "steps": 400}) for one in wanted]
    with pytest.raises(UserMistake, match="holds a run of another plan: “old”, seed 0"):
        run_missing(others, begun(experiment(), path, short=True), path, trained)
    with pytest.raises(UserMistake, match="another form"):
        begun(experiment(), path, short=False)
