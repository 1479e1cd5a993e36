"""Two models compared word by word over both whole vocabularies, each number as it is at T = 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.question import TOKENS, Cell, column
from explorer.text import N_
from explorer.text.formatting.probabilities import in_digits


@dataclass(frozen=True)
class AlignedWord:
    """A word at a mask.

    Attributes:
        word: As a person writes it; a part of a word with "…" where the rest would be.
        teacher: Its probability for the teacher; None where its vocabulary lacks it.
        teacher_rank: Its place among the teacher's words; None where it lacks it.
        student: Its probability for the student.
        student_rank: Its place among the student's words.
    """

    word: str
    teacher: float | None
    teacher_rank: int | None
    student: float | None
    student_rank: int | None


@dataclass(frozen=True)
class ComparedMask:
    """One mask.

    Attributes:
        position: Index of the masked token in the teacher's input.
        words: The most probable words of either, by the larger of both probabilities.
        teacher_share: Share of the teacher's probability that lies on words both have.
        student_share: The same of the student's.
        kl: KL(teacher || student) in nats over the words both have and one class for all others;
            None where the teacher gives others something and the student nothing.
        kl_back: KL(student || teacher), as `kl`.
        total_variation: Half the sum of the differences over the same words and class, 0 to 1.
        agree: Both have the same most probable word.
    """

    position: int
    words: tuple[AlignedWord, ...]
    teacher_share: float
    student_share: float
    kl: float | None
    kl_back: float | None
    total_variation: float
    agree: bool


@dataclass(frozen=True)
class ByWordRow:
    """A word of either vocabulary at a mask."""

    mask: int = column(N_("mask"), compared=False)
    position: int = column(N_("position"), key=True, place=TOKENS)
    word: str = column(N_("word"), key=True)
    teacher: float | None = column(N_("teacher"), written=in_digits)
    teacher_rank: int | None = column(N_("teacher's rank"))
    student: float | None = column(N_("student"), written=in_digits)
    student_rank: int | None = column(N_("student's rank"))
    difference: float | None = column(N_("difference"), digits=4)
    kl_teacher_student: float | None = column(
        N_("KL(teacher || student)"), unit=N_("nats"), digits=3
    )
    kl_student_teacher: float | None = column(
        N_("KL(student || teacher)"), unit=N_("nats"), digits=3
    )
    total_variation: float = column(N_("total variation"), digits=4)
    teacher_share: float = column(N_("teacher's share"), digits=4)
    student_share: float = column(N_("student's share"), digits=4)


def rows(masks: Sequence[ComparedMask]) -> Iterator[ByWordRow]:
    """One row a word of a mask."""
    for number, mask in enumerate(masks, start=1):
        for one in mask.words:
            both = one.teacher is not None and one.student is not None
            yield ByWordRow(
                number,
                mask.position,
                one.word,
                one.teacher,
                one.teacher_rank,
                one.student,
                one.student_rank,
                (one.student or 0.0) - (one.teacher or 0.0) if both else None,
                mask.kl,
                mask.kl_back,
                mask.total_variation,
                mask.teacher_share,
                mask.student_share,
            )


def summary(masks: Sequence[ComparedMask]) -> dict[str, Cell]:
    """The first mask in one row."""
    mask = masks[0]
    return {
        "teacher": min(mask.words, key=lambda one: one.teacher_rank or 10**9).word,
        "student": min(mask.words, key=lambda one: one.student_rank or 10**9).word,
        "kl": mask.kl,
        "total_variation": mask.total_variation,
        "agree": mask.agree,
    }


def become(asked: dict[str, Any], answered: dict[str, Any] | None) -> None:
    """A run of the question "Two models", which was a question of its own, as one of this."""
    asked["what"] = "words"
    if answered is None:
        return
    answered["by_word"] = [_mask(one) for one in answered["masks"]]
    answered["masks"] = []
    answered["what"] = "words"
    note = answered.pop("note", "")
    answered["notes"] = [note] if note else []
    shares = [min(one["teacher_share"], one["student_share"]) for one in answered["by_word"]]
    answered["vocabulary"] = {
        "same": answered.pop("same_vocabulary"),
        "teacher_size": answered.pop("first_words"),
        "student_size": answered.pop("second_words"),
        "shared": answered.pop("shared_words"),
        "shared_mass": min(shares, default=1.0),
        "folded": answered.pop("folded"),
    }


def _mask(one: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "position": one["position"],
        "words": [_renamed(word) for word in one["words"]],
        "teacher_share": one["first_covered"],
        "student_share": one["second_covered"],
        "kl": one.get("kl"),
        "kl_back": one.get("kl_back"),
        "total_variation": one["total_variation"],
        "agree": one["agree"],
    }


def _renamed(word: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "word": word["word"],
        "teacher": word.get("first"),
        "teacher_rank": word.get("first_rank"),
        "student": word.get("second"),
        "student_rank": word.get("second_rank"),
    }
