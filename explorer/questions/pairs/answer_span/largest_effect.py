"""What to look at first: how clearly the best span leads, or where a written answer wavers."""

from explorer.api import Effect
from explorer.api.question.standing_out import CERTAIN, FLAT, hesitation, is_close
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
    first = ranked[0]
    values: dict[str, str] = {"answer": _named(first.text), "share": in_percent(first.score)}
    if first.score < FLAT:
        sentence = Phrase(
            N_("No span stands out: even the best, “{answer}”, has only {share}."), **values
        )
        return Effect(sentence)
    if len(ranked) == 1:
        return Effect(Phrase(N_("“{answer}” is the only answer found ({share})."), **values))
    second = ranked[1]
    values |= {"other": _named(second.text), "its": in_percent(second.score)}
    if first.score >= CERTAIN:
        sentence = Phrase(
            N_("“{answer}” is all but certain ({share}): the next answer, “{other}”, has {its}."),
            **values,
        )
    elif is_close(first.score, second.score):
        sentence = hesitation(values["answer"], first.score, values["other"], second.score)
    else:
        sentence = Phrase(
            N_("“{answer}” ({share}) leads clearly: the next answer, “{other}”, has {its}."),
            **values,
        )
    return Effect(sentence)


def _named(answer: str) -> str:
    return shortened(answer) if answer else Phrase(N_("no answer"))


def _of_written(written: tuple[WrittenToken, ...]) -> Phrase:
    """The token that was least sure, beside what else could have stood there."""
    least = min(written, key=lambda one: one.probability)
    values = {"token": visible(least.text), "share": in_percent(least.probability)}
    if least.probability >= CERTAIN:
        return Phrase(
            N_(
                "Every token of the answer is all but certain: even the least sure, “{token}”, has "
                "{share}."
            ),
            **values,
        )
    if len(least.alternatives) < 2:
        return Phrase(
            N_("The answer is least sure at “{token}”, which has {share} there."), **values
        )
    other, chance = least.alternatives[1]
    return Phrase(
        N_(
            "The answer is least sure at “{token}” ({share}): “{other}” could stand there as well, "
            "with {its}."
        ),
        other=visible(other),
        its=in_percent(chance),
        **values,
    )
