"""How do models learn, step by step?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    Asks,
    Cell,
    Listing,
    ModelCard,
    ModelStamp,
    Question,
    Table,
    Topic,
    asked,
    column,
)
from explorer.api.question.roles import Options, RoleBinding
from explorer.learning.curves.names import MeasuredQuantity
from explorer.learning.curves.record import MeasuredColumn, TrainingRecord
from explorer.questions.learning.training_curves.options import (
    ALIKE,
    AXIS,
    MULTIPLY_ADDS,
    OPTIONS,
    POWERS,
    SHOW,
    SMOOTHING,
    SOURCES,
    TOKENS,
)
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class TrainingCurvesRequest(Asks):
    """Lay curves of training side by side.

    Attributes:
        sources: Names of models, folders and files; the model's own where none is named, or those
            of a few that come with the program.
    """

    sources: tuple[str, ...] = asked(SOURCES)


@dataclass(frozen=True)
class MissingCurve:
    """A curve that was asked for and can't be had.

    Attributes:
        source: As it was named.
        why: In a sentence.
    """

    source: str
    why: Phrase


@dataclass(frozen=True)
class OfferedCurve:
    """A model that comes with the program and has kept its curve.

    Attributes:
        id: Its name.
        title: What people read for it.
    """

    id: str
    title: str


@dataclass(frozen=True)
class TrainingCurvesResult:
    """Curves side by side.

    Attributes:
        model: The model that was active; the first curve's source where none was.
        records: A run each.
        missing: What could not be had.
        offered: Models that come with the program whose curves could be laid beside.
        is_usual: None was named and the model has no curve: these are of bundled models.
    """

    model: ModelStamp
    records: tuple[TrainingRecord, ...]
    missing: tuple[MissingCurve, ...] = ()
    offered: tuple[OfferedCurve, ...] = ()
    is_usual: bool = False


@dataclass(frozen=True)
class MeasuredStepRow:
    """A measurement at a step."""

    run: str = column(N_("run"), key=True)
    seed: int | None = column(N_("seed"), compared=False)
    quantity: str = column(N_("quantity"), compared=False)
    objective: str = column(N_("objective"), compared=False)
    held_out: bool = column(N_("on texts kept aside"), compared=False)
    measured: str = column(N_("column"), key=True)
    step: float = column(N_("training step"), key=True, digits=0)
    tokens: float | None = column(N_("tokens"), digits=0, compared=False)
    multiply_adds: float | None = column(N_("multiply-adds"), digits=0, compared=False)
    value: float = column(N_("value"))
    mean_of: int = column(N_("mean of"), compared=False)


def table(result: TrainingCurvesResult) -> Table:
    """One row a run, a column of its log and a step."""
    return Table.of(MeasuredStepRow, _rows(result))


def _rows(result: TrainingCurvesResult) -> Iterator[MeasuredStepRow]:
    for record in result.records:
        for one in record.columns:
            paces = [over(record, one, name) for name in (TOKENS, MULTIPLY_ADDS)]
            for place, (step, value) in enumerate(zip(one.steps, one.values, strict=True)):
                tokens, spent = (None if found is None else float(found[place]) for found in paces)
                yield MeasuredStepRow(
                    run=record.source,
                    seed=record.seed,
                    quantity=one.column.quantity.value,
                    objective=one.column.objective,
                    held_out=one.column.held_out,
                    measured=one.column.name,
                    step=float(step),
                    tokens=tokens,
                    multiply_adds=spent,
                    value=float(value),
                    mean_of=one.every,
                )


def over(record: TrainingRecord, one: MeasuredColumn, axis: str) -> NDArray[np.float64] | None:
    """Where a column's values stand on an axis; None where the record does not tell it."""
    if axis not in {TOKENS, MULTIPLY_ADDS}:
        return one.steps
    pace = record.paces.get(axis)
    if pace is None:
        return None
    # Nothing was read before the first step.
    steps = np.concatenate([[0.0], pace.steps]) if pace.steps[0] > 0 else pace.steps
    values = np.concatenate([[0.0], pace.values]) if pace.steps[0] > 0 else pace.values
    return np.asarray(np.interp(one.steps, steps, values), np.float64)


def summary(result: TrainingCurvesResult) -> Mapping[str, Cell]:
    """How many curves, and what the first one came to."""
    found: dict[str, Cell] = {"curves": len(result.records)}
    if result.records:
        first = result.records[0]
        found |= {"run": first.source, "steps": round(first.steps)}
        losses = (one for one in first.columns if one.column.quantity is MeasuredQuantity.LOSS)
        for one in losses:
            found |= {"loss": float(one.values[-1])}
            break
    return found


def casting(cards: Mapping[str, ModelCard], active: str, _document: Options) -> RoleBinding:
    """The active model where one is loaded; curves are shown without one, too."""
    return {MODEL: active} if active in cards else {}


QUESTION = Question(
    name="training_curves",
    title=N_("Learning curves"),
    asks=N_("How do models learn, step by step?"),
    listing=Listing(Topic.LEARNING, 4, "chart-line"),
    found_by=(
        *("loss curve", "training loss", "TensorBoard", "trainer_state.json", "convergence"),
        *("confidence interval", "compare runs", "overfitting", "wandb"),
        *("학습 곡선", "손실 곡선", "텐서보드", "신뢰 구간", "실행 비교", "과적합"),
    ),
    request=TrainingCurvesRequest,
    result=TrainingCurvesResult,
    table=table,
    summary=summary,
    column_titles={
        "curves": N_("curves"),
        "run": N_("run"),
        "steps": N_("steps"),
        "loss": N_("last loss"),
    },
    follows={
        "axis": AXIS,
        "show": SHOW,
        "smoothing": SMOOTHING,
        "powers": POWERS,
        "alike": ALIKE,
    },
    optional=frozenset({MODEL}),
    binding=casting,
    is_provisional=lambda result: bool(result.missing),
    options=OPTIONS,
)
