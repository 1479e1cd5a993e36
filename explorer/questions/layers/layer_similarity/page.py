"""Every layer against every layer as coloured cells, and how contextual each of them is."""

from collections.abc import Iterator, Mapping

from explorer.questions.layers.layer_similarity.curves import contextuality_charts
from explorer.questions.layers.layer_similarity.matrix import cka_block
from explorer.questions.layers.layer_similarity.question import (
    MEASURE,
    OPERATION,
    STANDARDISED,
    UNBIASED,
    LayerSimilarityResult,
    curves_table,
)
from explorer.questions.layers.layer_similarity.wording import (
    measured_on,
    samples_said,
    taught_said,
)
from explorer.text import N_, _
from explorer.text.formatting.numbers import percent
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.blocks.text import Text, heading, note, warning
from explorer.ui.charts.block import ChartBlock
from explorer.ui.matrices.block import MatrixBlock

MANY_UNKNOWN = 0.2
"""Share of unknown tokens from which the numbers say little."""

ABOUT = N_(
    "CKA is 1 where two layers arrange the tokens alike, up to a rotation and a scale, and near 0 "
    "where they have nothing in common. It does not say that a model needs what it has there."
)
BIAS = N_(
    "Linear CKA is biased upwards, and most where there are few tokens for the width of a state: "
    "layers that are unrelated do not get 0. The unbiased estimate corrects that (HSIC_1 of Song "
    "et al. 2012, as in Nguyen, Raghu and Kornblith 2021)."
)
FEW = N_(
    "There are fewer samples here than numbers in a state: linear CKA is high whatever the layers "
    "are. Look at the unbiased measure, or read more text."
)
CURVES = N_(
    "Cosines of states, each without the baseline of its layer: what two tokens of different "
    "sentences have in common anyway. High self-similarity: the word has nearly the same state in "
    "every sentence. High intra-sentence similarity: its tokens drew near to each other "
    "(Ethayarajh 2019, section 3)."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """What it was measured on; the matrix; the curves."""
    result: LayerSimilarityResult = shown.result
    titles = titles_of(shown)
    yield Text(measured_on(result, titles))
    for one in (result.first, result.second):
        if one is not None and one.unknown > MANY_UNKNOWN * one.tokens:
            yield warning(
                _(
                    "{share} of the tokens of {model} are unknown to its vocabulary: choose a text "
                    "in its language.",
                    share=percent(one.unknown / one.tokens),
                    model=titles[one.model.id],
                )
            )
    yield Columns(
        [
            Card([_matrix(shown, result)], _("Layers against layers")),
            Card(list(_explained(shown, result)), _("What it says")),
        ],
        CardWidth.WIDE,
    )
    yield from _curves(shown, result)


def _matrix(shown: Shown, result: LayerSimilarityResult) -> MatrixBlock:
    measure = shown.value(MEASURE)
    title = _(
        "{measure}, {samples}",
        measure=_(MEASURE.entry(measure).title),
        samples=samples_said(result),
    )
    return cka_block(result, measure, title, titles_of(shown))


def _explained(shown: Shown, result: LayerSimilarityResult) -> Iterator[Block]:
    measure = shown.value(MEASURE)
    if result.student:
        yield Text(taught_said(result, measure, titles_of(shown)))
    few = result.samples < max(result.first.width, result.columns.width)
    if few and measure != UNBIASED:
        yield warning(_(FEW))
    yield note(_(ABOUT))
    yield note(_(BIAS))


def _curves(shown: Shown, result: LayerSimilarityResult) -> Iterator[Block]:
    standard = bool(shown.value(STANDARDISED))
    charts, missing = contextuality_charts(result, titles_of(shown), standardised=standard)
    yield heading(_("How contextual the layers are"))
    said = [_(CURVES)]
    if result.second is not None and result.first.layers != result.second.layers:
        said.append(_("The layers of the shallower model are spread over the depth of the other."))
    said.append(
        _("Every dimension is standardised: mean 0 and deviation 1 over the tokens.")
        if standard
        else _("A few outlier dimensions can rule a cosine; standardised ones count alike.")
    )
    yield note(" ".join(said))
    if missing:
        yield note(missing)
    if charts:
        yield ChartBlock(charts)


def titles_of(shown: Shown) -> Mapping[str, str]:
    """What the user reads for each model, by its id."""
    result: LayerSimilarityResult = shown.result
    stamps = [one for one in (result.model, result.other) if one is not None]
    return {one.id: shown.title_of(one) for one in stamps}


PAGE = Page(
    OPERATION,
    blocks,
    table_name=N_("layers"),
    other_tables={N_("curves"): lambda shown: curves_table(shown.result)},
)
