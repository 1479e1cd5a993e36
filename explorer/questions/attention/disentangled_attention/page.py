"""DeBERTa's attention taken apart: the parts of a head's scores, and what each of them is for."""

from collections.abc import Iterator, Mapping

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.attention.disentangled_attention.distances import distance_chart
from explorer.questions.attention.disentangled_attention.question import (
    ALL_DISTANCES,
    HEAD,
    LAYER,
    OPERATION,
    PAIR,
    STEP,
    DisentangledAttentionResult,
    off_words,
)
from explorer.questions.attention.disentangled_attention.score_maps import (
    maps_of,
    place_of_row,
    share_grids,
)
from explorer.questions.attention.disentangled_attention.switches import switches
from explorer.questions.attention.disentangled_attention.wording import (
    off_said,
    pair_said,
    place_said,
    sum_said,
)
from explorer.text import N_, _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, heading, note, section
from explorer.ui.charts.block import ChartBlock
from explorer.ui.document.gestures import Edit, set_options
from explorer.ui.matrices.heads.cells import heads_block
from explorer.ui.matrices.linked import Cell, LinkedMatrices
from explorer.ui.parts.changes import change_blocks
from explorer.ui.sentence.pieces import labels as labels_of

DISTANCES = N_(
    "What positions add at each distance, whatever stands there: the mean over the words of this "
    "text as the content."
)
SHARES = N_(
    "How much of what tells one key from another comes from each part: from every row of scores "
    "its mean is taken away (softmax does not see it); a part's size is the root of the mean "
    "square of what is left, and its share that size divided by all parts'."
)
CHOOSE = N_("Click a head to look at it.")


def blocks(shown: Shown) -> Iterator[Block]:
    """Switches, the maps of one head, predictions and bias by distance, shares of all heads."""
    result: DisentangledAttentionResult = shown.result
    if shown.alone:
        yield note(f"{place_said(result)}.")
    else:
        yield from switches(shown)
    if result.off:
        yield Text(off_said(result))
    yield note(sum_said(result))
    if result.note:
        yield note(said(result.note))
    labels = labels_of(result.tokens, shown.asked)
    yield LinkedMatrices(
        maps_of(result, shown.asked),
        lambda cell: pair_said(result, labels, cell),
        pair_of(shown),
        lambda query, key: shown.setting(PAIR, (query, key), _("choose a pair of tokens")),
    )
    cards = [Card(list(part)) for part in (_predictions(shown), _distances(shown))]
    yield Columns(
        [card for card in cards if card.blocks],
        narrowest=CardWidth.WIDE,
        above=Space.SECTION,
        framed=False,
    )
    yield from _shares(shown)


def pair_of(shown: Shown) -> Cell | None:
    """The pair of tokens that stays marked, where this text has it."""
    pair = PAIR.of(shown.now)
    if not pair or max(pair) >= len(shown.result.tokens):
        return None
    return pair[0], pair[1]


def _predictions(shown: Shown) -> Iterator[Block]:
    """What is predicted before and after; nothing where there is nothing to predict."""
    result: DisentangledAttentionResult = shown.result
    if result.changes is None:
        return
    off = off_words(result.off)
    if off:
        yield from section(_("Predictions before and after"), _("Off: {parts}.", parts=off))
    else:
        both = _("Nothing is switched off: before and after are one.")
        yield from section(_("Predictions"), both)
    yield from change_blocks(result.changes, shown.asked)


def _distances(shown: Shown) -> Iterator[Block]:
    """What positions add at each distance; nothing where the checkpoint does not know them."""
    result: DisentangledAttentionResult = shown.result
    if not result.biases:
        return
    whole = ALL_DISTANCES.of(shown.now)
    yield from section(_("Bias against distance"), _(DISTANCES))
    name = _("draw the distances of this text") if whole else _("draw all distances")
    act = shown.setting(ALL_DISTANCES, not whole, name)
    label, words = _(ALL_DISTANCES.label), _(ALL_DISTANCES.tip)
    yield Chips([Chip(label, act, tip=words, key=("distances",), pressed=whole)])
    yield ChartBlock((distance_chart(result, whole=whole),))


def _shares(shown: Shown) -> Iterator[Block]:
    """A grid of all heads for each part."""
    yield heading(_("Share of each part"))
    yield note(_(SHARES), above=Space.TIGHT, hint=_(CHOOSE))
    grids = share_grids(shown.result, lambda row, head: _look_at(shown, row, head))
    yield Columns(
        [Card([heads_block(heads)]) for heads in grids], narrowest=CardWidth.NARROW, framed=False
    )


def _look_at(shown: Shown, row: int, head: int) -> Edit:
    """Go to a head of a layer, or of a step of the mask decoder, whose layer is always the last."""
    layer, step = place_of_row(shown.result, row)
    values: dict[str, object] = {STEP.key: STEP.written(step), HEAD.key: head}
    if not step:
        values[LAYER.key] = layer
    return set_options(shown.asked, values, _("choose a head"))


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The encoder, and the steps of the mask decoder where the checkpoint has one."""
    steps = shown.result.steps if shown is not None else 0
    return {STEP.key: Offer(STEP.translated().entries[: steps + 1], there=steps > 0)}


PAGE = Page(
    OPERATION,
    blocks,
    offers=offers,
)
