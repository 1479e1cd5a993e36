"""What to look at first: how clear the answer is, or which layout adds most to the texts."""

import math
from collections.abc import Iterable

from explorer.api.question import Headline, lead, wavering
from explorer.questions.generation.task_layout.question import (
    HeadOutput,
    TaskLayoutResult,
    WrittenAnswer,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible


def headline(result: TaskLayoutResult) -> Headline:
    """Of a head's classes or the decoder's text; what layouts add is the same for every text."""
    found = None
    if result.judged is not None:
        found = _of_classes(result.judged)
    elif result.written is not None:
        found = _of_targets(result.written) or _of_pieces(result.written)
    return Headline(found or NOTHING)


def _of_classes(judged: HeadOutput) -> Phrase | None:
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
