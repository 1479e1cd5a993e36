"""Exact distributions and a model's, side by side."""

from collections.abc import Mapping

from explorer.api.question import ModelCard
from explorer.document import Document
from explorer.exact_answers.asking import EVERY
from explorer.questions.masking.exact_answers.question import QUESTION, answers_only
from explorer.ui.blocks import Offer, Shown, page_of_parts


def offers(
    _document: Document, _shown: Shown | None, card: ModelCard | None
) -> Mapping[str, Offer]:
    """A model that only finds answers predicts no token."""
    return {EVERY.key: Offer(there=False)} if card is not None and answers_only(card) else {}


PAGE = page_of_parts(QUESTION, offers=offers)
