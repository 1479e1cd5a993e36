"""What each objective for pairs teaches, and each format of input: measured once.

The file is written by `explorer.pretraining.pair_objectives`, run by run.
"""

import json
import statistics
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from explorer.api.question import Table
from explorer.paths import own_resources

FILE: Final = "pair_objectives.json"
PRINTED: Final = "pair_objectives.toml"

NONE: Final = "none"
NEXT: Final = "next-sentence"
ORDER: Final = "sentence-order"
OBJECTIVES: Final = (NONE, NEXT, ORDER)
TASKS: Final = (NEXT, ORDER)

SEGMENTS: Final = "segment-pair"
SENTENCES: Final = "sentence-pair"
FULL: Final = "full-sentences"
DOCUMENT: Final = "doc-sentences"
FORMATS: Final = (SEGMENTS, SENTENCES, FULL, DOCUMENT)
"""In the order of Liu et al. 2019, table 2."""

OWN_TASK: Final = 0.85
"""What a model has to reach at its own task to have learned it."""
AT_CHANCE: Final = 0.60
"""Up to here a task of two classes is as good as guessed."""
LEARNED_BESIDE: Final = 0.65
"""From here on a task that was never trained is told apart."""


@dataclass(frozen=True)
class TrainedRun:
    """One run.

    Attributes:
        objective: For pairs.
        format: Of its input.
        seed: Of weights, order and masks.
        date: When it was measured.
        loss: At masked words of unseen documents, in nats.
        masked: How often its likeliest word is right there.
        head: By task: accuracy of its own head as it is; none where no head was trained.
        classifier: By task: accuracy of a linear classifier of its frozen encoder; none of formats
            without segments.
        what_follows: How often a linear classifier of its frozen states tells what happens next.
    """

    objective: str
    format: str
    seed: int
    date: str
    loss: float
    masked: float
    head: Mapping[str, float]
    classifier: Mapping[str, float]
    what_follows: float


@dataclass(frozen=True)
class SeedSpread:
    """A measurement over seeds."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Of all seeds."""
        return statistics.fmean(self.values)

    @property
    def deviation(self) -> float:
        """The standard deviation; 0 of one seed."""
        return statistics.stdev(self.values) if len(self.values) > 1 else 0.0


@dataclass(frozen=True)
class ComparedObjectives:
    """All runs.

    Attributes:
        command: What draws them up.
        layers: Of every model.
        width: Of its states.
        steps: Of every run.
        tokens: About as many stand in a batch.
        tested: Pairs of each task.
        floor: The least loss there can be, in nats: the entropy of the grammar's exact answers.
        knowing: By task: accuracy of who knows what the world is like.
        runs: Seed by seed.
    """

    command: str
    layers: int
    width: int
    steps: int
    tokens: int
    tested: int
    floor: float
    knowing: Mapping[str, float]
    runs: Sequence[TrainedRun]

    def of(self, objective: str, form: str = SEGMENTS) -> tuple[TrainedRun, ...]:
        """The runs of one objective and format."""
        return tuple(run for run in self.runs if (run.objective, run.format) == (objective, form))

    def in_format(self, form: str) -> tuple[TrainedRun, ...]:
        """The runs of a format, with next sentences where it has pairs, as RoBERTa's."""
        return self.of(NEXT if form in (SEGMENTS, SENTENCES) else NONE, form)

    def learned(self, objective: str) -> tuple[TrainedRun, ...]:
        """Those runs of an objective whose head learned its task; all where it has none."""
        runs = self.of(objective)
        if objective == NONE:
            return runs
        return tuple(run for run in runs if run.head[objective] > OWN_TASK)

    @property
    def next_teaches_no_order(self) -> bool:
        """Whether every head learned next sentences, and guesses at order."""
        runs = self.of(NEXT)
        guessed = at(runs, ORDER)
        return self.learned(NEXT) == runs and guessed.mean < AT_CHANCE

    @property
    def order_teaches_next(self) -> bool:
        """Whether heads that learned order tell next sentences, too."""
        learned = self.learned(ORDER)
        return bool(learned) and at(learned, NEXT).mean > LEARNED_BESIDE


@dataclass(frozen=True)
class PublishedShares:
    """A row of the published table, as shares."""

    masked: float
    tasks: Mapping[str, float]
    average: float


def spread(runs: Sequence[TrainedRun], of: Callable[[TrainedRun], float]) -> SeedSpread:
    """A measurement of several runs."""
    return SeedSpread(tuple(of(run) for run in runs))


def at(runs: Sequence[TrainedRun], task: str) -> SeedSpread:
    """Accuracy of the runs' own heads at a task, where each has one."""
    return spread(runs, lambda run: run.head[task])


def fitted(runs: Sequence[TrainedRun], task: str) -> SeedSpread:
    """Accuracy of linear classifiers of the runs' frozen encoders at a task."""
    return spread(runs, lambda run: run.classifier[task])


def runs_table(found: ComparedObjectives) -> Table:
    """One row a run; no accuracies where there is no trained head."""
    columns = ("objective", "format", "seed", "steps", "date", "masked_loss", "masked_accuracy")
    rows = tuple(
        (
            *(run.objective, run.format, run.seed, found.steps, run.date, run.loss, run.masked),
            *(told.get(task) for told in (run.head, run.classifier) for task in TASKS),
            run.what_follows,
        )
        for run in found.runs
    )
    tasks = ("head_nsp", "head_sop", "classifier_nsp", "classifier_sop", "what_follows")
    return Table((*columns, *tasks), rows)


def shipped_in() -> Path:
    """The file of all runs."""
    return own_resources() / "world" / FILE


def read_compared(path: Path) -> ComparedObjectives:
    """A file of runs."""
    page = json.loads(path.read_text("utf-8"))
    return ComparedObjectives(
        page["command"],
        page["architecture"]["layers"],
        page["architecture"]["width"],
        page["steps"],
        page["tokens"],
        page["tested"],
        page["bounds"]["floor"],
        page["bounds"]["knowing"],
        tuple(TrainedRun(**run) for run in page["runs"]),
    )


@cache
def compared() -> ComparedObjectives:
    """The one that comes with the program."""
    return read_compared(shipped_in())


@cache
def printed() -> tuple[str, Mapping[str, PublishedShares]]:
    """Where the published figures stand, and they by objective."""
    page = tomllib.loads((own_resources() / "figures" / PRINTED).read_text("utf-8"))
    rows = {
        row["objective"]: PublishedShares(
            row["masked"] / 100, {NEXT: row["next"] / 100, ORDER: row["order"] / 100},
            row["average"] / 100,
        )
        for row in page["rows"]
    }  # fmt: skip
    return page["source"], rows
