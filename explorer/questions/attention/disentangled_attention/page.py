"""The page of its parts: the bias by distance is a picture of its own."""

from collections.abc import Iterator, Mapping

from explorer.api.question import ModelCard
from explorer.document import Document
from explorer.questions.attention.disentangled_attention.distances import distance_chart
from explorer.questions.attention.disentangled_attention.question import (
    ALL_DISTANCES,
    QUESTION,
    STEP,
)
from explorer.ui.blocks import Block, ChartBlock, Offer, Shown, page_of_parts


def distances(shown: Shown) -> Iterator[Block]:
    """What positions add at each distance."""
    yield ChartBlock((distance_chart(shown.result, whole=ALL_DISTANCES.of(shown.now)),))


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The encoder, and the steps of the mask decoder where the checkpoint has one."""
    steps = shown.result.steps if shown is not None else 0
    return {STEP.key: Offer(STEP.translated().entries[: steps + 1], there=steps > 0)}


PAGE = page_of_parts(QUESTION, {"distances": distances}, offers=offers)
