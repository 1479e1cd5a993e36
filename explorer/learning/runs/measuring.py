"""What a frame is measured at: held-out places beside the exact floor, and watched sentences."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from explorer.learning.devices import on_cpu
from explorer.learning.plan.choices import PairObjective

if TYPE_CHECKING:
    from explorer.learning.measured.pairs import EvaluatedPair
    from explorer.learning.measured.watched import ExactBlank
    from explorer.learning.training import TrainingRun

SPECIAL, AROUND_PAIR = 2, 3
"""Tokens around a text, and around and between two."""


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

    Attributes:
        held_out: Places of the text; none where nobody knows its grammar.
    """

    def __init__(self, run: TrainingRun[Any]) -> None:
        from explorer.learning.measured.held_out import held_out
        from explorer.learning.measured.pairs import held_out_pairs
        from explorer.learning.measured.predictions import Reading, reading_of

        self._run = run
        self._reading = reading = reading_of(self.model)
        self._truth = run.recipe.text.truth(run.tokenizer.tokenize)
        self._exact: dict[str, list[ExactBlank]] = {}
        end = run.tokenizer.eos_token if reading is Reading.LEFT else None
        asked = held_out(run.recipe.text, run.tokenizer, reading, end=end)
        # A text that the model can't read whole is asked about by nobody.
        most = run.recipe.plan.length - SPECIAL
        fitting = tuple(one for one in asked.places if len(one.pieces) <= most)
        self.held_out = replace(asked, places=fitting)
        pairs = run.recipe.plan.pairs
        self._pairs: list[EvaluatedPair] = []
        if pairs is not PairObjective.NONE:
            ordered = pairs is PairObjective.ORDER
            drawn = held_out_pairs(run.recipe.text, run.tokenizer, ordered=ordered)
            most = run.recipe.plan.length - AROUND_PAIR
            self._pairs = [one for one in drawn if one.pieces <= most]

    @property
    def models(self) -> tuple[Any, ...]:
        """All that are asked."""
        return (self._run.model,)

    @property
    def model(self) -> Any:
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
            "pairs" those of a head that judges pairs, under "watched" the likeliest pieces at
            each mask of each sentence, and under "exact" those of who knows the grammar with their
            probability, the model's, and the excess loss there.
        """
        with on_cpu(*self.models):
            return self.measured(sentences)

    def measured(self, sentences: Iterable[str]) -> dict[str, Any]:
        """The row, of models that lie on the CPU."""
        from explorer.learning.measured.held_out import as_row, measure, numbers
        from explorer.learning.measured.pairs import pair_report

        model, tokenizer = self.model, self._run.tokenizer
        row: dict[str, Any] = {"step": self._run.step}
        if self.held_out.places:
            row |= as_row(measure(model, tokenizer, self.held_out))
        if self._pairs:
            row["pairs"] = numbers(pair_report(model, tokenizer, self._pairs))
        told = ((sentence, said(model, tokenizer, sentence)) for sentence in sentences)
        watched = {sentence: answers for sentence, answers in told if answers is not None}
        if not watched:
            return row
        row["watched"] = watched
        exact = {sentence: self.beside_exact_of(model, sentence) for sentence in watched}
        known = {sentence: blanks for sentence, blanks in exact.items() if blanks}
        return {**row, "exact": known} if known else row

    def beside_exact_of(self, model: Any, sentence: str) -> list[dict[str, Any]]:
        """Both answers at each mask; none where nobody knows the grammar of the text."""
        from explorer.learning.measured.watched import beside_exact, exact_blanks

        if self._truth is None:
            return []
        tokenizer = self._run.tokenizer
        if sentence not in self._exact:
            self._exact[sentence] = exact_blanks(self._truth, tokenizer, sentence, self._reading)
        with at_rest(model):
            found = beside_exact(model, tokenizer, self._exact[sentence])
        return [
            {
                "words": [
                    [word, round(exact, 6), round(own, 6), rank]
                    for word, exact, own, rank in one.words
                ],
                "excess": None if one.excess is None else round(one.excess, 6),
                "is_beginning": one.is_beginning,
            }
            for one in found
        ]


@contextlib.contextmanager
def at_rest(model: Any) -> Iterator[None]:
    """While a model is asked; then it trains as before."""
    trains = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(trains)


def said(model: Any, tokenizer: Any, sentence: str) -> list[list[tuple[str, float]]] | None:
    """The likeliest pieces at each mask; None of a sentence without one, or too long a one."""
    from explorer.learning.measured.watched import watched

    most = tokenizer.model_max_length
    # Cut just behind that, or the library warns of it.
    if len(tokenizer(sentence, truncation=True, max_length=most + 1)["input_ids"]) > most:
        return None
    try:
        with at_rest(model):
            found = watched(model, tokenizer, sentence)
    except (IndexError, RuntimeError, ValueError):
        return None
    return [[(piece, round(share, 6)) for piece, share in blank] for blank in found]
