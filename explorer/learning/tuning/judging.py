"""What a frame of fine-tuning is measured at: held-out texts with their labels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from explorer.learning.tuning.judged import Judged, judge

if TYPE_CHECKING:
    from explorer.learning.training import TrainingRun


class TextJudge:
    """Asks a run's model of all held-out texts.

    Args:
        run: Its recipe has them as `texts`, and `length_of` a tokenizer.
    """

    def __init__(self, run: TrainingRun[Any]) -> None:
        self._run = run
        self._recipe = run.recipe
        self._least = math.inf

    def judged(self) -> Judged:
        """What the model says of them as it is now."""
        run = self._run
        held_out = self._recipe.texts.held_out
        length = self._recipe.length_of(run.tokenizer)
        return judge(run.model, run.tokenizer, held_out, length)

    def row(self, sentences: Iterable[str]) -> dict[str, Any]:
        """How well it does; of the best frame yet, and the last, what it says of each text.

        Args:
            sentences: None is asked besides.
        """
        del sentences
        run, found = self._run, self.judged()
        low, high = found.interval
        row: dict[str, Any] = {
            "step": run.step,
            "loss": round(found.loss, 6),
            "accuracy": round(found.accuracy, 6),
            "accuracy_low": round(low, 6),
            "accuracy_high": round(high, 6),
            "macro_f1": round(found.macro_f1, 6),
            "texts": len(found.right),
        }
        if found.calibration_error is not None:
            row["calibration_error"] = round(found.calibration_error, 6)
        least = self._recipe.texts.least_loss
        if least is not None:
            row |= {"floor": least, "excess": round(found.loss - least, 6)}
        is_best, self._least = found.loss < self._least, min(found.loss, self._least)
        if is_best or run.step == run.steps or run.totals.get("ended_early"):
            row["said"] = [
                [round(float(share), 6) for share in shares] for shares in found.probabilities
            ]
        return row
