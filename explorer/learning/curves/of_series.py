"""The loss of a series of frames: what its run measured, or what transformers' Trainer logged."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.files.foreign import Unfit
from explorer.learning.curves.names import OBJECTIVES, MeasuredQuantity
from explorer.learning.curves.places import read_curves_of
from explorer.learning.curves.record import MeasuredColumn, TrainingRecord, thinned
from explorer.learning.runs.run_folder import RunFolder
from explorer.series.loss_curve import LossCurve
from explorer.text.phrase import NOTHING, Phrase

MOST_POINTS = 400
"""Of a curve above a slider."""


def loss_of_series(folder: Path) -> LossCurve | None:
    """The loss of the frames in a folder.

    A run that was measured at its frames beside the exact floor has that; of any other one it is
    the loss it was trained by, which no floor is known of.

    Args:
        folder: With folders `checkpoint-*`, or one frame that keeps the log of all before it.

    Returns:
        None where nothing was written down, or it can't be read.
    """
    run = RunFolder(folder)
    measured = _measured(run.measured()) if run.is_one else None
    if measured is not None:
        return measured
    try:
        records = read_curves_of(folder)
    except (Unfit, ValueError, OSError):
        return None
    return _logged(records[0]) if len(records) == 1 else None


def _measured(rows: Sequence[Mapping[str, Any]]) -> LossCurve | None:
    """What the frames of a run came to on texts that were not trained on."""
    found: dict[float, tuple[float, float]] = {}
    for row in rows:
        step, loss, floor = (_number(row.get(name)) for name in ("step", "loss", "floor"))
        if step is not None and loss is not None and floor is not None:
            found[step] = loss, floor
    if not found:
        return None
    steps = sorted(found)
    # The places are the same at every frame, and so is their floor.
    return LossCurve(
        tuple(steps), tuple(found[one][0] for one in steps), NOTHING, found[steps[-1]][1], True
    )


def _number(value: Any) -> float | None:
    is_one = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_one and math.isfinite(value) else None


def _logged(record: TrainingRecord) -> LossCurve | None:
    """The loss that was trained by: the sum where its parts are logged too."""
    losses = [one for one in record.columns if one.column.quantity is MeasuredQuantity.LOSS]
    trained = [one for one in losses if not one.column.held_out]
    best = max(trained or losses, key=_how_much_it_is_the_loss, default=None)
    if best is None:
        return None
    steps, values, _every = thinned(best.steps, best.values, MOST_POINTS)
    of = OBJECTIVES.get(best.column.objective, "")
    return LossCurve(
        tuple(steps.tolist()),
        tuple(values.tolist()),
        Phrase(of) if of else NOTHING,
        is_held_out=best.column.held_out,
    )


def _how_much_it_is_the_loss(one: MeasuredColumn) -> tuple[bool, int]:
    words = one.column.name.casefold().replace("eval_", "").replace("train_", "")
    return words.rpartition("/")[2] == "loss", len(one.steps)
