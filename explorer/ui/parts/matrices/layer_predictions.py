"""Predictions of every layer: a word a layer and place, and the curves of one place."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from explorer.api.question import (
    Curve,
    Curves,
    LayerPredictions,
    LensGrid,
    Panel,
    Token,
    Width,
    layer_label,
    layer_said,
    over_layers,
)
from explorer.document import Document
from explorer.exact_answers.answers import ExactPlace
from explorer.text import N_, Phrase, _, verbatim
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import decimal, percent
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.text import heading, note, warning
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import CellMark, HeatContent
from explorer.ui.matrices.scale import Scale
from explorer.ui.parts.drawing import blocks_of
from explorer.ui.parts.exact import exact_at, exact_said
from explorer.ui.parts.looking import Looking
from explorer.ui.sentence import pieces as of

SIZE = CellSize(narrowest=5, widest=96, share=0.36, lowest=20, highest=26)
LINES = ("bar", "bar_second", "accent", "muted", "bar_original")
DASHES: Sequence[Any] = ("solid", "dash", "dot", "dash dot")
FINAL_WORDS = 3
"""Of the last layer, whose curves are shown where no words were asked for."""
ALONE = N_("This model predicts what is hidden only, so every token is hidden alone.")

MEASURES = {
    "probability": N_("Probability of the word in the cell"),
    "entropy": N_("Entropy in nats"),
    "divergence": N_("KL(last layer ‖ this layer) in nats"),
    "rank": N_("Rank of the last layer's top word"),
}


def values_of(grid: LensGrid, measure: str) -> tuple[Any, Scale]:
    """The numbers that cells are coloured by, and their scale."""
    if measure == "entropy":
        return grid.entropies, Scale.from_zero(grid.entropies)
    if measure == "divergence":
        return grid.divergences, Scale.from_zero(grid.divergences)
    if measure == "rank":
        ranks = grid.ranks.astype(np.float32)
        return ranks, Scale(float(ranks.max()) or 1.0, logarithmic=True)
    return grid.probabilities[:, :, 0], Scale(1.0)


def blocks(part: LayerPredictions, looking: Looking) -> Iterator[Block]:
    """The grid of words, what is said of it, the curves of one place."""
    shown, grid = looking.shown, part.grid
    if part.missing:
        words = ", ".join(f"“{isolated(word)}”" for word in part.missing)
        yield warning(_("No single piece of this model's vocabulary: {words}.", words=words))
    column = part.column(next(iter(looking.chosen), None))
    measure = looking.value("show") or "probability"
    yield grid_block(grid, part.tokens, shown.asked, measure, column, looking.choose)
    alone = _(ALONE) if grid.alone else ""
    told = (alone, _agreement_said(part), _(part.remark) if part.remark else "")
    yield note(" ".join(filter(None, told)))
    yield from exact_said(shown)
    yield from _curves(part, looking, column, exact_at(shown, grid.places[column]))


def _agreement_said(part: LayerPredictions) -> str:
    """How many places have their final first word already one layer before."""
    shares = part.agreement()
    if len(shares) < 2:
        return ""
    return _(
        "At {share} of the positions the last layer's top word is on top one layer before; at the "
        "embeddings, {start}.",
        share=percent(shares[-2]),
        start=percent(shares[0]),
    )


def grid_block(
    grid: LensGrid,
    tokens: Sequence[Token],
    document: Document | None,
    measure: str,
    column: int,
    choose: Callable[[int], Any],
) -> MatrixBlock:
    """The first word of every layer at every place; the last layer stands on top.

    Args:
        grid: The numbers.
        tokens: The input.
        document: The text they are of.
        measure: What colours the cells.
        column: The place whose curves are shown.
        choose: From a position to the gesture that shows its curves.
    """
    named = of.token_labels(tokens, document)
    labels = [named[place] for place in grid.places]
    values, scale = values_of(grid, measure)
    last = len(grid.layers) - 1
    best = [[grid.best(layer, n) for n in range(len(grid.places))] for layer in range(last + 1)]

    def said(row: int, at: int) -> str:
        layer = last - row
        words = [f"{isolated(one.word)} {percent(one.probability)}" for one in best[layer][at]]
        lines = [
            _(
                "{layer}, at “{token}”",
                layer=layer_said(grid.layers[layer]),
                token=labels[at],
            ),
            ", ".join(words),
            _("Entropy: {value} nats", value=decimal(float(grid.entropies[layer, at]), 3)),
            _(
                "KL to the last layer: {value} nats",
                value=decimal(float(grid.divergences[layer, at]), 3),
            ),
            _("Rank of the last layer's top word: {rank}", rank=int(grid.ranks[layer, at])),
        ]
        return "\n".join(lines)

    content = HeatContent(
        values[::-1],
        tuple(layer_label(name) for name in reversed(grid.layers)),
        tuple(labels),
        scale,
        row_title=_("layer"),
        column_title=_("position"),
        texts=lambda row, at: best[last - row][at][0].word,
        said=said,
        marks=tuple(CellMark(row, column, "chosen") for row in range(last + 1)),
        seams=True,
        from_right=of.starts_at_right(tokens, document),
    )
    matrix = Matrix(
        content,
        title=_(MEASURES[measure]),
        key=lambda row, at: ("cell", (grid.layers[last - row], grid.places[at])),
        act=lambda _row, at: choose(grid.places[at]),
    )
    return MatrixBlock(matrix, SIZE)


def _curves(
    part: LayerPredictions, looking: Looking, column: int, exact: ExactPlace | None
) -> Iterator[Block]:
    """Words at one place over the layers, and how far each layer is from the last."""
    grid = part.grid
    place = of.token_labels(part.tokens, looking.shown.asked)[grid.places[column]]
    last = len(grid.layers) - 1
    if grid.chosen:
        followed = [(one.word, one.probabilities[:, column]) for one in grid.chosen]
    else:
        words = grid.best(last, column)[:FINAL_WORDS]
        followed = [(one.word, grid.kept[:, column, n]) for n, one in enumerate(words)]
    first = part.settled(column)
    yield heading(_("At “{token}”, layer by layer", token=place))
    yield note(
        _(
            "The last layer's top word, “{word}”, is on top from here on: {layer}.",
            word=grid.best(last, column)[0].word,
            layer=layer_said(grid.layers[first]),
        )
    )
    lines = [
        Curve(verbatim(word), values, LINES[n % len(LINES)], DASHES[n % 4])
        for n, (word, values) in enumerate(followed)
    ]
    worth = [None if exact is None else exact.worth(word) for word, _values in followed]
    lines += [
        Curve(
            Phrase(N_("{word}, exact"), word=followed[n][0]),
            np.full(last + 1, value),
            LINES[n % len(LINES)],
            "dot",
            thick=1.2,
        )
        for n, value in enumerate(worth)
        if value is not None
    ]
    chances = Panel(
        "probability",
        N_("Probability of words"),
        tuple(lines),
        N_("What each layer's states give the word through the model's own head."),
        high=1.0,
        unit=N_("probability"),
        switched=True,
    )
    distance = Panel(
        "distance",
        N_("Distance from the last layer"),
        (
            Curve(N_("KL"), grid.divergences[:, column]),
            Curve(N_("entropy"), grid.entropies[:, column], "bar_second", "dash"),
        ),
        N_("KL(last layer ‖ this layer) and the layer's entropy, in nats."),
        unit=N_("nats"),
    )
    yield from blocks_of(
        Curves(over_layers(grid.layers), (chances, distance), Width.MEDIUM), looking
    )
