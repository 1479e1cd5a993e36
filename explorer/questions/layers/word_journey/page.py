"""A word layer by layer: the vectors that the model has are offered, and t-SNE where it is."""

from collections.abc import Mapping

from explorer.api.question import EMBEDDINGS, Entry, ModelCard, layer_said
from explorer.document import Document
from explorer.questions.layers.word_journey import tsne
from explorer.questions.layers.word_journey.question import (
    LAST,
    PROJECTION,
    QUESTION,
    TSNE,
    VECTOR,
    WordJourneyResult,
)
from explorer.ui.blocks import Offer, Shown, page_of_parts


def offers(now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The vectors that are named and every layer of the model; t-SNE where it is installed."""
    # What a session brought can be set back where it can't be chosen.
    there = tsne.is_installed() or PROJECTION.of(now) == TSNE
    projection = {PROJECTION.key: Offer(there=there)}
    if shown is None:
        return projection
    result: WordJourneyResult = shown.result
    entries = [*VECTOR.translated().entries]
    entries += [
        Entry(name, (words := layer_said(name))[:1].upper() + words[1:])
        for name in result.layers
        if name != EMBEDDINGS
    ]
    value = VECTOR.of(shown.now)
    known = any(one.value == value for one in entries)
    return {**projection, VECTOR.key: Offer(tuple(entries), value if known else LAST)}


PAGE = page_of_parts(QUESTION, offers=offers)
"""Word trajectory: `WordJourneyRequest`'s answer."""
