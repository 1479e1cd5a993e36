"""Weights as maps and curves: what each drawing is made of."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.api.question import (
    Cards,
    Colours,
    Curve,
    Curves,
    Grid,
    Manner,
    OneCard,
    Panel,
    Rows,
    Said,
    column,
    over_layers,
    row_name,
)
from explorer.api.question.parts.cards import Width
from explorer.api.question.parts.charts.curves import Dash, Over
from explorer.api.question.parts.matrices.grid import Side
from explorer.questions.architecture.weights.question import (
    Drawn,
    DrawnMatrix,
    WeightCurve,
    WeightsResult,
)
from explorer.text import N_, Phrase, _
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.short import number
from explorer.text.phrase import verbatim

LOOKS: tuple[tuple[str, Dash], ...] = (
    ("bar", "solid"),
    ("bar_second", "dash"),
    ("bar_original", "dot"),
    ("muted", "solid"),
    ("danger", "dash"),
    ("accent", "dot"),
    ("mask", "solid"),
)
"""Of curves that share a chart: colours and dashes."""

NAMES = {
    "positions": N_("Position vectors"),
    "distances": N_("Vectors of distances"),
    "segments": N_("Segment vectors"),
    "bias": N_("Added to scores by distance"),
    "query": N_("Query"),
    "key": N_("Key"),
    "value": N_("Value"),
    "output": N_("Output"),
    "qk": N_("QK circuit: who looks for whom"),
    "ov": N_("OV circuit: what is written where a word is seen"),
}
DISTANCE = N_("distance")
SIDES = {
    "positions": (N_("position"), N_("dimension")),
    "distances": (DISTANCE, N_("dimension")),
    "segments": (N_("segment"), N_("dimension")),
    "bias": (N_("head"), DISTANCE),
    "qk": (N_("looks"), N_("is looked for")),
    "ov": (N_("is seen"), N_("is written")),
}
OF_A_HEAD = (N_("dimension of the head"), N_("dimension of the state"))
CURVE_NAMES = {
    "positions": N_("positions"),
    "distances": N_("distances"),
    "query": N_("query"),
    "key": N_("key"),
    "value": N_("value"),
    "output": N_("output"),
    "qk": N_("QK circuit"),
    "ov": N_("OV circuit"),
    "feed_forward_in": N_("feed-forward in"),
    "gate": N_("feed-forward gate"),
    "feed_forward_out": N_("feed-forward out"),
    "checkpoint": N_("this checkpoint"),
    "scaled": N_("as initialised, scaled"),
    "unscaled": N_("without the scaling"),
}
COSINES = N_(
    "The cosine of two rows, the mean over all pairs at the same distance; the band is one "
    "deviation to each side."
)
SPECTRA = N_(
    "Singular values, the largest first. The circuits are W_Q^T W_K and W_V^T W_O: the first "
    "says what the head compares, the second what it moves. Where few values are large, the head "
    "uses few directions."
)
LEFT = N_(
    "Both circuits are of the weights alone: a word's vector goes straight through the head. "
    "Norms, positions and biases are left out, so these are no scores of a sentence."
)
WRITTEN = N_(
    "What the head raises where it sees a word, before any norm: the vector that it adds, laid "
    "against the table of the head for words."
)
SIZE = N_(
    "The Frobenius norm is the root of the sum of squares of a matrix; the root mean square is of "
    "one of its numbers, so that matrices of different size compare."
)
STARTED = N_("The dotted line is the deviation that the config initialises with.")
LENGTHS = N_(
    "The Euclidean length of each token's state; the line is the mean over the tokens, the band "
    "reaches from the shortest to the longest."
)
GROWTH = N_(
    "The same text in a model of the same config with random weights (seed {seed}): as its class "
    "initialises it, with what is added to the stream {stated} times as large, which is 1/√(2N) "
    "for N = {layers} layers, and without."
)
TRAINED = N_(
    "At initialisation the output projections are {measured} times as large as the other "
    "weights; in this checkpoint {trained} times."
)
IN_PART = N_("Of {rows} rows and {columns} columns {drawn_rows} and {drawn_columns} are drawn.")


@dataclass(frozen=True)
class WrittenPieceRow:
    """What a head writes where it sees a word."""

    word: str = column(N_("word"), key=True)
    writes: str = column(N_("writes most"), compared=False)
    score: float = column(N_("score"), digits=2)
    own_rank: int = column(N_("rank of itself"))


def parts(result: WeightsResult) -> Iterator[Said | Grid | Curves | Cards | Rows]:
    """What was asked for."""
    made = {
        Drawn.POSITIONS: _positions,
        Drawn.HEAD: _head,
        Drawn.CIRCUITS: _circuits,
        Drawn.NORMS: _norms,
        Drawn.RESIDUAL: _residual,
    }
    yield from made[result.drawn](result)


def _positions(result: WeightsResult) -> Iterator[Said | Grid | Curves]:
    curves = result.of_panel("cosine")
    if curves:
        at = max((one.at for one in curves), key=len)
        over = Over("distance", DISTANCE, at.astype(float), whole=True)
        panel = Panel("cosine", N_("Cosine by distance"), _lines(curves), COSINES, height=150.0)
        yield Curves(over, (panel,), Width.WIDE, title=N_("How alike positions are"))
    for one in result.matrices:
        yield from _drawn(one)


def _head(result: WeightsResult) -> Iterator[Said | Cards | Curves]:
    curves = result.of_panel("spectrum")
    over = Over("rank", N_("rank"), curves[0].at.astype(float), whole=True)
    four, two = curves[:4], curves[4:]
    cards = tuple(OneCard("", tuple(_drawn(one))) for one in result.matrices)
    yield Cards(cards, Width.MEDIUM, framed=False)
    panels = (
        Panel("matrices", N_("Singular values of the matrices"), _lines(four)),
        Panel("circuits", N_("Singular values of the circuits"), _lines(two)),
    )
    yield Curves(over, panels, Width.MEDIUM, title=N_("Spectra"))
    yield Said(SPECTRA, Manner.EXPLANATION)


def _circuits(result: WeightsResult) -> Iterator[Said | Cards | Rows]:
    yield Said(LEFT, Manner.PLAIN)
    if result.matrices:
        cards = tuple(OneCard("", tuple(_drawn(one))) for one in result.matrices)
        yield Cards(cards, Width.WIDE, framed=False)
    if result.written:
        yield Rows(
            WrittenPieceRow,
            tuple(
                WrittenPieceRow(one.word, " · ".join(one.pieces), one.scores[0], one.rank)
                for one in result.written
            ),
            title=N_("What the head writes"),
        )
        yield Said(WRITTEN, Manner.EXPLANATION)


def _norms(result: WeightsResult) -> Iterator[Said | Curves]:
    floors = () if result.initial is None else (result.initial,)
    layers = result.of_panel("norm")[0].at.astype(int).tolist()
    panels = (
        Panel("norm", N_("Frobenius norm"), _lines(result.of_panel("norm"), layers), height=170.0),
        Panel(
            "size",
            N_("Root mean square of a number"),
            _lines(result.of_panel("size"), layers),
            STARTED if floors else "",
            height=170.0,
            floors=floors,
        ),
    )
    yield Curves(over_layers([str(one) for one in layers]), panels, Width.MEDIUM)
    yield Said(SIZE, Manner.EXPLANATION)


def _residual(result: WeightsResult) -> Iterator[Said | Curves]:
    for panel, title, words in (
        ("residual", N_("Length of a state"), LENGTHS),
        ("initial", N_("Length of a state with random weights"), LENGTHS),
    ):
        curves = result.of_panel(panel)
        if curves:
            names = [row_name(n) for n in range(len(curves[0].at))]
            one = Panel(panel, title, _lines(curves), words, height=170.0, switched=True)
            yield Curves(over_layers(names), (one,), Width.WIDE)
    scaling = result.scaling
    if scaling is not None:
        stated = decimal(scaling.stated, 2)
        growth = Phrase(GROWTH, seed=str(scaling.seed), stated=stated, layers=scaling.layers)
        yield Said(growth)
        measured, trained = decimal(scaling.measured, 2), decimal(scaling.trained, 2)
        yield Said(Phrase(TRAINED, measured=measured, trained=trained), near=True)


def _lines(curves: tuple[WeightCurve, ...], layers: list[int] | None = None) -> tuple[Curve, ...]:
    """As they are drawn; over layers, a curve's places are its layers' places on the axis."""
    found = []
    for one, (colour, dash) in zip(curves, LOOKS, strict=False):
        band = None if one.low is None or one.high is None else (one.low, one.high)
        at = one.at.astype(float)
        if layers is not None:
            at = np.array([layers.index(int(layer)) for layer in one.at], float)
        over_rows = one.panel in ("residual", "initial")
        found.append(
            Curve(
                CURVE_NAMES[one.name],
                one.values,
                colour,
                dash,
                band,
                at=None if over_rows else at,
            )
        )
    return tuple(found)


def _drawn(one: DrawnMatrix) -> Iterator[Grid | Said]:
    """A matrix, and how much of it there is where some is left out."""
    down, across = SIDES.get(one.name, OF_A_HEAD)
    largest = float(np.abs(one.values).max(initial=0.0)) or 1.0

    def said(row: int, at: int) -> str:
        return _(
            "{down} {row}, {across} {column}: {value}",
            down=_(down),
            row=one.rows[row],
            across=_(across),
            column=one.columns[at],
            value=number(float(one.values[row, at]), signed=True),
        )

    yield Grid(
        one.name,
        one.values,
        Side(down, _labels(one.rows, down)),
        Side(across, _labels(one.columns, across)),
        NAMES[one.name],
        said,
        colours=Colours(largest, -largest, diverging=True),
        file=NAMES[one.name],
    )
    if not one.is_whole:
        rows, columns = one.values.shape
        left = Phrase(
            IN_PART,
            rows=one.shape[0],
            columns=one.shape[1],
            drawn_rows=rows,
            drawn_columns=columns,
        )
        yield Said(left, near=True)


def _labels(names: tuple[str, ...], side: str) -> tuple[str, ...]:
    """Numbers and pieces as people read them, which no language changes; distances with a minus."""
    if side == DISTANCE:
        names = tuple(one.replace("-", "−") for one in names)
    return tuple(map(verbatim, names))
