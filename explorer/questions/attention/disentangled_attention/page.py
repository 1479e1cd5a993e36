"""The page of its parts: the switches and the bias by distance are pictures of its own."""

from collections.abc import Iterator, Mapping

from explorer.api.question import ModelCard
from explorer.document import Document
from explorer.questions.attention.disentangled_attention.distances import distance_chart
from explorer.questions.attention.disentangled_attention.question import (
    ALL_DISTANCES,
    OPERATION,
    STEP,
    DisentangledAttentionResult,
)
from explorer.questions.attention.disentangled_attention.switches import switches
from explorer.text import N_, _
from explorer.ui.blocks import Block, ChartBlock, Chip, Chips, Offer, Shown, page_of_parts, section

DISTANCES = N_(
    "What positions add at each distance, whatever stands there: the mean over the words of this "
    "text as the content."
)


def distances(shown: Shown) -> Iterator[Block]:
    """What positions add at each distance."""
    result: DisentangledAttentionResult = shown.result
    whole = ALL_DISTANCES.of(shown.now)
    yield from section(_("Bias against distance"), _(DISTANCES))
    name = _("draw the distances of this text") if whole else _("draw all distances")
    act = shown.setting(ALL_DISTANCES, not whole, name)
    label, words = _(ALL_DISTANCES.label), _(ALL_DISTANCES.tip)
    yield Chips([Chip(label, act, tip=words, key=("distances",), pressed=whole)])
    yield ChartBlock((distance_chart(result, whole=whole),))


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The encoder, and the steps of the mask decoder where the checkpoint has one."""
    steps = shown.result.steps if shown is not None else 0
    return {STEP.key: Offer(STEP.translated().entries[: steps + 1], there=steps > 0)}


PAGE = page_of_parts(OPERATION, {"switches": switches, "distances": distances}, offers=offers)
