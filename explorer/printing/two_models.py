"""Two models at the same masks, word by word, for people and for scripts."""

from typing import Any

from explorer.api.question import Table
from explorer.headless import Answered
from explorer.printing.heads import print_notes, print_text
from explorer.printing.tables import print_table, small
from explorer.text import _
from explorer.text.formatting.numbers import decimal


def show_comparison(answered: Answered) -> None:
    """Print what both vocabularies share, then each mask's words side by side."""
    result = answered.result
    known = result.vocabulary
    print(_("A {id}  ({teacher_size} words)", id=result.model.id, teacher_size=known.teacher_size))
    print(_("B {id}  ({student_size} words)", id=result.other.id, student_size=known.student_size))
    print_text(answered)
    print(
        _("words in both, capitals aside: {shared}", shared=known.shared)
        if known.folded
        else _("words in both: {shared}", shared=known.shared)
    )
    print_notes(result)
    for number, mask in enumerate(result.by_word, start=1):
        kl = _("infinite") if mask.kl is None else _("{kl} nats", kl=decimal(mask.kl, 4))
        print(
            _(
                "\n mask {number} of {count}: KL(A || B) {kl}, probability that differs "
                "{total_variation} %, covered by words of both {teacher_share} % of A and "
                "{student_share} % of B",
                number=number,
                count=len(result.by_word),
                kl=kl,
                total_variation=decimal(mask.total_variation * 100, 1),
                teacher_share=decimal(mask.teacher_share * 100, 1),
                student_share=decimal(mask.student_share * 100, 1),
            )
        )
        rows = tuple(
            (one.word, _said(one.teacher), one.teacher_rank, _said(one.student), one.student_rank)
            for one in mask.words
        )
        print_table(Table(("", "A", "rank", "B", "rank"), rows))


def _said(value: float | None) -> str:
    return "-" if value is None else small(value)


def as_json(result: Any) -> dict[str, Any]:
    """What `fill --against` prints with --json: the first model and the second."""
    from explorer.serialise import to_builtins

    known = result.vocabulary
    return {
        "model": to_builtins(result.model),
        "other": to_builtins(result.other),
        "tokens": to_builtins(result.tokens),
        "masks": [
            {
                "position": mask.position,
                "words": [
                    {
                        "word": one.word,
                        "first": one.teacher,
                        "first_rank": one.teacher_rank,
                        "second": one.student,
                        "second_rank": one.student_rank,
                    }
                    for one in mask.words
                ],
                "first_covered": mask.teacher_share,
                "second_covered": mask.student_share,
                "kl": mask.kl,
                "kl_back": mask.kl_back,
                "total_variation": mask.total_variation,
                "agree": mask.agree,
            }
            for mask in result.by_word
        ],
        "first_words": known.teacher_size,
        "second_words": known.student_size,
        "shared_words": known.shared,
        "same_vocabulary": known.same,
        "folded": known.folded,
        "note": " ".join(result.notes),
    }
