"""What a student's frame is measured at: the exact floor, and its teacher at the same places."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.learning.measured.floors import Floats, measured
from explorer.learning.measured.held_out import PREDICT, HeldOut, numbers
from explorer.learning.measured.places import EvaluatedPiece
from explorer.learning.runs.measuring import FrameMeasures, said

if TYPE_CHECKING:
    from explorer.learning.distilling.teachers.teacher import Teacher
    from explorer.learning.training import TrainingRun


class StudentMeasures(FrameMeasures):
    """The places of a run, and what its teacher says of them, asked once.

    Args:
        run: A student's.
        teacher: None for the exact answers, or where words alone are learnt.
    """

    def __init__(self, run: TrainingRun[Any], teacher: Teacher | None) -> None:
        super().__init__(run)
        self._teacher = teacher
        self._asked_before: dict[str, tuple[Any, list[dict[str, Any]]]] = {}

    @property
    def models(self) -> tuple[Any, ...]:
        """The teacher too."""
        own = super().models
        return own if self._teacher is None else (*own, self._teacher.model)

    def measured(self, sentences: Iterable[str]) -> dict[str, Any]:
        """With what its teacher says.

        Under "teacher" are the teacher's own measures, under "to_teacher" the student's divergence
        from it in nats a place, under "watched_teacher" its words at the masks, and under
        "exact_teacher" those next to the exact answers, as "exact" has the student's.
        """
        row = super().measured(sentences)
        teacher = self._teacher
        if teacher is None:
            return row
        if self.held_out.places:
            told = self._told_by_teacher
            row["teacher"] = numbers(measured(teacher.tokenizer, self.held_out.places, told).whole)
            own = _asked(self.model, teacher.tokenizer, self.held_out)
            row["to_teacher"] = round(divergence(self.held_out.places, told, own), 6)
        asked = {
            sentence: self._of_teacher(teacher, sentence) for sentence in row.get("watched", ())
        }
        if asked:
            row["watched_teacher"] = {sentence: told for sentence, (told, _) in asked.items()}
            exact = {sentence: blanks for sentence, (_, blanks) in asked.items() if blanks}
            row |= {"exact_teacher": exact} if exact else {}
        return row

    def _of_teacher(self, teacher: Teacher, sentence: str) -> tuple[Any, list[dict[str, Any]]]:
        """Its words at the masks, and those next to the exact answers; asked once."""
        if sentence not in self._asked_before:
            told = said(teacher.model, teacher.tokenizer, sentence)
            self._asked_before[sentence] = told, self.beside_exact_of(teacher.model, sentence)
        return self._asked_before[sentence]

    @functools.cached_property
    def _told_by_teacher(self) -> Floats:
        assert self._teacher is not None
        return _asked(self._teacher.model, self._teacher.tokenizer, self.held_out)


def _asked(model: Any, tokenizer: Any, held_out: HeldOut) -> Floats:
    """Log-probabilities at the places, shape [places, vocabulary]."""
    trains = model.training
    model.eval()
    try:
        return PREDICT[held_out.reading](model, tokenizer, held_out.places)
    finally:
        model.train(trains)


def divergence(places: Iterable[EvaluatedPiece], taught: Floats, learnt: Floats) -> float:
    """Mean KL(teacher || student), each place weighted as its rule writes.

    Args:
        places: What was asked.
        taught: The teacher's log-probabilities, shape [places, vocabulary].
        learnt: The student's, over the same pieces.
    """
    weights = np.array([place.weight for place in places])
    pieces = min(taught.shape[-1], learnt.shape[-1])
    taught, learnt = taught[:, :pieces], learnt[:, :pieces]
    each = (np.exp(taught) * (taught - learnt)).sum(axis=-1)
    return float((weights * each).sum() / weights.sum())
