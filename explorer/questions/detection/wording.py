"""The four outcomes of a verdict in words: on screen, in pictures, on the command line."""

from dataclasses import dataclass

from explorer.numerics.evaluation.outcomes import Counts, Outcome
from explorer.text import N_, _, ngettext
from explorer.text.formatting import numbers
from explorer.text.pieces import readable, visible

NAMES = {
    Outcome.HIT: N_("hit (TP)"),
    Outcome.MISS: N_("miss (FN)"),
    Outcome.FALSE_ALARM: N_("false alarm (FP)"),
    Outcome.CORRECT_REJECTION: N_("correct rejection (TN)"),
}
EXPLAINED = {
    Outcome.HIT: N_("A replaced token that is called replaced: a true positive."),
    Outcome.MISS: N_("A replaced token that is not called so: a false negative."),
    Outcome.FALSE_ALARM: N_("An original that is called replaced: a false positive."),
    Outcome.CORRECT_REJECTION: N_("An original that is not called replaced: a true negative."),
}


@dataclass(frozen=True)
class WordedNumber:
    """One of the numbers.

    Attributes:
        outcome: Which one it counts; None for a share.
        count: How many.
        text: As it is read.
        words: What it means.
    """

    outcome: Outcome | None
    count: int
    text: str
    words: str


def percent(share: float | None) -> str:
    """A share in per cent; a dash where it is not defined."""
    return "–" if share is None else numbers.percent(share)


def told(counts: Counts) -> tuple[WordedNumber, ...]:
    """The four outcomes with their numbers, and precision and recall."""
    hits, misses = counts.hits, counts.misses
    alarms, rejections = counts.false_alarms, counts.correct_rejections
    texts = (
        (
            Outcome.HIT,
            hits,
            ngettext("{count} hit (true positive)", "{count} hits (true positives)", hits),
        ),
        (
            Outcome.MISS,
            misses,
            ngettext("{count} miss (false negative)", "{count} misses (false negatives)", misses),
        ),
        (
            Outcome.FALSE_ALARM,
            alarms,
            ngettext(
                "{count} false alarm (false positive)",
                "{count} false alarms (false positives)",
                alarms,
            ),
        ),
        (
            Outcome.CORRECT_REJECTION,
            rejections,
            ngettext(
                "{count} correct rejection (true negative)",
                "{count} correct rejections (true negatives)",
                rejections,
            ),
        ),
    )
    precision = _("precision {share}", share=percent(counts.precision))
    recall = _("recall {share}", share=percent(counts.recall))
    return (
        *(
            WordedNumber(outcome, count, text, _(EXPLAINED[outcome]))
            for outcome, count, text in texts
        ),
        WordedNumber(
            None, 1, precision, _("Of the tokens called replaced, the share that was replaced.")
        ),
        WordedNumber(None, 1, recall, _("Of the replaced tokens, the share that is called so.")),
    )


COLUMN_TITLES = {
    "tokens": N_("tokens"),
    "draws": N_("draws"),
    "chosen": N_("chosen"),
    "replaced": N_("replaced"),
    "hits": N_("hits"),
    "misses": N_("misses"),
    "false_alarms": N_("false alarms"),
    "correct_rejections": N_("correct rejections"),
    "precision": N_("precision"),
    "recall": N_("recall"),
    "recall_from": N_("recall, lower end"),
    "recall_to": N_("recall, upper end"),
    "false_alarm_rate": N_("false alarm rate"),
    "false_alarm_rate_from": N_("false alarm rate, lower end"),
    "false_alarm_rate_to": N_("false alarm rate, upper end"),
    "roc_area": N_("area under the ROC"),
    "roc_area_from": N_("area under the ROC, lower end"),
    "roc_area_to": N_("area under the ROC, upper end"),
    "sentences": N_("sentences"),
    "threshold": N_("threshold"),
    "generator_loss": N_("generator's loss"),
    "discriminator_loss": N_("discriminator's loss"),
    "corrupted": N_("corrupted text"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def shown_piece(piece: str) -> str:
    """A piece for people; one inside a word keeps the mark that says so."""
    return piece if piece.startswith("##") else visible(readable(piece))
