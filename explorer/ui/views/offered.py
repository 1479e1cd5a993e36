"""What the options of a page can be set to, with the document, the answer and the models of now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.question import ModelCard, Number, Question, Whole
from explorer.document import Document
from explorer.questions import all_questions
from explorer.text import _
from explorer.ui.blocks.page.page import Move, Offer, Page
from explorer.ui.blocks.page.shown import Shown


@dataclass(frozen=True)
class Offered:
    """What its bar shows, by the options' keys.

    Attributes:
        off: Options that mean nothing now, and why.
        most: The largest that whole numbers can be, as the last layer's.
        offers: What is offered.
    """

    off: Mapping[str, str]
    most: Mapping[str, int]
    offers: Mapping[str, Offer]


def offered_by(
    page: Page,
    now: Document,
    shown: Shown | None,
    cards: Mapping[str, ModelCard],
    active: str,
) -> Offered:
    """What a page offers.

    Args:
        page: Whose options.
        now: The document of now.
        shown: The answer; None where there is none.
        cards: Of the models that are loaded, by slot.
        active: The slot whose model answers.
    """
    options, card = page.of.options, cards.get(active)
    off = {one.key: _(one.idle(now)) for one in options if one.idle is not None}
    if page.disabled is not None and shown is not None:
        off |= page.disabled(now, shown.result)
    counting = [one for one in options if isinstance(one, Whole) and one.counts]
    shape = card.attention_shape if counting and card is not None else None
    most = {} if shape is None else {o.key: shape[o.counts == "heads"] - 1 for o in counting}
    fit = {one.key: one.fits for one in options if one.fits is not None}
    offers = {key: Offer(there=card is not None and fits(card)) for key, fits in fit.items()}
    if page.offers is not None:
        offers |= page.offers(now, shown, card)
    if page.offers_of is not None:
        offers |= page.offers_of(now, cards, active)
    return Offered(off, most, offers)


def moved_by(of: Question[Any, Any], key: object) -> Move | None:
    """What moves the option that a chart's marker is of, to where that was dragged.

    Args:
        of: Whose page it is on; the option may be another question's.
        key: The marker's: the option's key, and its value. All others move nothing.
    """
    name, value = key if isinstance(key, tuple) and len(key) == 2 else ("", 0.0)
    every = (of, *all_questions().values())
    option = next((o for of in every for o in of.options if o.key == name), None)
    return (
        Move(option, round(float(value), option.decimals)) if isinstance(option, Number) else None
    )
