"""The loop of a judged sentence, with what is measured of it beside it."""

from collections.abc import Sequence

from explorer.api.question import (
    Amounts,
    Cards,
    Curves,
    OneCard,
    OwnPicture,
    Roc,
    Rows,
    Said,
    Width,
)
from explorer.numerics.evaluation.outcomes import DEFAULT_THRESHOLD
from explorer.published.learning_curves import bundled_curves, curve_parts
from explorer.questions.detection.cards import roc_card
from explorer.questions.detection.replaced_tokens.measures import losses_card, signals_card
from explorer.questions.detection.replaced_tokens.options import PAPER_WEIGHT
from explorer.questions.detection.replaced_tokens.question import ReplacedTokensResult

LOOP, ASIDE, EXACTLY = "loop", "aside", "exactly"
"""What the page draws itself: the loop, what is loaded or taken back with a click, and where the
exact answer is laid."""


def parts(
    result: ReplacedTokensResult,
    threshold: float = DEFAULT_THRESHOLD,
    weight: float = PAPER_WEIGHT,
    *,
    learned: bool = False,
) -> Sequence[Said | OwnPicture | Cards | Rows | Curves | Roc | Amounts]:
    """The loop, and beside it what is measured of it.

    Args:
        result: The answer.
        threshold: Above which a token is called replaced.
        weight: The lambda of the total.
        learned: How such models learned is shown instead.
    """
    if learned:
        return tuple(curve_parts(bundled_curves()))
    tokens, masked = result.signals
    measured = Cards(
        (
            losses_card(result.losses, weight, masked, tokens),
            signals_card(tokens, masked),
            roc_card(result.curve, result.counts_at(threshold), threshold),
        ),
        filled=True,
    )
    both = (OneCard("", (OwnPicture(LOOP),)), OneCard("", (measured,)))
    beside = Cards(both, Width.WIDE, framed=False, shares=(2.0, 1.0))
    return (OwnPicture(ASIDE), beside, OwnPicture(EXACTLY))
