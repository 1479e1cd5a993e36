"""What the runs of an experiment came to, in a file: every run, and the command that made them.

``resources/experiments/NAME.json`` is one object::

    {"experiment": "static_masks", "command": "python -m explorer.learning.experiments ...",
     "short": true, "date": "2026-11-29", "versions": {"torch": "2.9.1", ...},
     "runs": [{"way": "static", "seed": 0, "plan": {...}, "steps": 300, "tokens": 220000,
               "multiply_adds": 1.2e12, "measured": {"excess": 0.81, "accuracy": 0.52}}, ...]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from explorer.api.errors import UserMistake
from explorer.files.foreign import Unfit, clause_of, json_of, read_bytes
from explorer.text import N_

MOST_BYTES: Final = 5_000_000


@dataclass(frozen=True, slots=True)
class ExperimentRun:
    """One model that was trained and measured.

    Attributes:
        way: The way's name.
        seed: Of weights, order and masks.
        plan: The training plan, whole.
        steps: It was trained for.
        tokens: It read, masked or not.
        multiply_adds: Of all steps, forward and backward; None where nobody counted.
        measured: Numbers by the measure's name.
        control: It is of the control, in which the claim must fail.
    """

    way: str
    seed: int
    plan: Mapping[str, Any]
    steps: int
    tokens: int
    multiply_adds: float | None
    measured: Mapping[str, float]
    control: bool = False


@dataclass(frozen=True, slots=True)
class ExperimentResults:
    """All runs of an experiment.

    Attributes:
        experiment: Its name.
        command: What makes the file.
        short: It is the short form.
        date: When the last run ended.
        versions: Of the program, Python and its packages.
        runs: In the order in which they were made.
    """

    experiment: str
    command: str
    short: bool
    date: str
    versions: Mapping[str, str]
    runs: tuple[ExperimentRun, ...] = ()

    def of(self, way: str) -> tuple[ExperimentRun, ...]:
        """The runs of a way, by seed; those of the control are others (`of_control`)."""
        own = (one for one in self.runs if one.way == way and not one.control)
        return tuple(sorted(own, key=lambda one: one.seed))

    @property
    def of_control(self) -> ExperimentResults:
        """The runs of the control, as those of an experiment of its own."""
        own = (replace(one, control=False) for one in self.runs if one.control)
        return replace(self, runs=tuple(own))

    def values(self, way: str, measure: str) -> Mapping[int, float]:
        """By seed, what was measured of a way."""
        return {one.seed: one.measured[measure] for one in self.of(way) if measure in one.measured}

    def with_run(self, run: ExperimentRun, date: str) -> ExperimentResults:
        """One run more."""
        return replace(self, runs=(*self.runs, run), date=date)


def read_results(path: Path) -> ExperimentResults:
    """A file of results.

    Raises:
        UserMistake: It is none.
    """
    try:
        page = json_of(read_bytes(path, MOST_BYTES))
        runs = tuple(ExperimentRun(**run) for run in page.pop("runs"))
        return ExperimentResults(**page, runs=runs)
    except OSError as error:
        why: object = error.strerror
    except ValueError as error:
        why = clause_of(error) if isinstance(error, Unfit) else str(error)
    except (TypeError, KeyError, AttributeError):
        raise UserMistake(N_("{file} is no file of results."), file=path.name) from None
    raise UserMistake(N_("{file} can't be read: {reason}."), file=path.name, reason=why)


def write_results(results: ExperimentResults, path: Path) -> None:
    """A run a line, so that what changed is seen; whole or not at all.

    Raises:
        OSError: It can't be written.
    """
    head = {name: value for name, value in asdict(results).items() if name != "runs"}
    lines = [f" {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    runs = ",\n".join(f"  {json.dumps(_written(run))}" for run in results.runs)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text("\n".join(["{", *lines, f' "runs": [\n{runs}\n ]', "}"]) + "\n", "utf-8")
    partial.replace(path)


def _written(run: ExperimentRun) -> dict[str, Any]:
    told = asdict(run)
    if not run.control:
        del told["control"]
    return told
