"""The page of its parts, with the stacks of layers that the model has."""

from collections.abc import Mapping

from explorer.api.question import Entry, ModelCard
from explorer.document import Document
from explorer.questions.architecture.weights.question import DRAWN, KIND, QUESTION, WeightsResult
from explorer.text import _
from explorer.ui.blocks import Offer, Shown, page_of_parts


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The stacks that the model has; a single one is not worth a choice."""
    result: WeightsResult | None = shown.result if shown is not None else None
    if result is None:
        return {KIND.key: Offer(there=False)}
    entries = [Entry(kind, _(KIND.entry(kind).title)) for kind, _layers, _heads in result.stacks]
    return {KIND.key: Offer(entries, result.kind or entries[0].value, there=len(entries) > 1)}


PAGE = page_of_parts(QUESTION, offers=offers, tab=DRAWN)
