"""Two models compared word by word: every mask's words in a card, and how far the two are apart."""

from collections.abc import Iterator

from explorer.questions.distillation.soft_targets.by_word import ComparedMask, ComparedWord
from explorer.questions.distillation.soft_targets.put import put_at, title_of
from explorer.questions.distillation.soft_targets.question import SoftTargetsResult
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.pairs import Pair, pairs
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text, note

NAMES = ("Teacher", "Student")


def words_of_both(shown: Shown) -> Iterator[Block]:
    """How the vocabularies were brought together, then a card a mask."""
    result: SoftTargetsResult = shown.result
    yield note(alignment_said(result), above=4)
    tables = [[_pair(shown, mask, one) for one in mask.words] for mask in result.by_word]
    every = [pair for words in tables for pair in words]
    yield Columns(
        [
            Card(
                [
                    Text(title_of(shown, number, mask.position), "strong"),
                    Text(mask_said(mask)),
                    pairs(words, NAMES, f"Words at mask {number + 1}", every),
                ],
                f"Mask {number + 1}",
                mask.position,
            )
            for number, (mask, words) in enumerate(zip(result.by_word, tables, strict=True))
        ],
        narrowest=420.0,
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
        about=("Click to put it into the sentence.",) if put is not None and is_whole else (),
        key=("word", mask.position, one.word),
        act=put(one.word) if put is not None and is_whole else None,
    )


def alignment_said(result: SoftTargetsResult) -> str:
    """How the two vocabularies were brought together."""
    known = result.vocabulary
    if known.same:
        return f"Both models have the same vocabulary of {known.teacher_size:,} words."
    aside = ", capital letters aside," if known.folded else ""
    return (
        "The vocabularies differ, so the models are compared word by word: the teacher has "
        f"{known.teacher_size:,} words as one piece, the student {known.student_size:,}, and "
        f"{known.shared:,}{aside} are in both."
    )


def mask_said(mask: ComparedMask) -> str:
    """How far the two are apart at one mask."""
    said = "Both expect the same word first. " if mask.agree else "They expect different words. "
    said += f"{mask.total_variation * 100:.1f} % of the probability lies on other words"
    kl = "infinite" if mask.kl is None else f"{mask.kl:.3f} nats"
    back = "infinite" if mask.kl_back is None else f"{mask.kl_back:.3f}"
    said += f" (KL divergence teacher to student {kl}, student to teacher {back})."
    if min(mask.teacher_share, mask.student_share) < 0.9995:
        said += (
            f" Words that both have hold {mask.teacher_share * 100:.1f} % of the teacher's "
            f"probability and {mask.student_share * 100:.1f} % of the student's; the rest counts "
            "as one word."
        )
    return said
