"""What an attribution says in words and numbers."""

from explorer.attribution.kinds import Baseline
from explorer.document import MASK_LITERAL
from explorer.questions.cause.attribution.options import NormalisedOver, Quantity
from explorer.questions.cause.attribution.question import (
    AttributionResult,
    ExplainedKind,
    Explanandum,
    MethodScores,
)
from explorer.text import N_, Phrase
from explorer.text.formatting import numbers
from explorer.text.formatting.numbers import percent, with_minus
from explorer.text.pieces import readable

ABOUT = N_(
    "Scores say what the model relies on, not what is right. Methods answer "
    "different questions: two that disagree may both be right. The baseline is "
    "part of the question: from another one, words add other amounts."
)
UNITS = N_("What is explained is a logarithm, not a probability, which hardly moves near 0 and 1.")
KEPT = N_(
    "Words without a number stay as they are: what the model adds to a text, and the masked word."
)


def signed(value: float, places: int = 2) -> str:
    """A number with its sign, as a score has."""
    return numbers.signed(value, places, nought="")


def plain(value: float) -> str:
    """A number without a sign before it but a minus."""
    return with_minus(value, 2)


def explained_said(result: AttributionResult) -> str:
    """What stands at the place that is explained; nothing behind the end of the text."""
    tokens, place = result.tokens, result.explained.place
    if place is None or place >= len(tokens):
        return ""
    return MASK_LITERAL if tokens[place].masked else readable(tokens[place].text)


def measure_said(one: Explanandum) -> Phrase:
    """What the numbers are."""
    if one.measure is Quantity.ENTROPY:
        return Phrase(N_("entropy, in nats"))
    if one.measure is Quantity.LOG_ODDS:
        return Phrase(N_("log-odds of “replaced”"))
    if one.measure is Quantity.DIFFERENCE:
        return Phrase(
            N_("logit of “{word}” − logit of “{against}”"), word=one.word, against=one.against
        )
    return Phrase(N_("log-probability of “{word}”"), word=one.word)


AMONG = {
    NormalisedOver.VOCABULARY: N_(
        "Probabilities are normalised over all pieces of the vocabulary."
    ),
    NormalisedOver.LABELS: N_("Probabilities are normalised over all labels."),
    NormalisedOver.REPLACED_OR_NOT: N_(
        "Probabilities are normalised over “replaced” and “original”."
    ),
    NormalisedOver.PASSAGE: N_(
        "Probabilities are normalised over the tokens of the text, without the question's."
    ),
    NormalisedOver.PASSAGE_AND_NULL: N_(
        "Probabilities are normalised over the tokens of the text and the one that stands for no "
        "answer, without the question's."
    ),
}
"""Among what a probability is one."""

LOG_ODDS = N_("Log-odds are ln(p / (1 − p)): 0 where it is as likely as not.")

ASKED = {
    ExplainedKind.REPLACED: N_("Which words make “{token}” look replaced? It does with {share}."),
    ExplainedKind.LABEL: N_(
        "Which words make it “{word}”? That is what the model says with {share}."
    ),
    ExplainedKind.TOKEN_LABEL: N_("Which words make “{token}” a “{word}”? It is with {share}."),
    ExplainedKind.START: N_(
        "Which words make the answer begin at “{token}”? The model gives it {share}."
    ),
    ExplainedKind.END: N_(
        "Which words make the answer end at “{token}”? The model gives it {share}."
    ),
    ExplainedKind.NEXT: N_("Which words make “{word}” the next one? The model gives it {share}."),
    ExplainedKind.MASKED: N_(
        "Which words make “{word}” the word at “{token}”? The model gives it {share}."
    ),
}


def among_said(one: Explanandum) -> str:
    """What the number is made of; "" for a difference of logits."""
    if one.measure is Quantity.LOG_ODDS:
        return Phrase(LOG_ODDS)
    return Phrase(AMONG[one.over]) if one.over is not None else ""


def question_said(result: AttributionResult, token: str) -> Phrase:
    """What was asked, in a sentence.

    Args:
        result: The answer.
        token: What stands at the place.
    """
    one = result.explained
    if one.measure is Quantity.ENTROPY and one.kind is not ExplainedKind.REPLACED:
        return Phrase(N_("Which words make the model unsure, or sure, of its answer?"))
    # A word in the text is explained as one at a mask is; the one behind it as the next.
    inside = one.kind is ExplainedKind.NEXT and one.place != len(result.tokens)
    asked = ASKED[ExplainedKind.MASKED if inside else one.kind]
    return Phrase(asked, word=one.word, token=token, share=percent(one.probability, 1))


def baseline_said(result: AttributionResult) -> Phrase:
    """What stands in the place of words."""
    if result.baseline is Baseline.TEXT:
        return Phrase(N_("for the baseline's text"))
    if not result.baseline_piece:
        return Phrase(N_("with zeros for every word"))
    return Phrase(N_("with {piece} for every word"), piece=result.baseline_piece)


def gap_said(result: AttributionResult, one: MethodScores) -> Phrase:
    """How far a method's scores are from adding up."""
    about, whole = one.about, result.value - result.baseline_value
    total, share = float(one.scores.sum()), result.gap_share(one)
    said = {"sum": signed(total), "whole": signed(whole)}
    if about.sum_said:
        return Phrase(about.sum_said, sum=signed(total))
    if about.adds_up and share is not None:
        if result.is_open(one):
            return Phrase(
                N_(
                    "The scores add up to {sum}, and all words together change {whole}: the gap is "
                    "{share}, too large to take the scores at their word."
                ),
                **said,
                share=percent(share, 1),
            )
        return Phrase(
            N_("The scores add up to {sum}; all words together change {whole}. Gap: {share}."),
            **said,
            share=percent(share, 2),
        )
    if one.can_add_up:
        return Phrase(
            N_(
                "The scores add up to {sum}; all words together change {whole}. This method does "
                "not make them the same: what words do together counts for each of them, or for "
                "none."
            ),
            **said,
        )
    if about.signed and about.in_units:
        return Phrase(
            N_(
                "The scores add up to {sum}. They count from shorter texts and not from the "
                "baseline, so there is no gap to report."
            ),
            **said,
        )
    if about.signed:
        return Phrase(
            N_(
                "The scores add up to {sum}, and all words together change {whole}: slopes at the "
                "text itself need not add up to anything."
            ),
            **said,
        )
    return Phrase(N_("These scores have no sign and no unit: only their order can be compared."))
