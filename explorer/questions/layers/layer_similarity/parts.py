"""Every layer against every layer as coloured cells, and how contextual each of them is."""

import math
from collections.abc import Iterator, Mapping

import numpy as np

from explorer.api.question import (
    SECOND,
    Colours,
    Curve,
    Curves,
    Grid,
    Manner,
    Panel,
    Said,
    label_phrase,
    layer_said,
    over_layers,
)
from explorer.api.question.parts.charts.curves import Dash
from explorer.api.question.parts.matrices.grid import Side
from explorer.questions.layers.layer_similarity.question import (
    LINEAR,
    MEASURE,
    UNBIASED,
    Contextuality,
    Floats,
    LayerSimilarityResult,
    ModelLayers,
)
from explorer.questions.layers.layer_similarity.wording import (
    measured_on,
    samples_said,
    taught_said,
)
from explorer.text import N_, Phrase, _, verbatim
from explorer.text.formatting.numbers import decimal, percent

MANY_UNKNOWN = 0.2
"""Share of unknown tokens from which the numbers say little."""
LOOKS: tuple[tuple[str, Dash], ...] = (("bar", "solid"), ("bar_second", "dash"))
LEAST_HEIGHT = 0.1
"""Of an axis: a baseline that is 0 everywhere shall look so."""

ABOUT = N_(
    "CKA is 1 where two layers arrange the tokens alike, up to rotation and "
    "scale, and near 0 where they share nothing. It does not say that a model "
    "needs what is there."
)
BIAS = N_(
    "Linear CKA is biased upwards, most where tokens are few for the width of a "
    "state: unrelated layers do not get 0. The unbiased estimate corrects that "
    "(HSIC_1 of Song et al. 2012, as in Nguyen, Raghu and Kornblith 2021)."
)
FEW = N_(
    "There are fewer samples here than numbers in a state: linear CKA is high whatever the layers "
    "are. Look at the unbiased measure, or read more text."
)
UNKNOWN = N_(
    "{share} of the tokens of {model} are unknown to its vocabulary: choose a text in its language."
)
CURVES = N_(
    "Cosines of states, minus the baseline of their layer: the cosine that any "
    "two tokens of different sentences have. High self-similarity: the word has "
    "nearly the same state in every sentence. High intra-sentence similarity: the"
    " sentence's tokens drew near to each other (Ethayarajh 2019, section 3)."
)
SHALLOWER = N_("The layers of the shallower model are spread over the depth of the other.")
STANDARD = N_("Every dimension is standardised: mean 0 and deviation 1 over the tokens.")
PLAIN = N_("A few outlier dimensions can dominate a cosine; standardised, all count alike.")


def parts(
    result: LayerSimilarityResult,
    measure: str = LINEAR,
    standardised: bool = False,
    titles: Mapping[str, str] | None = None,
) -> Iterator[Said | Grid | Curves]:
    """What it was measured on; the matrix; the curves."""
    titles = titles or {}
    named = {one.model.id: titles.get(one.model.id, one.model.name) for one in result.models}
    yield Said(measured_on(result, named), Manner.PLAIN)
    for one in result.models:
        if one.unknown > MANY_UNKNOWN * one.tokens:
            share = percent(one.unknown / one.tokens)
            told = Phrase(UNKNOWN, share=share, model=named[one.model.id])
            yield Said(told, Manner.WARNING)
    yield _matrix(result, measure, named)
    yield from _explained(result, measure, named)
    yield from _curves(result, named, standardised=standardised)


def _matrix(result: LayerSimilarityResult, measure: str, titles: Mapping[str, str]) -> Grid:
    """How alike all layers are; a student's are its rows, what each was made from is framed."""
    turned = result.student == SECOND
    rows, columns = (result.columns, result.first) if turned else (result.first, result.columns)
    values = result.unbiased if measure == UNBIASED else result.cka

    def pair(row: int, column: int) -> tuple[int, int]:
        return (column, row) if turned else (row, column)

    def said(row: int, column: int) -> str:
        first, second = pair(row, column)
        lines = [
            _(
                "{layer} of {model}, {other} of {second}",
                layer=layer_said(rows.layers[row]),
                model=titles[rows.model.id],
                other=layer_said(columns.layers[column]),
                second=titles[columns.model.id],
            ),
            _("Linear CKA: {value}", value=decimal(float(result.cka[first, second]), 4)),
            _("Unbiased: {value}", value=decimal(float(result.unbiased[first, second]), 4)),
        ]
        if result.student and result.is_taught(first, second):
            lines.append(_("The student's layer was made from this one."))
        return "\n".join(lines)

    def side(one: ModelLayers) -> Side:
        title = Phrase(N_("layer of {model}"), model=titles[one.model.id])
        return Side(title, tuple(map(label_phrase, one.layers)))

    # From a little below the least value to 1, so that layers can be told apart.
    least = math.floor(float(values.min()) * 20 - 1e-9) / 20
    return Grid(
        "cka",
        values.T if turned else values,
        side(rows),
        side(columns),
        Phrase(
            N_("{measure}, {samples}"),
            measure=Phrase(MEASURE.entry(measure).title),
            samples=samples_said(result),
        ),
        said,
        lambda value: decimal(value, 2),
        Colours(low=min(least, 0.95)),
        framed=[
            (row, column)
            for row in range(len(rows.layers))
            for column in range(len(columns.layers))
            if result.student and result.is_taught(*pair(row, column))
        ],
    )


def _explained(
    result: LayerSimilarityResult, measure: str, titles: Mapping[str, str]
) -> Iterator[Said]:
    if result.student:
        yield Said(taught_said(result, measure, titles), Manner.PLAIN)
    if result.samples < max(one.width for one in result.models) and measure != UNBIASED:
        yield Said(FEW, Manner.WARNING)
    yield Said(ABOUT, Manner.EXPLANATION, near=True)
    yield Said(BIAS, Manner.EXPLANATION, near=True)


def _curves(
    result: LayerSimilarityResult, titles: Mapping[str, str], *, standardised: bool
) -> Iterator[Said | Curves]:
    """Self-similarity, likeness in a sentence, and the baseline of both, layer by layer."""
    models = result.models
    deepest = max(models, key=lambda one: len(one.layers))
    is_one_depth = len({one.layers for one in models}) == 1
    sentences = (CURVES, "" if is_one_depth else SHALLOWER, STANDARD if standardised else PLAIN)
    title = N_("How contextual the layers are")
    yield Said(Phrase.joined(filter(None, sentences)), Manner.EXPLANATION, title=title, near=True)
    kinds = [one.standardised if standardised else one.plain for one in models]
    words = N_(
        "Mean cosine of a word's states in its different sentences, minus the "
        "baseline; {count} words that occur there five times or more."
    )
    told = (
        (
            "self_similarity",
            N_("Self-similarity of a word"),
            Phrase(words, count=models[0].words),
            [adjusted(one.self_similarity, one) for one in kinds],
        ),
        (
            "intra_sentence",
            N_("Intra-sentence similarity"),
            N_("Mean cosine of a sentence's tokens with their mean, minus the baseline."),
            [adjusted(one.intra_sentence, one) for one in kinds],
        ),
        (
            "anisotropy",
            N_("Baseline: anisotropy"),
            N_("Mean cosine of all pairs of tokens of different sentences."),
            [one.anisotropy for one in kinds],
        ),
    )
    wanted = [
        Panel(name, heading, lines, about, high=_high(lines), unit=N_("cosine"))
        for name, heading, about, values in told
        for lines in (_lines(models, values, titles),)
    ]
    panels = tuple(one for one in wanted if one.curves)
    if kinds[0].anisotropy is None:
        yield Said(N_("There is one sentence only: these measures need several."), near=True)
    elif len(panels) < len(wanted):
        none = N_("No word occurs in the text five times: there is no self-similarity.")
        yield Said(none, near=True)
    if panels:
        of_one = Phrase(N_("layer of {model}"), model=titles[deepest.model.id])
        axis = over_layers(deepest.layers, N_("layer") if is_one_depth else of_one)
        yield Curves(axis, panels)


def _lines(
    models: tuple[ModelLayers, ...], values: list[Floats | None], titles: Mapping[str, str]
) -> tuple[Curve, ...]:
    """A curve a model, a shallower one's spread over the same width; none where one has none."""
    last = max(len(one.layers) for one in models) - 1
    known = [one for one in values if one is not None]
    if len(known) < len(models):
        return ()
    return tuple(
        Curve(verbatim(titles[one.model.id]), own, *look, at=np.linspace(0.0, last, len(own)))
        for one, own, look in zip(models, known, LOOKS, strict=False)
    )


def _high(lines: tuple[Curve, ...]) -> float | None:
    is_flat = all(float(one.values.max()) < LEAST_HEIGHT for one in lines)
    return LEAST_HEIGHT if is_flat else None


def adjusted(values: Floats | None, kind: Contextuality) -> Floats | None:
    """A measure without the baseline of its layer."""
    if values is None or kind.anisotropy is None:
        return None
    return np.asarray(values - kind.anisotropy)
