"""What was measured while something was trained, whoever trained it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.learning.curves.names import LogColumn, MeasuredQuantity, column_named
from explorer.text import N_, Phrase

MOST_POINTS = 2000
"""Of one column that are kept: more than a picture has pixels."""


@dataclass(frozen=True)
class MeasuredColumn:
    """One measurement at the steps at which it was made.

    Attributes:
        column: What it is of.
        steps: In rising order.
        values: As many, all of them finite.
        every: How many of the file's values each is the mean of; 1 for the values themselves.
    """

    column: LogColumn
    steps: NDArray[np.float64]
    values: NDArray[np.float64]
    every: int = 1


@dataclass(frozen=True)
class Pace:
    """How something grew with the steps.

    Attributes:
        steps: In rising order.
        values: As many: what there had been of it by then.
    """

    steps: NDArray[np.float64]
    values: NDArray[np.float64]


@dataclass(frozen=True)
class TrainingRecord:
    """A curve of one training run.

    Attributes:
        source: Where it is from, as it was named: a checkpoint or a path.
        title: What people read for it.
        columns: What was measured, in the file's order.
        seed: That was drawn with; None where nobody says.
        plan: What runs have in common that differ in their seeds alone; "" where nobody says.
        paces: Of tokens and multiply-adds, as far as they are known, by their names.
        notes: What must be known of the file, in sentences.
        within: What was named, where that is a folder of several runs; "" for the run itself.
    """

    source: str
    title: str
    columns: tuple[MeasuredColumn, ...]
    seed: int | None = None
    plan: str = ""
    paces: Mapping[str, Pace] = field(default_factory=dict)
    notes: tuple[Phrase, ...] = ()
    within: str = ""

    @property
    def steps(self) -> float:
        """The last step at which anything was measured."""
        return max((float(one.steps[-1]) for one in self.columns), default=0.0)


NO_NUMBERS = N_(
    "{title}: {count} of the values of “{column}” are no finite numbers, the first at step {step}: "
    "they are left out."
)
THINNED = N_(
    "{title}: of “{column}” there are {count} values; each point is the mean of {every} of them."
)


def record_of(
    source: str,
    title: str,
    measured: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    objective: str = "",
    seed: int | None = None,
    plan: str = "",
    paces: Mapping[str, Pace] | None = None,
    notes: Sequence[Phrase] = (),
) -> TrainingRecord:
    """A record of columns as a file has them.

    Args:
        source: Where it is from.
        title: What people read for it.
        measured: By the file's name of a column: its steps, and as many values.
        objective: Of a loss that names none; "" where that is not known.
        seed: That was drawn with.
        plan: What runs that differ in their seeds alone have in common.
        paces: Of tokens and multiply-adds.
        notes: What is known of the file already.
    """
    found, told = [], [*notes]
    named = [column_named(name) for name in measured]
    # Beside losses of its parts, "loss" is their sum, of no objective alone.
    alone = sum(one.quantity is MeasuredQuantity.LOSS and not one.held_out for one in named) < 2
    for name, (steps, values) in measured.items():
        column = column_named(name, objective if alone else "")
        at, numbers = np.asarray(steps, np.float64), np.asarray(values, np.float64)
        order = np.argsort(at, kind="stable")
        at, numbers = at[order], numbers[order]
        whole = np.isfinite(numbers) & np.isfinite(at)
        lost = int((~whole).sum())
        if lost:
            first = at[~whole][0]
            told.append(
                Phrase(
                    NO_NUMBERS,
                    title=title,
                    count=lost,
                    column=name,
                    step=int(first) if np.isfinite(first) else 0,
                )
            )
        at, numbers = at[whole], numbers[whole]
        if not len(at):
            continue
        at, numbers, every = thinned(at, numbers)
        if every > 1:
            said = Phrase(
                THINNED, title=title, column=name, count=f"{int(whole.sum()):,}", every=every
            )
            told.append(said)
        found.append(MeasuredColumn(column, at, numbers, every))
    return TrainingRecord(source, title, tuple(found), seed, plan, dict(paces or {}), tuple(told))


def thinned(
    steps: NDArray[np.float64], values: NDArray[np.float64], most: int = MOST_POINTS
) -> tuple[NDArray[np.float64], NDArray[np.float64], int]:
    """Means of so many values in a row that no more than so many points are left.

    Returns:
        The last step of each row, its mean, and how many values a row has.
    """
    every = -(-len(values) // most)
    if every <= 1:
        return steps, values, 1
    begins = np.arange(0, len(values), every)
    sizes = np.diff(np.append(begins, len(values)))
    means = np.add.reduceat(values, begins) / sizes
    return steps[begins + sizes - 1], means, every
