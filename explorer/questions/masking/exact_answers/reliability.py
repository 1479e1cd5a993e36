"""The exact answers about all sentences of a file, drawn: the loss, two reliability curves."""

from collections.abc import Iterator

from explorer.numerics.evaluation.calibration import BINS, Bin, Reliability
from explorer.questions.masking.exact_answers.pooling import PooledAnswers
from explorer.text import _, ngettext
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import heading, note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Chart
from explorer.ui.charts.reliability import reliability_chart


def pooled(answers: PooledAnswers, _shown: Shown) -> Iterator[Block]:
    """The loss, a card for each curve, and what was left out."""
    if answers.places:
        cards = [_truth_card(answers.by_truth)]
        if answers.by_text.count:
            cards.append(_text_card(answers.by_text))
        yield from _loss(answers)
        yield Columns(cards, filled=True)
        yield note(
            _(
                "Reliability after Guo et al. 2017: the places by the probability of the model's "
                "first word, in {bins} bins of equal width. The calibration error is the mean "
                "distance from the diagonal, each bin by its places.",
                bins=BINS,
            )
        )
    if answers.outside:
        yield note(
            ngettext(
                "{count} sentence without exact answers is left out: it is not of the miniatures' "
                "world.",
                "{count} sentences without exact answers are left out: they are not of the "
                "miniatures' world.",
                answers.outside,
            )
        )


def _truth_card(found: Reliability) -> Card:
    return _card(
        found,
        _("Against the exact probability"),
        _("exact probability"),
        Number(
            decimal(found.accuracy, 3),
            _("mean exact probability"),
            _("Of the model's first word: how often it is right in the long run."),
        ),
        _("No text was drawn for these: a model that knows the world has an error of 0."),
    )


def _text_card(found: Reliability) -> Card:
    assert found.by_chance is not None
    return _card(
        found,
        _("Against the words of the text"),
        _("accuracy"),
        Number(
            decimal(found.accuracy, 3),
            _("accuracy"),
            _("Of {n} places, the share where the first word stands.", n=found.count),
        ),
        _(
            "By chance alone, a calibrated model would have an error of about {error} at so many "
            "places.",
            error=decimal(found.by_chance, 3),
        ),
    )


def _card(found: Reliability, title: str, against: str, right: Number, said: str) -> Card:
    """A curve with its numbers.

    Args:
        found: What it shows.
        title: Above it.
        against: What confidence is compared with.
        right: How often the first word is right.
        said: Below it.
    """
    confident = Number(
        decimal(found.confidence, 3),
        _("mean confidence"),
        _("The model's probability of its first word, at {n} places.", n=found.count),
    )
    return Card(
        (
            heading(title),
            ChartBlock((_chart(found, against),)),
            Numbers((_error(found), confident, right)),
            note(said),
        ),
        title,
    )


def _loss(answers: PooledAnswers) -> Iterator[Block]:
    yield note(
        ngettext(
            "{places} places of {count} sentence of the miniatures' world.",
            "{places} places of {count} sentences of the miniatures' world.",
            answers.sentences,
            places=f"{answers.places:,}",
        )
    )
    yield Numbers(
        (
            Number(
                decimal(answers.expected_loss, 3),
                _("expected loss, nats a place"),
                _("The model's loss over all texts that the places could have had."),
            ),
            Number(
                decimal(answers.floor, 3),
                _("floor: the exact answers' entropy"),
                _("The least possible expected loss, in nats a place."),
            ),
            Number(
                decimal(answers.divergence, 3),
                _("divergence: KL(exact ‖ model)"),
                _("What the model adds to the floor, in nats a place."),
            ),
        ),
    )


def _error(found: Reliability) -> Number:
    return Number(
        decimal(found.error or 0.0, 3),
        _("calibration error"),
        _("The expected calibration error (ECE) over {n} places.", n=found.count),
    )


def _chart(found: Reliability, against: str) -> Chart:
    """How many places stand where, and what came of them."""

    def said(one: Bin) -> str:
        return ngettext(
            "{count} place from {low} to {high}\nconfidence {confidence}\n{against} {accuracy}",
            "{count} places from {low} to {high}\nconfidence {confidence}\n{against} {accuracy}",
            one.count,
            low=decimal(one.low, 2),
            high=decimal(one.high, 2),
            confidence=decimal(one.confidence, 3),
            against=against,
            accuracy=decimal(one.accuracy, 3),
        )

    return reliability_chart(
        found,
        _("On the diagonal, words are as probable as the model says. Bars: the share of places."),
        (_("confidence: the model's probability of its first word"), against),
        said,
    )
