"""Self-similarity, likeness in a sentence, and the baseline of both, layer by layer."""

from collections.abc import Mapping

import numpy as np

from explorer.questions.layers.layer_similarity.question import (
    Contextuality,
    Floats,
    LayerSimilarityResult,
    ModelLayers,
)
from explorer.text import _
from explorer.ui.charts.description import Axis, Chart, Dash, Line
from explorer.ui.charts.over_layers import layer_axis

COLOURS: tuple[tuple[str, Dash], ...] = (("bar", "solid"), ("bar_second", "dash"))


LEAST_HEIGHT = 0.1
"""Of an axis: a baseline that is 0 everywhere shall look so."""


def kind_of(model: ModelLayers, *, standardised: bool) -> Contextuality:
    """The curves of a model."""
    return model.standardised if standardised else model.plain


def adjusted(values: Floats | None, kind: Contextuality) -> Floats | None:
    """A measure without the baseline of its layer."""
    if values is None or kind.anisotropy is None:
        return None
    return np.asarray(values - kind.anisotropy)


def contextuality_charts(
    result: LayerSimilarityResult, titles: Mapping[str, str], *, standardised: bool
) -> tuple[tuple[Chart, ...], str]:
    """The charts, and why there are fewer than three; "" where there are all."""
    models = [one for one in (result.first, result.second) if one is not None]
    kinds = [kind_of(one, standardised=standardised) for one in models]
    words = models[0].words
    wanted = (
        (
            _("Self-similarity of a word"),
            _(
                "Mean cosine of a word's states in its different sentences, minus the baseline; "
                "{count} words that stand there five times or more.",
                count=words,
            ),
            [adjusted(kind.self_similarity, kind) for kind in kinds],
        ),
        (
            _("Intra-sentence similarity"),
            _("Mean cosine of a sentence's tokens with their mean, minus the baseline."),
            [adjusted(kind.intra_sentence, kind) for kind in kinds],
        ),
        (
            _("Baseline: anisotropy"),
            _("Mean cosine of all pairs of tokens of different sentences."),
            [kind.anisotropy for kind in kinds],
        ),
    )
    charts = tuple(
        _chart(title, said, models, known, titles)
        for title, said, values in wanted
        if len(known := [one for one in values if one is not None]) == len(models)
    )
    if kinds[0].anisotropy is None:
        return charts, _("There is one sentence only: these measures need several.")
    if len(charts) < len(wanted):
        return charts, _("No word stands in the text five times: there is no self-similarity.")
    return charts, ""


def _chart(
    title: str,
    said: str,
    models: list[ModelLayers],
    values: list[Floats],
    titles: Mapping[str, str],
) -> Chart:
    """One measure of the models; a shallower model's layers are spread over the same width."""
    deepest = max(models, key=lambda one: len(one.layers))
    last = len(deepest.layers) - 1
    lines = tuple(
        Line(titles[one.model.id], np.linspace(0.0, last, len(own)), own, colour, dash)
        for one, own, (colour, dash) in zip(models, values, COLOURS, strict=False)
    )
    same = len({one.layers for one in models}) == 1
    of_one = "" if same else _("layer of {model}", model=titles[deepest.model.id])
    axis = layer_axis(deepest.layers, of_one)
    low = min(0.0, *(float(one.min()) for one in values))
    is_flat = all(float(one.max()) < LEAST_HEIGHT for one in values)
    high = LEAST_HEIGHT if is_flat else None
    return Chart(title, said, lines, axis, Axis(_("cosine"), low, high, grid=True))
