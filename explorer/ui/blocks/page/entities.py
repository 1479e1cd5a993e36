"""Entities that are on the text, and no part of what was asked."""

from collections.abc import Iterator
from typing import Any

from explorer.api.question import (
    READS_ENTITIES,
    ModelStamp,
    Question,
    ReadsEntities,
    with_entities,
)
from explorer.text import _
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.text import Text, note


def entities_left_out(question: Question[Any, Any], shown: Shown) -> Iterator[Text]:
    """A note where a model that reads entities answered without those of the text.

    A question that no model is needed for, or that is asked of no text, leaves nothing out.
    """
    entities, needs_models = shown.now.entities, any(question.roles.values())
    if not entities or not question.reads_text or not needs_models:
        return
    if issubclass(question.request, ReadsEntities):
        # It may be asked of a file's sentences now, and not of the text.
        request = question.request_of(shown.now)
        if request is None or with_entities(request, entities).entities:
            return
    stamps = [one for one in vars(shown.result).values() if isinstance(one, ModelStamp)]
    cards = (card for card in shown.cards.values() if card.stamp in stamps)
    if any(READS_ENTITIES in card.operations for card in cards):
        yield note(_(question.leaves_out_entities))


def masks_lifted(question: Question[Any, Any], shown: Shown) -> Iterator[Text]:
    """A note where the text has masks, and a question that hides tokens itself takes them away."""
    if question.lifts_masks and shown.asked.masks:
        yield note(_(question.lifts_masks))
