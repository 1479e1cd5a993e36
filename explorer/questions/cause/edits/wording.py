"""What is said of edits and of what they do."""

import math

from explorer.questions.cause.edits.pooling import RULE_TITLES
from explorer.questions.cause.edits.question import (
    DIFFERENCE,
    DIVERGENCE,
    LOG_PROBABILITY,
    EditEffect,
    EditsResult,
    PredictionKind,
)
from explorer.text import N_, Phrase, verbatim
from explorer.text.bidi import isolated
from explorer.text.formatting import numbers
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

JUDGEMENTS = {"replaced": N_("replaced"), "original": N_("original")}


def name_of(result: EditsResult, word: str) -> Phrase:
    """A word as it is shown: a judgement in the reader's language."""
    is_judged = result.kind is PredictionKind.REPLACED
    return Phrase(JUDGEMENTS[word]) if is_judged else verbatim(visible(word))


def numbered(result: EditsResult, place: int) -> str:
    """A word; one that stands there several times with which of them it is."""
    word = result.words[place].word
    alike = [n for n, one in enumerate(result.words) if one.word.casefold() == word.casefold()]
    return word if len(alike) < 2 else f"{word} ({alike.index(place) + 1})"


def signed(value: float, measure: str) -> str:
    """A change in nats, with its sign where it may have one."""
    if measure == DIVERGENCE:
        return decimal(value, 3)
    return numbers.signed(value, 3)


def predicted_said(result: EditsResult) -> Phrase:
    """What is predicted without an edit."""
    values = {
        "word": name_of(result, result.word),
        "probability": in_digits(math.exp(result.log_probability)),
    }
    if result.kind is PredictionKind.REPLACED:
        token = result.tokens[result.position]
        return Phrase(
            N_("“{token}” was replaced with probability {probability}, the model says."),
            token=visible(token.text),
            probability=values["probability"],
        )
    if result.word == result.best:
        said = Phrase(N_("Unedited, “{word}” is expected most: {probability}."), **values)
    else:
        said = Phrase(
            N_(
                "Unedited, “{word}” has probability {probability}; “{best}” is expected most: "
                "{most}."
            ),
            **values,
            best=name_of(result, result.best),
            most=in_digits(result.best_probability),
        )
    if result.difference is None:
        return said
    more = Phrase(
        N_("Its logit minus that of “{against}”: {difference}."),
        against=name_of(result, result.against),
        difference=decimal(result.difference, 3),
    )
    return Phrase.joined((said, more))


def strongest_said(result: EditsResult, one: EditEffect) -> Phrase:
    """The edit that moves the prediction most."""
    return Phrase(
        N_(
            "“{old}” → “{new}” moves the distribution most: then “{best}” is first, with "
            "{probability}."
        ),
        old=numbered(result, one.place),
        new=one.put,
        best=name_of(result, one.best),
        probability=in_digits(one.best_probability),
    )


def put_said(result: EditsResult, one: EditEffect) -> str:
    """What is put where: "chef → cook"."""
    return f"{isolated(numbered(result, one.place))} → {isolated(one.put)}"


def edit_said(result: EditsResult, one: EditEffect) -> tuple[str, ...]:
    """All that is known of an edit."""
    lines = [
        verbatim(put_said(result, one)),
        Phrase(
            N_("“{word}”: {probability}, {change} nats"),
            word=name_of(result, result.word),
            probability=in_digits(math.exp(one.log_probability)),
            change=signed(one.change, LOG_PROBABILITY),
        ),
    ]
    if one.difference is not None and one.difference_change is not None:
        lines.append(
            Phrase(
                N_("Logit difference to “{against}”: {difference} ({change})"),
                against=name_of(result, result.against),
                difference=decimal(one.difference, 3),
                change=signed(one.difference_change, DIFFERENCE),
            )
        )
    lines.append(Phrase(N_("KL(before ‖ after): {nats} nats"), nats=decimal(one.divergence, 3)))
    lines.append(
        Phrase(
            N_("Now first: “{best}”, {probability}"),
            best=name_of(result, one.best),
            probability=in_digits(one.best_probability),
        )
    )
    if one.rule:
        lines.append(Phrase(N_("Rule: {rule}"), rule=Phrase(RULE_TITLES[one.rule])))
    if one.cosine is not None:
        lines.append(
            Phrase(N_("Cosine of the two words' vectors: {value}"), value=decimal(one.cosine, 2))
        )
    return tuple(lines)
