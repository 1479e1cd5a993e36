"""Answers to many questions: how well those without an answer are told from the others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Amount, Amounts, Cards, Cell, Manner, OneCard, Roc, Said
from explorer.numerics.evaluation.roc import RocPoint, pooled_curve
from explorer.text import N_
from explorer.text.formatting.numbers import percent

COLUMNS = ("no_answer_score", "has_no_answer", "exact_match", "f1_score")


@dataclass(frozen=True)
class Answerable:
    """Questions of which it is known what is right.

    Attributes:
        exact: The share whose answer is a right one.
        f1: The mean agreement of the answer with a right one.
        questions: How many.
        without: How many of them have no answer.
        scores: No answer's raw score minus the best span's, where the model has one.
        truth: Whether there is no answer to these.
        curve: The ROC; empty where all have an answer, or none has.
        area: Under it, or None.
    """

    exact: float
    f1: float
    questions: int
    without: int
    scores: NDArray[np.float32]
    truth: NDArray[np.bool_]
    curve: tuple[RocPoint, ...]
    area: float | None

    def right_at(self, threshold: float) -> float | None:
        """The share that is told rightly where no answer is said above a threshold."""
        if not len(self.truth):
            return None
        return float(((self.scores > threshold) == self.truth).mean())


def gather(rows: Iterable[Sequence[Cell]]) -> Answerable | None:
    """All rows of which it is known; None where there is none."""
    known = [row for row in rows if row[1] is not None]
    if not known:
        return None
    scored = [row for row in known if row[0] is not None]
    scores = np.array([row[0] for row in scored], dtype=np.float32)
    truth = np.array([bool(row[1]) for row in scored], dtype=bool)
    curve, area = pooled_curve(scores, truth)
    exact, f1 = np.array([row[2:] for row in known], dtype=np.float64).mean(axis=0).tolist()
    without = sum(bool(row[1]) for row in known)
    return Answerable(exact, f1, len(known), without, scores, truth, curve, area)


def told(pooled: Answerable, threshold: float = 0.0) -> Mapping[str, Cell]:
    """The numbers, where no answer is said above a threshold."""
    return {
        "questions": pooled.questions,
        "without_answer": pooled.without,
        "exact_match": pooled.exact,
        "f1": pooled.f1,
        "roc_area": pooled.area,
        "threshold": threshold,
        "told_rightly": pooled.right_at(threshold),
    }


def pooled(found: Answerable, threshold: float = 0.0) -> Sequence[Amounts | Cards | Roc | Said]:
    """How many answers are right, and whether questions without one are told from the others."""
    share = partial(percent, places=1)
    amounts = [
        Amount(
            "exact_match",
            N_("exact match"),
            found.exact,
            words=N_(
                "Without capitals, punctuation and articles (Rajpurkar et al. 2016, section 6.1)."
            ),
            written=share,
        ),
        Amount(
            "f1",
            N_("F1"),
            found.f1,
            words=N_("Over words; over characters where the right answers are Korean."),
            written=share,
        ),
        Amount("with_answer", N_("questions with an answer"), found.questions - found.without),
        Amount("without_answer", N_("without"), found.without),
    ]
    if found.area is None:
        return (Amounts(tuple(amounts)),)
    amounts += [
        Amount(
            "roc_area",
            N_("area under the ROC"),
            found.area,
            digits=3,
            words=N_("Chance has 0.5."),
        ),
        Amount(
            "told_rightly",
            N_("classified correctly as answerable or not"),
            found.right_at(threshold),
            written=share,
        ),
    ]
    about = N_("Unanswerable questions found, against answerable ones refused, at any threshold.")
    roc = Roc(
        found.curve,
        found.area,
        N_("answerable ones refused"),
        N_("unanswerable ones found"),
        about,
        title=N_("ROC"),
    )
    right = OneCard(N_("Right answers"), (Amounts(tuple(amounts)),))
    how = Said(about, Manner.EXPLANATION, near=True)
    return (Cards((right, OneCard(N_("ROC"), (roc, how))), framed=False),)
