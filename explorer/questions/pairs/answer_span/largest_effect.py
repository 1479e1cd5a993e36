"""What to look at first: how clearly the best span leads, or where a written answer wavers."""

from explorer.api import Effect
from explorer.api.question.standing_out import lead, wavering
from explorer.questions.pairs.answer_span.question import AnswerSpanResult, WrittenToken
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible
from explorer.text.printable import shortened


def largest_effect(result: AnswerSpanResult) -> Effect:
    """The best answer beside the next one; no answer is one of them where it was asked for.

    Tokens are the passage's, whose places in the input are others, so that none is turned to.
    """
    if result.written:
        return Effect(_of_written(result.written))
    if not result.answers:
        return Effect(NOTHING)
    ranked = sorted(result.answers, key=lambda one: -one.score)
    sentence = lead([(_named(one.text), one.score) for one in ranked]) or Phrase(
        N_("“{answer}” is the only answer found ({share})."),
        answer=_named(ranked[0].text),
        share=in_percent(ranked[0].score),
    )
    return Effect(sentence)


def _named(answer: str) -> str:
    return shortened(answer) if answer else Phrase(N_("no answer"))


def _of_written(written: tuple[WrittenToken, ...]) -> Phrase:
    """The token that was least sure, beside what else could have stood there."""
    least = min(written, key=lambda one: one.probability)
    others = [(visible(text), chance) for text, chance in least.alternatives[1:2]]
    return wavering(visible(least.text), least.probability, *others)
