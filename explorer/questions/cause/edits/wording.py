"""What is said of edits and of what they do."""

import math

from explorer.questions.cause.edits.question import (
    DIFFERENCE,
    DIVERGENCE,
    LOG_PROBABILITY,
    EditEffect,
    EditsResult,
    Kind,
)
from explorer.text import N_, _
from explorer.text.bidi import isolated
from explorer.text.formatting import numbers
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

COLUMNS = {
    DIVERGENCE: (N_("divergence"), N_("KL(before ‖ after), in nats, of the whole distributions.")),
    LOG_PROBABILITY: (N_("change"), N_("Of the asked word's log-probability, in nats.")),
    DIFFERENCE: (N_("change"), N_("Of the difference between the two words' logits.")),
}
"""What the bars measure: the title of their column, and what it means."""

JUDGEMENTS = {"replaced": N_("replaced"), "original": N_("original")}

ABOUT = N_(
    "Each word gives its place to others, one at a time, and the model reads the whole sentence "
    "anew: nothing is approximated. Neighbours are the whole words whose vectors in the model's "
    "vocabulary point most nearly the same way (cosine)."
)


def name_of(result: EditsResult, word: str) -> str:
    """A word as it is shown: a judgement in the reader's language."""
    return _(JUDGEMENTS[word]) if result.kind is Kind.REPLACED else visible(word)


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


def predicted_said(result: EditsResult) -> str:
    """What is predicted without an edit."""
    values = {
        "word": name_of(result, result.word),
        "probability": in_digits(math.exp(result.log_probability)),
    }
    if result.kind is Kind.REPLACED:
        token = result.tokens[result.position]
        return _(
            "“{token}” was replaced with probability {probability}, the model says.",
            token=visible(token.text),
            probability=values["probability"],
        )
    if result.word == result.best:
        said = _("Unedited, “{word}” is expected most: {probability}.", **values)
    else:
        said = _(
            "Unedited, “{word}” has probability {probability}; “{best}” is expected most: {most}.",
            **values,
            best=name_of(result, result.best),
            most=in_digits(result.best_probability),
        )
    if result.difference is None:
        return said
    more = _(
        "Its logit minus that of “{against}”: {difference}.",
        against=name_of(result, result.against),
        difference=decimal(result.difference, 3),
    )
    return f"{said} {more}"


def strongest_said(result: EditsResult, one: EditEffect) -> str:
    """The edit that moves the prediction most."""
    return _(
        "“{old}” → “{new}” moves it most: then “{best}” is first, with {probability}.",
        old=numbered(result, one.place),
        new=one.put,
        best=name_of(result, one.best),
        probability=in_digits(one.best_probability),
    )


def put_said(result: EditsResult, one: EditEffect) -> str:
    """What is put where: "chef → cook"."""
    return f"{isolated(numbered(result, one.place))} → {isolated(one.put)}"


def edit_said(result: EditsResult, one: EditEffect) -> str:
    """All that is known of an edit."""
    lines = [
        put_said(result, one),
        _(
            "“{word}”: {probability}, {change} nats",
            word=name_of(result, result.word),
            probability=in_digits(math.exp(one.log_probability)),
            change=signed(one.change, LOG_PROBABILITY),
        ),
    ]
    if one.difference is not None and one.difference_change is not None:
        lines.append(
            _(
                "Logit difference to “{against}”: {difference} ({change})",
                against=name_of(result, result.against),
                difference=decimal(one.difference, 3),
                change=signed(one.difference_change, DIFFERENCE),
            )
        )
    lines.append(_("KL(before ‖ after): {nats} nats", nats=decimal(one.divergence, 3)))
    lines.append(
        _(
            "Now first: “{best}”, {probability}",
            best=name_of(result, one.best),
            probability=in_digits(one.best_probability),
        )
    )
    if one.cosine is not None:
        lines.append(_("Cosine of the two words' vectors: {value}", value=decimal(one.cosine, 2)))
    lines.append(_("Click to put it into the sentence."))
    return "\n".join(lines)
