"""What a frame is measured at: held-out places beside the exact floor, and watched sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from explorer.learning.plan.choices import PairObjective

if TYPE_CHECKING:
    from explorer.learning.training import TrainingRun


class MeasuresFrames(Protocol):
    """What a frame is measured with."""

    def row(self, sentences: Iterable[str]) -> dict[str, Any]:
        """What the run's model comes to as it is now, as JSON has it; "step" is the frame's.

        Args:
            sentences: That are asked besides; what can't be asked is left out.
        """


class FrameMeasures:
    """The places of a run, drawn once.

    Args:
        run: Its recipe has the text of a plan.
    """

    def __init__(self, run: TrainingRun[Any]) -> None:
        from explorer.learning.measured.held_out import held_out
        from explorer.learning.measured.pairs import held_out_pairs
        from explorer.learning.measured.predictions import Reading, reading_of

        self._run = run
        reading = reading_of(self._model)
        end = run.tokenizer.eos_token if reading is Reading.LEFT else None
        self._held_out = held_out(run.recipe.text, run.tokenizer, reading, end=end)
        pairs = run.recipe.plan.pairs
        self._pairs = (
            held_out_pairs(run.recipe.text, run.tokenizer, ordered=pairs is PairObjective.ORDER)
            if pairs is not PairObjective.NONE
            else []
        )

    @property
    def _model(self) -> Any:
        """The model that names pieces: of a generator and a discriminator the former."""
        parts = self._run.recipe.parts(self._run.model)
        named = (model for name, model in parts.items() if "generator" in name)
        return next(named, next(iter(parts.values())))

    def row(self, sentences: Iterable[str]) -> dict[str, Any]:
        """What the run's model comes to as it is now.

        Args:
            sentences: With masks, that are asked besides; what can't be asked is left out.

        Returns:
            The step, the measures of `as_row` where the grammar of the text is known, under
            "pairs" those of a head that judges pairs, and under "watched" the likeliest pieces at
            each mask of each sentence.
        """
        from explorer.learning.measured.held_out import as_row, measure, numbers
        from explorer.learning.measured.pairs import pair_report

        model, tokenizer = self._model, self._run.tokenizer
        row: dict[str, Any] = {"step": self._run.step}
        if self._held_out.places:
            row |= as_row(measure(model, tokenizer, self._held_out))
        if self._pairs:
            row["pairs"] = numbers(pair_report(model, tokenizer, self._pairs))
        said = ((sentence, _said(model, tokenizer, sentence)) for sentence in sentences)
        watched = {sentence: answers for sentence, answers in said if answers is not None}
        return {**row, "watched": watched} if watched else row


def _said(model: Any, tokenizer: Any, sentence: str) -> list[list[tuple[str, float]]] | None:
    """The likeliest pieces at each mask; None of a sentence without one, or too long a one."""
    from explorer.learning.measured.watched import watched

    most = tokenizer.model_max_length
    # Cut just behind that, or the library warns of it.
    if len(tokenizer(sentence, truncation=True, max_length=most + 1)["input_ids"]) > most:
        return None
    trains = model.training
    model.eval()
    try:
        found = watched(model, tokenizer, sentence)
    except (IndexError, RuntimeError, ValueError):
        return None
    finally:
        model.train(trains)
    return [[(piece, round(share, 6)) for piece, share in blank] for blank in found]
