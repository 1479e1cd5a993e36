"""The pictures of a word's journey: words in two dimensions, and likeness over the layers."""

import numpy as np

from explorer.questions.layers.word_journey.question import PCA, TSNE, WordJourneyResult
from explorer.questions.layers.word_journey.wording import numbered, place_said, vector_said
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal, percent
from explorer.ui.blocks.remembered import remembered
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Points, Reference
from explorer.ui.charts.over_layers import layer_axis, over_layers

SHOWN = {
    PCA: N_("Words on the first two principal components; “{word}” stands out."),
    TSNE: N_("Words where t-SNE puts them; “{word}” stands out."),
}
MARGIN = 0.12
"""Of the picture, free on either side of the outermost points."""


def shown_vectors(result: WordJourneyResult, vector: int) -> list[int]:
    """The embeddings, the middle layer and the last one, and the one that was chosen."""
    last = len(result.layers) - 1
    return sorted({0, last // 2, last, vector})


@remembered()
def pictures(result: WordJourneyResult, vector: int, chosen: int) -> ChartBlock:
    """The words in a few layers side by side."""
    return ChartBlock(
        tuple(picture(result, one, chosen) for one in shown_vectors(result, vector)),
    )


def picture(result: WordJourneyResult, vector: int, chosen: int) -> Chart:
    """The words on the two principal components of one vector, or where t-SNE puts them."""
    own = set(result.occurrences)
    # The word's occurrences come first, so that their names have a place.
    order = [*result.occurrences, *(n for n in range(len(result.words)) if n not in own)]
    points = result.coordinates[vector][order].astype(np.float64)
    first, second = _axes(result, vector)
    title = vector_said(result.vectors[vector])
    trust = float(result.trust[vector])
    return Chart(
        title[:1].upper() + title[1:],
        _(SHOWN[result.projection], word=result.word),
        (
            Points(
                points[:, 0],
                points[:, 1],
                tuple(
                    numbered(result.words[n]) if n in own else result.words[n].word for n in order
                ),
                tuple(place_said(result, n) for n in order),
                tuple("mask" if n in own else "muted" for n in order),
                tuple(n == result.occurrences[chosen] for n in order),
                radius=4.5,
            ),
        ),
        _axis(first, points[:, 0]),
        _axis(second, points[:, 1]),
        remark=""
        if np.isnan(trust)
        else _(
            "Trustworthiness {value} (k = {k})",
            value=decimal(trust, 3),
            k=str(result.trust_neighbours),
        ),
        height=250.0,
        frame=True,
    )


def _axes(result: WordJourneyResult, vector: int) -> tuple[str, str]:
    """What the two dimensions are; those of t-SNE mean nothing."""
    if result.projection == TSNE:
        return _("t-SNE 1"), _("t-SNE 2")
    first, second = result.variance[vector].tolist()
    return (
        _("PC 1: {share} of the variance", share=percent(first)),
        _("PC 2: {share} of the variance", share=percent(second)),
    )


def _axis(title: str, values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> Axis:
    low, high = float(values.min()), float(values.max())
    room = MARGIN * (high - low) or 1.0
    return Axis(title, low - room, high + room)


@remembered()
def similarity(result: WordJourneyResult) -> ChartBlock:
    """How alike the word's occurrences are in each layer, beside how alike all words are."""
    layers = len(result.layers)
    own, others = (one[:layers].astype(np.float64) for one in (result.own, result.others))
    lines = []
    if not np.isnan(own - others).any():
        lines.append(over_layers(_("difference"), own - others, "bar", width=2.6))
    if not np.isnan(own).any():
        word = _("between two of “{word}”", word=result.word)
        lines.append(over_layers(word, own, "mask", dash="dash", width=1.6))
    if not np.isnan(others).any():
        name = _("between two other words")
        lines.append(over_layers(name, others, "muted", dash="dot", width=1.6))
    low = min((float(line.y.min()) for line in lines), default=0.0)
    return ChartBlock(
        (
            Chart(
                _("Mean cosine of the word's occurrences"),
                _(
                    "Mean cosine between two occurrences of the word, minus that between two "
                    "other words ({pairs} pairs): what is left is its own (Ethayarajh 2019).",
                    pairs=result.pairs,
                ),
                tuple(lines),
                layer_axis(result.layers),
                Axis(_("cosine"), min(0.0, low), 1.0, grid=True),
                references=(Reference((0.0, 0.0), (float(layers - 1), 0.0)),),
                height=200.0,
                remark="" if lines else _("There is nothing to compare: the word stands alone."),
            ),
        )
    )
