"""What a frame of fine-tuning is measured at: held-out texts with their labels."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from explorer.learning.tuning.judged import Judged

if TYPE_CHECKING:
    from explorer.learning.training import TrainingRun


class TextJudge:
    """Asks a run's model of all held-out texts.

    Args:
        run: Its recipe has `judged`.
    """

    def __init__(self, run: TrainingRun[Any]) -> None:
        self._run = run
        self._recipe = run.recipe
        self._least = math.inf

    def judged(self) -> Judged:
        """What the model says of them as it is now."""
        found: Judged = self._recipe.judged(self._run.model, self._run.tokenizer)
        return found

    def row(self, sentences: Iterable[str]) -> dict[str, Any]:
        """How well it does; of the best frame yet, and the last, what it says of each text.

        Args:
            sentences: None is asked besides.
        """
        del sentences
        run, found = self._run, self.judged()
        row: dict[str, Any] = {"step": run.step}
        row |= {name: _rounded(value) for name, value in found.measures().items()}
        least = self._recipe.texts.least_loss
        if least is not None:
            row |= {"floor": least, "excess": round(found.loss - least, 6)}
        is_best, self._least = found.loss < self._least, min(found.loss, self._least)
        if is_best or run.step == run.steps or run.totals.get("ended_early"):
            row["said"] = _rounded(found.said)
        return row


def _rounded(value: Any) -> Any:
    """To six digits, however deep."""
    if isinstance(value, float):
        return round(value, 6)
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value
