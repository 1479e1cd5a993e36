"""Asks two models for the same masks and compares them word by word."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Context, Predictor, Unavailable, UserMistake
from explorer.hf.predict.guessing import rows_at_masks
from explorer.hf.text.paired import TwoReadings, read_twice
from explorer.hf.text.vocabularies.overlap import same_vocabulary
from explorer.hf.text.vocabularies.word_lists import VocabularyWords, folds, word_list
from explorer.numerics.distributions.comparing import kl_of, total_variation
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.distillation.soft_targets.settings import EVERY_WORD
from explorer.questions.distillation.soft_targets.targets import SharedVocabulary, SoftTargetsResult
from explorer.questions.distillation.soft_targets.word_by_word.by_word import (
    AlignedWord,
    ComparedMask,
)
from explorer.text import N_, Phrase

Floats = NDArray[np.float64]
JOINED = Phrase(N_("A masked range of several pieces is one mask in either model."))


def compare_words(
    teacher: Any, student: Any, request: SoftTargetsRequest, context: Context
) -> SoftTargetsResult:
    """Both models' words at every mask; each masked range is one mask for both.

    Raises:
        Unavailable: One of the models has no head that predicts tokens.
        UserMistake: Nothing is masked.
    """
    for one in (teacher, student):
        if Predictor not in one.ports:
            raise Unavailable(N_("{model} has no head that predicts tokens."), model=one.title)
    readings = read_twice(teacher, student, request.text, request.pair, request.masks, whole=True)
    check_places(readings)
    folded = folds(teacher.tokenizer) or folds(student.tokenizer)
    aligned = _Aligned(
        word_list(teacher.tokenizer, folded=folded), word_list(student.tokenizer, folded=folded)
    )
    taught = _probabilities(teacher, readings.left, context)
    learnt = _probabilities(student, readings.right, context)
    masks = tuple(
        aligned.compared(place.position, taught[place.left], learnt[place.right], request.top_k)
        for place in readings.places
    )
    notes = [JOINED] if readings.joined else []
    if readings.left.left_out is not None or readings.right.left_out is not None:
        notes.append(Phrase(N_("The text does not fit into one of the models and was truncated.")))
    vocabulary = SharedVocabulary(
        same_vocabulary(teacher.tokenizer, student.tokenizer),
        len(aligned.teacher.words),
        len(aligned.student.words),
        len(aligned.shared),
        min(min(one.teacher_share, one.student_share) for one in masks),
        folded,
    )
    return SoftTargetsResult(
        teacher.stamp,
        student.stamp,
        readings.tokens,
        (),
        vocabulary,
        EVERY_WORD,
        request.temperatures,
        readings.left.left_out,
        tuple(notes),
        masks,
    )


def _probabilities(model: Any, encoded: Any, context: Context) -> Floats:
    """Of all pieces (masks x vocabulary)."""
    rows: Floats = (
        rows_at_masks(model.port(Predictor), encoded, context).cpu().double().exp().numpy()
    )
    return rows


class _Aligned:
    """Two vocabularies, laid on each other word by word.

    Attributes:
        teacher: The teacher's words.
        student: The student's.
        shared: The words of both.
    """

    def __init__(self, teacher: VocabularyWords, student: VocabularyWords) -> None:
        self.teacher, self.student = teacher, student
        self._places = [{word: i for i, word in enumerate(one.words)} for one in (teacher, student)]
        self.shared = [word for word in teacher.words if word in self._places[1]]
        self._shared = [
            np.array([places[word] for word in self.shared], dtype=np.int64)
            for places in self._places
        ]

    def compared(self, position: int, taught: Floats, learnt: Floats, top_k: int) -> ComparedMask:
        """One mask, from the probabilities of the pieces."""
        lists = (self.teacher, self.student)
        found = self.teacher.probabilities(taught), self.student.probabilities(learnt)
        best = [known.words[int(row.argmax())] for known, row in zip(lists, found, strict=True)]
        tops = [
            known.words[i]
            for known, row in zip(lists, found, strict=True)
            for i in np.argsort(-row, kind="stable")[:top_k]
        ]
        words = [self._word(word, found) for word in dict.fromkeys(tops)]
        words.sort(key=lambda one: -max(one.teacher or 0.0, one.student or 0.0))
        p, q = (row[places] for row, places in zip(found, self._shared, strict=True))
        shares = float(p.sum()), float(q.sum())
        # What is on other words, special tokens and unused rows is one class. It is summed up, and
        # not what is left of one: that is rounding, and may be nothing on one side alone.
        rests = [
            known.in_no_word(row) + float(np.delete(words, places).sum())
            for known, row, words, places in zip(
                lists, (taught, learnt), found, self._shared, strict=True
            )
        ]
        p, q = (np.append(r, rest) for r, rest in zip((p, q), rests, strict=True))
        return ComparedMask(
            position=position,
            words=tuple(words),
            teacher_share=min(shares[0], 1.0),
            student_share=min(shares[1], 1.0),
            kl=kl_of(p, q),
            kl_back=kl_of(q, p),
            total_variation=total_variation(p, q),
            agree=best[0] == best[1],
        )

    def _word(self, word: str, found: tuple[Floats, Floats]) -> AlignedWord:
        values: list[tuple[float | None, int | None]] = []
        for row, places in zip(found, self._places, strict=True):
            at = places.get(word)
            if at is None:
                values.append((None, None))
            else:
                values.append((float(row[at]), 1 + int((row > row[at]).sum())))
        return AlignedWord(word, *values[0], *values[1])


def check_places(readings: TwoReadings) -> None:
    """Refuse a text in which both models have no mask.

    Raises:
        UserMistake: Nothing is masked, or nothing in the part that fits into both.
    """
    if readings.places:
        return
    cut = readings.left.left_out or readings.right.left_out
    raise UserMistake(
        N_("Nothing is masked.")
        if cut is None or not cut.masks
        else N_("Every mask lies in the part of the text that does not fit into both models."),
        N_("Click a word, press M on it, or type [MASK]."),
    )
