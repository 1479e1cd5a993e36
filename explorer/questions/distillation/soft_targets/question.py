"""How do two models' whole distributions compare, at any temperature, or word by word?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from explorer.api.question import (
    BESIDE,
    FIRST,
    NOTHING_LOADED,
    SECOND,
    STUDENT,
    TEACHER,
    TOKENS,
    Absorbed,
    Asking,
    Detail,
    Items,
    Listing,
    Loaded,
    ModelCard,
    PairClassifier,
    Predictor,
    Question,
    ReadsEntities,
    Share,
    Switch,
    Topic,
    a_mask,
    a_text,
    any_of,
    asked,
    column,
    spaces_stay_visible,
)
from explorer.api.question.roles import BySlot
from explorer.document import Document, Mask
from explorer.exact_answers.asking import exactly
from explorer.questions.distillation.notes import noted
from explorer.questions.distillation.roles import SECOND_MODEL
from explorer.questions.distillation.soft_targets.settings import (
    AT_TEMPERATURES,
    EVERY_WORD,
    MASK,
    ORDER,
    SWAP,
    SWAPPED,
    TEMPERATURE,
    WHAT,
    WORDS,
)
from explorer.questions.distillation.soft_targets.summary import COLUMN_TITLES, summary
from explorer.questions.distillation.soft_targets.targets import TEMPERATURES, SoftTargetsResult
from explorer.questions.distillation.soft_targets.word_by_word import by_word
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

LEAST_SHARE = 0.5
"""Probability mass that the words of both vocabularies must hold for either model."""

KEPT_LOGITS = 400_000
"""Raw scores kept of both models together (1.6 MB): a BERT base has room for six masks. What is
kept is written to the session log too."""


class Temperatures(Items):
    """Those of the table, each above 0."""

    def accepts(self, value: Any) -> bool:
        """Whether there is one, and each is a number above 0."""
        return super().accepts(value) and len(value) > 0 and all(map(_is_temperature, value))

    def values(self) -> str:
        """What is typed."""
        return Phrase(N_("a list of numbers above 0, as [1, 2, 4]"))


def _is_temperature(one: Any) -> bool:
    return isinstance(one, int | float) and 0 < one < float("inf")


@dataclass(frozen=True)
class SoftTargetsRequest(ReadsEntities):
    """Ask two models for their distributions.

    Attributes:
        text: A literal [MASK] in it counts as a mask.
        top_k: Rows: the most probable of either model, united.
        least_share: Below it two vocabularies are refused.
        what: "masks", "classes", or "words" for every word of either vocabulary as it is; ""
            compares masks where there are any, else classes.
        each: Each token alone.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    top_k: int = 10
    words: tuple[str, ...] = asked(WORDS)
    temperatures: tuple[float, ...] = asked(
        Temperatures(N_("Temperatures"), TEMPERATURES, N_("Temperatures of the curve.")),
        is_held=False,
    )
    least_share: float = asked(
        Share(
            N_("Least share"),
            LEAST_SHARE,
            N_("The least share of a distribution that the words of both vocabularies must hold."),
        ),
        is_held=False,
    )
    what: str = asked(WHAT)
    keep_all: bool = asked(
        Switch(N_("Keep all"), False, N_("Keep the whole distributions in the answer.")),
        is_held=False,
    )
    each: bool = asked(
        Switch(N_("Every token"), False, N_("Mask every token in turn.")), is_held=False
    )

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """Word by word all words count."""
        found = super().fields_of(document, loaded)
        return found | {"words": ()} if found["what"] == EVERY_WORD else found

    def for_rows(self) -> Self:
        """The whole vocabulary, at every token: sentences of a file may have no masks."""
        return replace(self, words=(), what="", each=True)


@dataclass(frozen=True)
class TargetRow:
    """A class that both models know, at a temperature."""

    mask: int = column(N_("mask"), compared=False)
    position: int = column(N_("position"), key=True, place=TOKENS)
    temperature: float = column(N_("temperature"), key=True)
    word: str = column(N_("word"), key=True)
    token: str = column(N_("token"), written=visible, compared=False)
    teacher_rank: int = column(N_("teacher's rank"))
    student_rank: int = column(N_("student's rank"))
    teacher: float = column(N_("teacher"), written=in_digits)
    student: float = column(N_("student"), written=in_digits)
    difference: float = column(N_("difference"), digits=4)
    is_original: bool = column(N_("original"), compared=False)
    teacher_entropy: float = column(N_("teacher's entropy"), unit=N_("nats"), digits=3)
    student_entropy: float = column(N_("student's entropy"), unit=N_("nats"), digits=3)
    kl_teacher_student: float = column(N_("KL(teacher || student)"), unit=N_("nats"), digits=3)
    kl_student_teacher: float = column(N_("KL(student || teacher)"), unit=N_("nats"), digits=3)
    cross_entropy: float = column(N_("cross-entropy"), unit=N_("nats"), digits=3)


def rows_at(result: SoftTargetsResult, temperatures: Sequence[float]) -> Iterator[TargetRow]:
    """One row a class at each of some temperatures, with what is known of both distributions."""
    for number, targets in enumerate(result.masks, start=1):
        for temperature in temperatures:
            both = targets.at(temperature)
            for at, target in zip(targets.places(), targets.shown(), strict=True):
                p, q = float(both.teacher[at]), float(both.student[at])
                yield TargetRow(
                    number,
                    targets.position,
                    temperature,
                    target.word,
                    target.token,
                    target.teacher_rank,
                    target.student_rank,
                    p,
                    q,
                    q - p,
                    target == targets.original,
                    both.teacher_entropy,
                    both.student_entropy,
                    both.kl_teacher_student,
                    both.kl_student_teacher,
                    both.cross_entropy,
                )


def _are_classifiers(document: Asking, cards: Sequence[ModelCard]) -> bool:
    """Whether both models sort texts, or pairs of them, and so need no mask."""
    wanted = {"classifier"} | ({"next_sentence", "sentence_order"} if document.pair else set())
    heads = [{head.name for head in card.heads if head.present} for card in cards]
    return len(heads) == 2 and all(wanted & one for one in heads)


def exactly_both(result: SoftTargetsResult, document: Document) -> Sequence[Detail]:
    """The exact answers beside both models'."""
    if result.what == "classes":
        return ()
    return (
        exactly(document, result.model, lane=EXACT_TEACHER),
        exactly(document, result.other, lane=EXACT_STUDENT),
    )


EXACT_TEACHER, EXACT_STUDENT = "exact-teacher", "exact-student"

QUESTION = Question(
    name="soft_targets",
    title=N_("Soft targets"),
    asks=N_(
        "How do two models' distributions compare at each mask: at any temperature, or word "
        "by word?"
    ),
    listing=Listing(Topic.COMPARE, 1, "school-outline", "Alt+Shift+1", in_overview=2),
    found_by=(
        "knowledge distillation",
        "KD",
        "temperature",
        "teacher and student",
        "dark knowledge",
        "KL divergence",
        "DistilBERT",
        "지식 증류",
        "소프트 타깃",
        "온도",
        "교사와 학생",
        "다크 지식",
    ),
    request=SoftTargetsRequest,
    result=SoftTargetsResult,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={"temperature": TEMPERATURE, "order": ORDER, "mask": MASK},
    second_model_hint=SECOND_MODEL,
    made_from=noted,
    beside=exactly_both,
    sort_by="kl_t1",
    binding=BySlot((TEACHER, STUDENT), SWAPPED),
    roles=dict.fromkeys((TEACHER, STUDENT), (any_of(Predictor, PairClassifier),)),
    options=(SWAP, WHAT, TEMPERATURE, WORDS, ORDER, BESIDE, MASK),
    templates=(AT_TEMPERATURES,),
    conditions=(
        a_text(N_("Type a sentence, then mask a word to compare what two models expect there.")),
        a_mask(N_("Mask a word to compare what the two models expect there."), _are_classifiers),
    ),
    upgrades=(spaces_stay_visible,),
    replaces=dict.fromkeys(
        ("two_models", "compare_fillings"),
        Absorbed(
            by_word.become,
            roles={FIRST: TEACHER, SECOND: STUDENT},
            implies={"what": EVERY_WORD},
        ),
    ),
)
