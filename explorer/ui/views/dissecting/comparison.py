"""Two models side by side: their parts, and whose layers came from whose."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.questions.architecture.compare_architectures.ancestry import Ancestry
from explorer.questions.architecture.compare_architectures.comparing import Compared, Side
from explorer.questions.architecture.compare_architectures.likeness import (
    Relation,
    TensorGroup,
    TensorsCompared,
)
from explorer.questions.architecture.compare_architectures.question import CompareAnatomyResult
from explorer.text.quantities import in_words
from explorer.ui.blocks.block import Laid, LaidPage, stack
from explorer.ui.blocks.text import Words
from explorer.ui.matrices.block import CellSize, LaidMatrix, Matrix
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale, number
from explorer.ui.views.dissecting.bars import Bar, Bars
from explorer.ui.views.dissecting.grid import Column, Grid, Row
from explorer.ui.views.dissecting.words import RELATIONS, count

SIZE = CellSize(10.0, 64.0, 0.625, 6.0, 40.0)

_RELATION_COLOURS = {
    Relation.SAME_MEMORY: "positive",
    Relation.EQUAL: "positive",
    Relation.ALIKE: "text",
    Relation.UNRELATED: "muted",
    Relation.OTHER_SHAPE: "muted",
}

COLOURS = {
    "the same": "muted",
    "only in the first": "accent",
    "only in the second": "mask",
    "other sizes": "text",
    "shared in one": "positive",
}


def comparison_page(result: CompareAnatomyResult, width: float) -> LaidPage:
    """Sums, parts, ancestry."""
    first, second = result.titles
    blocks: list[tuple[float, Laid]] = [(0, Words(f"{first}  ·  {second}", width, "heading"))]
    blocks.append((4, Words(_said(result), width)))
    bars = [
        Bar(title, parameters.unique, in_words(parameters.unique), colour)
        for title, parameters, colour in zip(
            result.titles, result.parameters, ("bar", "bar_original"), strict=True
        )
    ]
    blocks.append((12, Bars(bars, width)))
    blocks.append((18, Words("Did one come from the other?", width, "title")))
    blocks += _ancestry(result, width)
    if result.tensors is not None:
        blocks.append((20, Words("Which numbers do they share?", width, "title")))
        blocks.append((4, Words(_said_of_tensors(result, result.tensors), width)))
        blocks.append((6, _tensors(result.tensors, width)))
    blocks.append((20, Words("Part by part", width, "title")))
    blocks.append((6, _parts(result, width)))
    return stack(blocks, width)


def _said(result: CompareAnatomyResult) -> str:
    a, b = (one.unique for one in result.parameters)
    first, second = result.titles
    large, small = max(a, b), max(1, min(a, b))
    if a == b:
        return f"Both have {count(a)} parameters."
    name, other = (first, second) if a > b else (second, first)
    return (
        f"{name} has {large / small:.2f} times the parameters of {other}: "
        f"{count(large)} and {count(small)}."
    )


def _parts(result: CompareAnatomyResult, width: float) -> Grid:
    narrow = width < 640
    columns = [Column("Part"), Column("")]
    columns += [Column(title, numbers=True) for title in result.titles]
    if not narrow:
        columns += [Column(f"Shapes in the {word}", stretch=True) for word in ("first", "second")]
    rows = []
    for one in result.parts:
        cells = [one.role, one.verdict, _amount(one.first), _amount(one.second)]
        if not narrow:
            cells += [_shapes(one.first), _shapes(one.second)]
        rows.append(Row(tuple(cells), colours=_colours(one)))
    return Grid(columns, rows, width)


def _colours(one: Compared) -> dict[int, str]:
    return {1: COLOURS.get(one.verdict, "text"), 4: "muted", 5: "muted"}


def _amount(side: Side) -> str:
    if not side.places:
        return "none"
    if not side.parameters:
        return "tied"
    return in_words(side.parameters)


def _shapes(side: Side) -> str:
    if not side.places:
        return ""
    words = ", ".join(shape for shape in side.shapes if " x " in shape) or ", ".join(side.shapes)
    if side.copies > 1:
        words += f", {side.copies} of each"
    if side.places > side.copies > 0:
        words += f", used {side.places} times"
    return words


def _ancestry(result: CompareAnatomyResult, width: float) -> list[tuple[float, Laid]]:
    ancestry = result.ancestry
    if ancestry is None:
        words = (
            "Only weights can tell: load one model as A and the other as B, and choose the loaded "
            "ones here."
        )
        return [(4, Words(words, width, "small", "muted"))]
    if ancestry.why_not:
        return [(4, Words(ancestry.why_not, width))]
    return [
        (4, Words(lineage(result, ancestry), width)),
        (8, cosines(ancestry.cosines, min(width, 460.0))),
        (
            4,
            Words(
                "Cosine between the weights of a layer of the first (rows) and of the second "
                "(columns). Layers that were trained apart are near 0.",
                width,
                "small",
                "muted",
            ),
        ),
    ]


def _said_of_tensors(result: CompareAnatomyResult, tensors: TensorsCompared) -> str:
    first, second = result.titles
    whole = max(1, result.parameters[0].unique)
    if not tensors.groups:
        return f"No tensor of {first} has the name of one of {second}."
    return (
        f"{count(tensors.shared_parameters)} of {first}'s {count(whole)} numbers "
        f"({100 * tensors.shared_parameters / whole:.0f} %) are {second}'s too. Tensors are "
        f"compared by name; {tensors.own} of the first and {tensors.other_own} of the second have "
        "no counterpart."
    )


def _tensors(tensors: TensorsCompared, width: float) -> Grid:
    narrow = width < 640
    columns = [Column("Tensor"), Column("Numbers"), Column("Correlation", numbers=True)]
    if not narrow:
        columns += [Column("Tensors", numbers=True), Column("Shape"), Column("Layers")]
    rows = []
    for one in tensors.groups:
        cells = [one.name, RELATIONS[one.relation], _correlations(one)]
        if not narrow:
            shapes = [" x ".join(map(str, size)) for size in (one.shape, one.other_shape)]
            said = shapes[0] if shapes[0] == shapes[1] else f"{shapes[0]}, not {shapes[1]}"
            cells += [str(max(1, len(one.layers))), said, _spans(one.layers)]
        colours = {1: _RELATION_COLOURS[one.relation], 4: "muted", 5: "muted"}
        rows.append(Row(tuple(cells), colours=colours))
    return Grid(columns, rows, width)


def _correlations(one: TensorGroup) -> str:
    if one.correlation is None:
        return ""
    low, high = (f"{value:.3f}" for value in one.correlation)
    return low if low == high else f"{low} to {high}"


def _spans(layers: Sequence[int]) -> str:
    """As in "0-3, 7"."""
    runs: list[list[int]] = []
    for layer in layers:
        if runs and layer == runs[-1][-1] + 1:
            runs[-1].append(layer)
        else:
            runs.append([layer])
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs)


def lineage(result: CompareAnatomyResult, ancestry: Ancestry) -> str:
    """Which layers came from which, in a sentence."""
    first, second = result.titles
    known = [(i, j) for i, j in enumerate(ancestry.came_from) if j is not None]
    if not known:
        return f"No layer of {first} is clearly like one of {second}: they were trained apart."
    pairs = ", ".join(f"{i} from {j}" for i, j in known)
    words = f"Layers of {first} that came from {second} or share an ancestor with it: {pairs}."
    rest = len(ancestry.came_from) - len(known)
    if rest:
        words += f" {rest} others are like none."
    if ancestry.embedding is not None:
        words += f" The piece embeddings' cosine is {ancestry.embedding:.3f}."
    return words


def cosines(values: "np.ndarray[Any, Any]", width: float) -> LaidMatrix:
    """The cosines as colours, with numbers."""
    rows = tuple(f"layer {i}" for i in range(values.shape[0]))
    columns = tuple(str(j) for j in range(values.shape[1]))

    def said(row: int, column: int) -> str:
        value = number(float(values[row, column]))
        return f"Layer {row} of the first, layer {column} of the second: {value}"

    content = HeatContent(values, rows, columns, Scale(), said=said)
    return LaidMatrix(Matrix(content), width, SIZE)
