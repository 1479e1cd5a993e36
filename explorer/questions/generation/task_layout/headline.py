"""What to look at first: how clear the answer is, or which layout adds most to the texts."""

import math
from collections.abc import Iterable

from explorer.api import Headline
from explorer.api.question.standing_out import lead, wavering
from explorer.questions.generation.task_layout.layouts import Style
from explorer.questions.generation.task_layout.question import (
    Judged,
    Layout,
    TaskLayoutResult,
    WrittenAnswer,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible

FAMILIES = {Style.GPT1: "GPT-1", Style.BERT: "BERT", Style.T5: "T5"}


def headline(result: TaskLayoutResult) -> Headline:
    """Of a head's classes or the decoder's text; without an answer, of the layouts."""
    found = None
    if result.judged is not None:
        found = _of_classes(result.judged)
    elif result.written is not None:
        found = _of_targets(result.written) or _of_pieces(result.written)
    return Headline(found or _of_layouts(result))


def _of_classes(judged: Judged) -> Phrase | None:
    """The two likeliest; None of one number."""
    chances = _ranked(zip(judged.labels, judged.probabilities, strict=False))
    return lead(chances) if len(chances) > 1 else None


def _ranked(chances: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    return sorted(chances, key=lambda one: -one[1])


def _of_targets(written: WrittenAnswer) -> Phrase | None:
    """Texts that the task has it write; None where it is any text."""
    known = _ranked(
        (one.text, math.exp(one.log_probability))
        for one in written.targets
        if one.log_probability is not None
    )
    if not known:
        return None
    best, share = known[0]
    if written.text.strip() not in {one.text for one in written.targets}:
        return Phrase(
            N_(
                "What the decoder wrote is none of the task's answers: of these “{best}” is "
                "likeliest, with {share}."
            ),
            best=best,
            share=in_percent(share),
        )
    return lead(known)


def _of_pieces(written: WrittenAnswer) -> Phrase | None:
    pieces = [one for one in written.pieces if not one.ends]
    if not pieces:
        return None
    least = min(pieces, key=lambda one: one.probability)
    return wavering(visible(least.text), least.probability)


def _of_layouts(result: TaskLayoutResult) -> Phrase:
    """How many pieces each layout adds to the texts."""
    added = [(_added(one), one) for one in result.layouts if one.sequences]
    if len(added) < 2:
        return NOTHING
    most, least = max(added, key=lambda one: one[0]), min(added, key=lambda one: one[0])
    if most[0] == least[0]:
        return Phrase(
            N_("No layout stands out: each adds {added} pieces to those of the texts."),
            added=str(most[0]),
        )
    return Phrase(
        N_(
            "{family} adds most to the pieces of the texts: {added} of {all}, where {other} adds "
            "only {fewer} of {fewer_all}."
        ),
        family=FAMILIES[most[1].style],
        added=str(most[0]),
        all=str(_all(most[1])),
        other=FAMILIES[least[1].style],
        fewer=str(least[0]),
        fewer_all=str(_all(least[1])),
    )


def _added(layout: Layout) -> int:
    return sum(not one.field for sequence in layout.sequences for one in sequence.pieces)


def _all(layout: Layout) -> int:
    return sum(len(sequence.pieces) for sequence in layout.sequences)
