"""The loop of a judged sentence, with what is measured of it beside it."""

from explorer.api import Cards, OneCard, OwnPicture, Width
from explorer.questions.detection.cards import roc_card
from explorer.questions.detection.replaced_tokens.measures import losses_card, signals_card
from explorer.questions.detection.replaced_tokens.question import ReplacedTokensResult

LOOP, ASIDE, EXACTLY = "loop", "aside", "exactly"
"""What the page draws itself: the loop, what is loaded or taken back with a click, and where the
exact answer is laid."""


def of_the_loop(
    result: ReplacedTokensResult, threshold: float, weight: float
) -> tuple[OwnPicture | Cards, ...]:
    """The loop, and beside it what is measured of it.

    Args:
        result: The answer.
        threshold: Above which a token is called replaced.
        weight: The lambda of the total.
    """
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
