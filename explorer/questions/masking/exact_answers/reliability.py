"""The exact answers about all sentences of a file as parts: the loss, two reliability curves."""

from collections.abc import Sequence

from explorer.api.question import Amount, Amounts, Calibration, Cards, Manner, OneCard, Said
from explorer.numerics.evaluation.calibration import BINS, Reliability
from explorer.questions.masking.exact_answers.pooling import PooledAnswers
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import whole


def pooled(answers: PooledAnswers) -> Sequence[Said | Amounts | Cards | Calibration]:
    """The loss, a card for each curve, and what was left out."""
    found: list[Said | Amounts | Cards | Calibration] = []
    if answers.places:
        cards = [_truth_card(answers.by_truth)]
        if answers.by_text.count:
            cards.append(_text_card(answers.by_text))
        places = Phrase(
            NN_(
                "{places} places of {count} sentence of the miniatures' world.",
                "{places} places of {count} sentences of the miniatures' world.",
            ),
            count=answers.sentences,
            places=whole(answers.places),
        )
        about = Phrase(
            N_(
                "Reliability after Guo et al. 2017: the places by the probability of the model's "
                "first word, in {bins} bins of equal width. The calibration error is the mean "
                "distance from the diagonal, each bin by its places."
            ),
            bins=BINS,
        )
        found += [Said(places, near=True), _loss(answers), Cards(tuple(cards), filled=True)]
        found.append(Said(about, Manner.EXPLANATION, near=True))
    if answers.outside:
        left_out = NN_(
            "{count} sentence without exact answers is left out: it is not of the miniatures' "
            "world.",
            "{count} sentences without exact answers are left out: they are not of the "
            "miniatures' world.",
        )
        found.append(Said(Phrase(left_out, count=answers.outside), near=True))
    return tuple(found)


def _loss(answers: PooledAnswers) -> Amounts:
    return Amounts(
        (
            Amount(
                "expected_loss",
                N_("expected loss, nats a place"),
                answers.expected_loss,
                digits=3,
                words=N_("The model's loss over all texts that the places could have had."),
            ),
            Amount(
                "floor",
                N_("floor: the exact answers' entropy"),
                answers.floor,
                digits=3,
                words=N_("The least possible expected loss, in nats a place."),
            ),
            Amount(
                "divergence",
                N_("divergence: KL(exact ‖ model)"),
                answers.divergence,
                digits=3,
                words=N_("What the model adds to the floor, in nats a place."),
            ),
        )
    )


def _truth_card(found: Reliability) -> OneCard:
    right = Amount(
        "exact_accuracy",
        N_("mean exact probability"),
        found.accuracy,
        digits=3,
        words=N_("Of the model's first word: how often it is right in the long run."),
    )
    return _card(
        found,
        N_("Against the exact probability"),
        N_("exact probability"),
        right,
        N_("No text was drawn for these: a model that knows the world has an error of 0."),
    )


def _text_card(found: Reliability) -> OneCard:
    assert found.by_chance is not None
    right = Amount(
        "accuracy",
        N_("accuracy"),
        found.accuracy,
        digits=3,
        words=Phrase(N_("Of {n} places, the share where the first word is there."), n=found.count),
    )
    return _card(
        found,
        N_("Against the words of the text"),
        N_("accuracy"),
        right,
        Phrase(
            N_(
                "By chance alone, a calibrated model would have an error of about {error} at "
                "this number of places."
            ),
            error=f"{found.by_chance:.3f}",
        ),
    )


def _card(found: Reliability, title: str, against: str, right: Amount, about: str) -> OneCard:
    """A curve with its numbers.

    Args:
        found: What it shows.
        title: Above it.
        against: What confidence is compared with.
        right: How often the first word is right.
        about: Below it.
    """
    error = Amount(
        "calibration_error",
        N_("calibration error"),
        found.error or 0.0,
        digits=3,
        words=Phrase(N_("The expected calibration error (ECE) over {n} places."), n=found.count),
    )
    confident = Amount(
        "confidence",
        N_("mean confidence"),
        found.confidence,
        digits=3,
        words=Phrase(
            N_("The model's probability of its first word, at {n} places."), n=found.count
        ),
    )
    curve = Calibration(
        found,
        N_("confidence: the model's probability of its first word"),
        against,
        NN_("{count} place", "{count} places"),
        N_("On the diagonal, words are as probable as the model says. Bars: the share of places."),
    )
    return OneCard(title, (curve, Amounts((error, confident, right)), Said(about, near=True)))
