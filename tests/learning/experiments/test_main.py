"""The command that tries a claim."""

import json
from pathlib import Path

import pytest

from explorer.learning.experiments import __main__ as command
from explorer.learning.experiments.definition import bundled_experiments
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.kept_results import results_of
from explorer.learning.experiments.one_training import planned
from explorer.learning.experiments.results import ExperimentRun, read_results
from explorer.learning.experiments.running import WantedRun, wanted_runs
from explorer.published.pair_objectives import compared


def test_it_trains_what_is_missing_and_says_what_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def train(_experiment: object, wanted: WantedRun) -> ExperimentRun:
        better = wanted.way == "dynamic" and not wanted.control
        measured = {"excess": 0.5 + 0.1 * wanted.seed - 0.2 * better, "accuracy": 0.5}
        told = (wanted.way, wanted.seed, wanted.plan, 250, 1, 1.0, measured, wanted.control)
        return ExperimentRun(*told)

    monkeypatch.setattr(command, "train", train)
    out = tmp_path / "out.json"
    assert command.main(["static_masks", "--short", "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[-1] == "borne out"
    assert "dynamic against static, excess: -0.2000" in told.out
    assert "control: dynamic against static, excess: +0.0000" in told.out
    assert "control: fails, as it must" in told.out
    assert "run 6 of 12: static, seed 2" in told.err
    assert "run 12 of 12: static in the control, seed 2" in told.err
    found = read_results(out)
    assert found.command == "python -m explorer.learning.experiments static_masks --short"
    # The whole plan is kept, its defaults too.
    assert {"rate", "batch", "width", "dynamic"} <= {*found.runs[0].plan}
    assert command.main(["static_masks", "--short", "--out", str(out)]) == 0
    assert "run " not in capsys.readouterr().err
    assert command.main(["static_masks", "--out", str(out)]) == 2
    assert "another form" in capsys.readouterr().err


def test_runs_of_another_command_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["next_sentence"]) == 2
    assert "python -m explorer.pretraining.pair_objectives." in capsys.readouterr().err


def test_an_earlier_comparison_is_read_as_results() -> None:
    path = bundled_experiments() / "next_sentence.toml"
    found = results_of(read_experiment(path), path)
    assert found is not None
    assert found.command == compared().command
    expected = {
        run.seed: run.loss - compared().floor
        for run in compared().runs
        if (run.objective, run.format) == ("none", "segment-pair")
    }
    assert found.values("none", "excess") == expected
    assert len(expected) == 5


def test_bundled_results_are_of_their_definitions() -> None:
    """Each was made by the command that it names, of the plans that its definition asks for."""
    for path in bundled_experiments().glob("*.json"):
        found = read_results(path)
        experiment = read_experiment(path.with_suffix(".toml"))
        assert found.experiment == experiment.name
        end = " --short" if found.short else ""
        assert found.command == f"python -m explorer.learning.experiments {experiment.name}{end}"
        wanted = wanted_runs(experiment, planned, short=found.short)
        plans = {one.key: json.dumps(one.plan) for one in wanted}
        for run in found.runs:
            assert plans[run.way, run.seed, run.control] == json.dumps(run.plan)
