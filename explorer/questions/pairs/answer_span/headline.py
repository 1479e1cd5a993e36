"""What to look at first: how clearly the best span leads, or where a written answer wavers."""

from typing import Any

from explorer.api.question import Headline, beyond, wavering
from explorer.api.question.standing_out import FLAT
from explorer.questions.pairs.answer_span.options import THRESHOLD
from explorer.questions.pairs.answer_span.question import AnswerSpanResult, DecodedToken, spans_of
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import with_minus
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible
from explorer.text.printable import shortened


def headline(
    result: AnswerSpanResult, threshold: float = THRESHOLD.default, **_looked_at: Any
) -> Headline:
    """The best answer beside the next one; no answer is one of them where it was asked for.

    Tokens are the passage's, whose places in the input are others, so that none is turned to.

    Args:
        result: The answer.
        threshold: By how much no answer must be better than the best span.
    """
    if result.written:
        return Headline(_of_written(result.written))
    if not result.answers:
        return Headline(NOTHING)
    ranked = sorted(result.answers, key=lambda one: -one.score)
    has_none = result.has_no_answer(threshold)
    if result.may_have_none and has_none == bool(ranked[0].text):
        sentence = _of_threshold(result, has_none=has_none, threshold=threshold)
        return Headline(sentence, strength=beyond(ranked[0].score, FLAT, 1.0))
    return spans_of(result).headline()


def _of_threshold(result: AnswerSpanResult, *, has_none: bool, threshold: float) -> Phrase:
    """That the threshold decides against what is most probable."""
    none = next(one for one in result.answers if not one.text)
    span = result.best
    return Phrase(
        N_(
            "At a threshold of {threshold} there is no answer, though “{answer}” is more "
            "probable: {share} against {none}."
        )
        if has_none
        else N_(
            "At a threshold of {threshold} “{answer}” is the answer, though no answer is more "
            "probable: {none} against {share}."
        ),
        threshold=with_minus(threshold, 2),
        answer=shortened(span.text) if span is not None else "",
        share=in_percent(span.score if span is not None else 0.0),
        none=in_percent(none.score),
    )


def _of_written(written: tuple[DecodedToken, ...]) -> Phrase:
    """The token that was least sure, beside what else could have stood there."""
    least = min(written, key=lambda one: one.probability)
    others = [(visible(text), chance) for text, chance in least.alternatives[1:2]]
    return wavering(visible(least.text), least.probability, *others)
