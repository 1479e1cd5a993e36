"""Which numbers two loaded models share, tensor by tensor."""

from collections.abc import Iterator, Sequence

from explorer.questions.architecture.architecture.words import count, sizes
from explorer.questions.architecture.compare_architectures.likeness import (
    Relation,
    TensorGroup,
    TensorsCompared,
)
from explorer.questions.architecture.compare_architectures.question import CompareAnatomyResult
from explorer.ui.blocks.bar_table import BarTable
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.rows import Column, Row
from explorer.ui.blocks.text import Text, heading

RELATIONS = {
    Relation.SAME_MEMORY: "one and the same",
    Relation.EQUAL: "equal",
    Relation.ALIKE: "alike",
    Relation.UNRELATED: "unrelated",
    Relation.OTHER_SHAPE: "another shape",
}
"""How a tensor of one model is to the same tensor of another."""


COLOURS = {
    Relation.SAME_MEMORY: "positive",
    Relation.EQUAL: "positive",
    Relation.ALIKE: "text",
    Relation.UNRELATED: "muted",
    Relation.OTHER_SHAPE: "muted",
}


def tensor_blocks(result: CompareAnatomyResult) -> Iterator[Block]:
    """How many numbers are the same, and a row for every tensor both have."""
    tensors = result.tensors
    if tensors is None:
        return
    yield heading("Which numbers do they share?", above=20)
    yield Text(_said(result, tensors), above=4)
    yield _table(tensors)


def _said(result: CompareAnatomyResult, tensors: TensorsCompared) -> str:
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


def _table(tensors: TensorsCompared) -> BarTable:
    columns = (
        Column("Numbers", left=True),
        Column("Correlation"),
        Column("Tensors", dispensable=True),
        Column("Shape", "muted", left=True, dispensable=True),
        Column("Layers", "muted", left=True, dispensable=True),
    )
    rows = []
    for one in tensors.groups:
        shapes = [sizes(shape) for shape in (one.shape, one.other_shape)]
        said = shapes[0] if shapes[0] == shapes[1] else f"{shapes[0]}, not {shapes[1]}"
        cells = (
            RELATIONS[one.relation],
            _correlations(one),
            str(max(1, len(one.layers))),
            said,
            _spans(one.layers),
        )
        rows.append(Row(one.name, cells, inks=(COLOURS[one.relation], "", "", "", "")))
    title = "Which numbers do they share?"
    return BarTable(rows, columns, title=title, label=Column("Tensor"), bold=False)


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
