"""Which numbers two loaded models share, tensor by tensor."""

from collections.abc import Iterator, Sequence

from explorer.questions.architecture.architecture.words import count, sizes
from explorer.questions.architecture.compare_architectures.likeness import (
    Relation,
    SharedTensor,
    TensorGroup,
    TensorsCompared,
)
from explorer.questions.architecture.compare_architectures.question import (
    CompareAnatomyResult,
    Level,
)
from explorer.ui.blocks.bar_table import BarTable
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import Text, heading, note

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
BARS = {**COLOURS, Relation.ALIKE: "bar"}
COLUMNS = (
    Column("Numbers", left=True),
    Column("Shape", "muted", left=True, dispensable=True),
    Column("Correlation"),
    Column(
        "Difference",
        dispensable=True,
        words="The norm of the difference, of the norm of the second's.",
    ),
)
BEFORE_BARS = 2
AXIS = Axis(1.0, low=-1.0, titled=False)
WORDS = "embeddings.word_embeddings.weight"


def tensor_blocks(result: CompareAnatomyResult) -> Iterator[Block]:
    """How many numbers are the same, what that says, and which tensors both have."""
    tensors = result.tensors
    yield heading("Which numbers do they share?", above=18)
    if tensors is None:
        yield note(
            "Only weights can tell: load one model as A and the other as B, and choose the loaded "
            "ones here.",
            above=4,
        )
        return
    yield Text(_said(result, tensors), above=4)
    if tensors.groups:
        yield Text(said_of_embeddings(result, tensors), above=2)
    if result.level is Level.PARTS:
        yield _groups(tensors)
        return
    every = tuple(map(_row, tensors.tensors))
    for title, is_below in (("Embeddings", True), ("Layers and heads", False)):
        shown = zip(tensors.tensors, every, strict=True)
        rows = [row for one, row in shown if one.is_embedding is is_below]
        if rows:
            label = Column("Tensor")
            yield heading(title)
            yield BarTable(
                rows, COLUMNS, AXIS, title, BEFORE_BARS, bold=False, label=label, peers=every
            )


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


def said_of_embeddings(result: CompareAnatomyResult, tensors: TensorsCompared) -> str:
    """What comparing the token embeddings says of how the two were trained."""
    words = next((one for one in tensors.groups if one.name == WORDS), None)
    heads = {head for blueprint in result.blueprints for head in blueprint.heads_present}
    is_pair = "replaced_token" in heads
    if words is None:
        return "Their token embeddings have different names and were not compared."
    if words.relation in (Relation.SAME_MEMORY, Relation.EQUAL):
        if is_pair:
            return "The token embeddings are shared, as ELECTRA trains them."
        return "The token embeddings are the same."
    if words.relation is Relation.OTHER_SHAPE:
        return "The token embeddings have different shapes, so they can't be shared."
    if words.relation is Relation.UNRELATED:
        return "The token embeddings have nothing to do with each other."
    said = (
        f"The token embeddings are not equal but go together (correlation {_correlations(words)}, "
        f"difference {100 * (words.relative_difference or 0):.0f} % of {result.titles[1]}'s)"
    )
    if is_pair:
        return (
            f"{said}: what gradient-disentangled sharing leaves, the generator's table plus a "
            "difference of the discriminator's own."
        )
    return f"{said}."


def _row(one: SharedTensor) -> Row:
    known = one.correlation is not None
    apart = one.relative_difference
    return Row(
        one.name,
        (
            RELATIONS[one.relation],
            _shapes(one),
            f"{one.correlation:.3f}" if known else "",
            f"{100 * apart:.1f} %" if apart is not None else "",
        ),
        (Bar(one.correlation, BARS[one.relation]),) if one.correlation is not None else (None,),
        inks=(COLOURS[one.relation], "", "", ""),
        muted=one.relation is Relation.OTHER_SHAPE,
    )


def _shapes(one: SharedTensor | TensorGroup) -> str:
    first, second = sizes(one.shape), sizes(one.other_shape)
    return first if first == second else f"{first}, not {second}"


def _groups(tensors: TensorsCompared) -> BarTable:
    columns = (
        Column("Numbers", left=True),
        Column("Correlation"),
        Column("Tensors", dispensable=True),
        Column("Shape", "muted", left=True, dispensable=True),
        Column("Layers", "muted", left=True, dispensable=True),
    )
    rows = []
    for one in tensors.groups:
        cells = (
            RELATIONS[one.relation],
            _correlations(one),
            str(max(1, len(one.layers))),
            _shapes(one),
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
