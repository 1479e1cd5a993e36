"""Every loss between a teacher and a student for this input, and their layers on each other."""

from collections.abc import Iterator

from explorer.api import Table
from explorer.questions.distillation.distillation_losses.layers import (
    layer_matrix,
    measure_of,
    values_of,
)
from explorer.questions.distillation.distillation_losses.papers import by_paper, paper
from explorer.questions.distillation.distillation_losses.question import (
    OPERATION,
    DistillationLossesResult,
    LayerLosses,
)
from explorer.questions.distillation.distillation_losses.settings import (
    MAP,
    MEASURE,
    settings_of,
)
from explorer.questions.distillation.distillation_losses.terms import table_of, terms
from explorer.questions.distillation.over_temperature import TITLE
from explorer.questions.distillation.roles import SECOND_MODEL, legend, shown_pair
from explorer.text import N_, _
from explorer.text.glossary import explain
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.blocks.text import Text, note
from explorer.ui.parts.page import part_blocks, parts_shown

WHY_SQUARED = N_(
    "Why T²: the gradient (q − p) / T of the distillation loss shrinks with the temperature, about "
    "as 1 / T² where T is high. Multiplied by T² it keeps its size, so the weights of the sum mean "
    "the same at every temperature."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """The losses of every paper, then layers against layers and the gradient's size."""
    result: DistillationLossesResult = shown.result
    yield legend(shown_pair(shown))
    yield Columns(
        [paper(*one) for one in by_paper(terms(result, settings_of(shown.now)))], CardWidth.WIDE
    )
    below = []
    if result.layers is not None:
        below.append(Card(list(_layers(shown, result.layers)), _("Layers")))
    if result.predictions is not None:
        below.append(Card(list(_gradient(shown)), _("Why T squared")))
    if below:
        yield Columns(below, CardWidth.WIDE)


def _layers(shown: Shown, layers: LayerLosses) -> Iterator[Block]:
    measure = measure_of(shown.now)
    values = values_of(layers, measure)
    yield Text(
        _("Every student layer against every teacher layer. {title}", title=_(measure.title)),
        "strong",
    )
    if values is None:
        yield note(_("The models have different numbers of heads, so attention can't be compared."))
        return
    explained = _(
        "{words} Framed: the layer map, which the losses above follow.",
        words=_(measure.words, meaning=explain("linear CKA")),
    )
    if layers.fits_exactly and measure.key in ("mse", "cosine"):
        explained += _(" Here least squares fits exactly: look at CKA instead.")
    yield note(explained)
    yield layer_matrix(shown, values, measure)


def _gradient(shown: Shown) -> Iterator[Block]:
    yield Text(_("Why T squared"), "strong")
    yield note(_(WHY_SQUARED))
    yield from part_blocks(OPERATION, shown)


def _without_layers(_document: object, result: DistillationLossesResult | None) -> dict[str, str]:
    if result is None or result.layers is not None:
        return {}
    why = _("The layers of these models can't be compared token by token.")
    return {MAP.key: why, MEASURE.key: why}


def table(shown: Shown) -> Table:
    """Every loss in the settings of now."""
    return table_of(shown.result, settings_of(shown.now))


def curves_table(shown: Shown) -> Table | None:
    """The gradient and the divergence over the temperature."""
    return next((one.table() for one in parts_shown(OPERATION, shown)), None)


PAGE = Page(
    OPERATION,
    blocks,
    second_model_hint=SECOND_MODEL,
    table=table,
    other_tables={TITLE: curves_table},
    disabled=_without_layers,
)
