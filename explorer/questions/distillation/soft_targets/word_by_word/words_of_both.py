"""Two models compared word by word: every mask's words in a card, and how far the two are apart."""

from collections.abc import Iterator

from explorer.questions.distillation.soft_targets.masks import put_at, title_of
from explorer.questions.distillation.soft_targets.question import SoftTargetsResult
from explorer.questions.distillation.soft_targets.word_by_word.by_word import (
    ComparedMask,
    ComparedWord,
)
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.blocks.tables.pairs import Pair, pairs
from explorer.ui.blocks.text import Text, note


def names() -> tuple[str, str]:
    """What the two models are called where their words stand side by side."""
    return _("Teacher"), _("Student")


def words_of_both(shown: Shown) -> Iterator[Block]:
    """How the vocabularies were brought together, then a card a mask."""
    result: SoftTargetsResult = shown.result
    yield note(alignment_said(result))
    tables = [[_pair(shown, mask, one) for one in mask.words] for mask in result.by_word]
    every = [pair for words in tables for pair in words]
    yield Columns(
        [
            Card(
                [
                    Text(title_of(shown, number, mask.position), "strong"),
                    Text(mask_said(mask)),
                    pairs(words, names(), _("Words at mask {number}", number=number + 1), every),
                ],
                _("Mask {number}", number=number + 1),
                mask.position,
            )
            for number, (mask, words) in enumerate(zip(result.by_word, tables, strict=True))
        ],
        narrowest=CardWidth.WIDE,
        widest=900.0,
    )


def _pair(shown: Shown, mask: ComparedMask, one: ComparedWord) -> Pair:
    put = put_at(shown, mask.position)
    # A part of a word is none to put in.
    is_whole = "…" not in one.word
    return Pair(
        one.word,
        one.teacher,
        one.teacher_rank,
        one.student,
        one.student_rank,
        about=(_("Click to put it into the sentence."),) if put is not None and is_whole else (),
        key=("word", mask.position, one.word),
        act=put(one.word) if put is not None and is_whole else None,
    )


def alignment_said(result: SoftTargetsResult) -> str:
    """How the two vocabularies were brought together."""
    known = result.vocabulary
    if known.same:
        return _(
            "Both models have the same vocabulary of {teacher_size} words.",
            teacher_size=known.teacher_size,
        )
    aside = _(", capital letters aside,") if known.folded else ""
    return _(
        "The vocabularies differ, so the models are compared word by word: the teacher "
        "has {teacher_size} words as one piece, the student {student_size}, and "
        "{shared}{aside} are in both.",
        teacher_size=known.teacher_size,
        student_size=known.student_size,
        shared=known.shared,
        aside=aside,
    )


def mask_said(mask: ComparedMask) -> str:
    """How far the two are apart at one mask."""
    said = (
        _("Both expect the same word first. ") if mask.agree else _("They expect different words. ")
    )
    said += _(
        "The total variation is {total_variation} %: that much probability lies on other words",
        total_variation=decimal(mask.total_variation * 100, 1),
    )
    kl = "infinite" if mask.kl is None else _("{kl} nats", kl=decimal(mask.kl, 3))
    back = "infinite" if mask.kl_back is None else f"{mask.kl_back:.3f}"
    said += _(
        " (KL divergence teacher to student {kl}, student to teacher {back}).", kl=kl, back=back
    )
    if min(mask.teacher_share, mask.student_share) < 0.9995:
        said += _(
            " Words that both have hold {teacher_share} % of the teacher's probability "
            "and {student_share} % of the student's; the rest counts as one word.",
            teacher_share=decimal(mask.teacher_share * 100, 1),
            student_share=decimal(mask.student_share * 100, 1),
        )
    return said
