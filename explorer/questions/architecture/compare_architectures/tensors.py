"""Which numbers two loaded models share, tensor by tensor."""

from collections.abc import Iterator, Sequence

from explorer.questions.architecture.architecture.words import sizes
from explorer.questions.architecture.compare_architectures.likeness import (
    Relation,
    SharedTensor,
    TensorGroup,
    TensorsCompared,
)
from explorer.questions.architecture.compare_architectures.question import (
    CompareArchitecturesResult,
    Level,
)
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import decimal, percent
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import Text, heading, note

RELATIONS = {
    Relation.SAME_MEMORY: N_("one and the same"),
    Relation.EQUAL: N_("equal"),
    Relation.ALIKE: N_("alike"),
    Relation.UNRELATED: N_("unrelated"),
    Relation.OTHER_SHAPE: N_("another shape"),
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
BEFORE_BARS = 2
AXIS = Axis(1.0, low=-1.0, titled=False)
FEW = 3
"""Tensors of another shape that have a row each; in the table for export all have."""

WORDS = "embeddings.word_embeddings.weight"


def tensor_blocks(result: CompareArchitecturesResult) -> Iterator[Block]:
    """How many numbers are the same, what that says, and which tensors both have."""
    tensors = result.tensors
    yield heading(_("Which weights do they share?"))
    if tensors is None:
        yield note(
            _(
                "Only weights can tell: load one model as A and the other as B, and choose the "
                "loaded ones here."
            ),
        )
        return
    yield Text(_said(result, tensors))
    if tensors.groups:
        yield Text(said_of_embeddings(result, tensors), above=Space.TIGHT)
    if result.level is Level.PARTS:
        yield _groups(tensors)
        return
    every = tuple(map(_row, tensors.tensors))
    for title, is_below in ((_("Embeddings"), True), (_("Layers and heads"), False)):
        shown = zip(tensors.tensors, every, strict=True)
        here = [(one, row) for one, row in shown if one.is_embedding is is_below]
        if here:
            yield heading(title)
            yield from _section(here, title, every)


def _section(
    here: Sequence[tuple[SharedTensor, Row]], title: str, every: Sequence[Row]
) -> Iterator[Block]:
    """The tensors that can be compared; many that can't are said in one sentence."""
    apart = [one for one, _row in here if one.relation is Relation.OTHER_SHAPE]
    if len(apart) <= FEW:
        yield _tensors([row for _one, row in here], title, every)
        return
    rows = [row for one, row in here if one.relation is not Relation.OTHER_SHAPE]
    if rows:
        yield _tensors(rows, title, every)
    yield note(
        ngettext(
            "{count} tensor has the same name and another shape, as {first}: its numbers can't be "
            "compared.",
            "{count} tensors have the same names and other shapes, as {first}: their numbers "
            "can't be compared.",
            len(apart),
            first=f"{apart[0].name} ({_shapes(apart[0])})",
        ),
        words="\n".join(f"{one.name}: {_shapes(one)}" for one in apart),
    )


def _tensors(rows: Sequence[Row], title: str, every: Sequence[Row]) -> BarTable:
    """Some of them, with columns that stand where those of all do."""
    columns = (
        Column(_("Weights"), left=True),
        Column(_("Shape"), "muted", left=True, dispensable=True),
        Column(_("Correlation")),
        Column(
            _("Difference"),
            dispensable=True,
            words=_("The norm of the difference, of the norm of the second's."),
        ),
    )
    label = Column(_("Tensor"))
    return BarTable(rows, columns, AXIS, title, BEFORE_BARS, bold=False, label=label, peers=every)


def _said(result: CompareArchitecturesResult, tensors: TensorsCompared) -> str:
    first, second = result.titles
    whole = max(1, result.parameters[0].unique)
    if not tensors.groups:
        return _(
            "No tensor of {first} has the name of one of {second}.", first=first, second=second
        )
    return _(
        "{shared} of {first}'s {whole} weights ({share}) are {second}'s too. Tensors are compared "
        "by name; {own} of the first and {other_own} of the second have no counterpart.",
        shared=tensors.shared_parameters,
        first=first,
        whole=whole,
        share=percent(tensors.shared_parameters / whole),
        second=second,
        own=tensors.own,
        other_own=tensors.other_own,
    )


def said_of_embeddings(result: CompareArchitecturesResult, tensors: TensorsCompared) -> str:
    """What comparing the token embeddings says of how the two were trained."""
    words = next((one for one in tensors.groups if one.name == WORDS), None)
    heads = {head for blueprint in result.blueprints for head in blueprint.heads_present}
    is_pair = "replaced_token" in heads
    if words is None:
        return _("Their token embeddings have different names and were not compared.")
    if words.relation in (Relation.SAME_MEMORY, Relation.EQUAL):
        if is_pair:
            return _("The token embeddings are shared, as ELECTRA trains them.")
        return _("The token embeddings are the same.")
    if words.relation is Relation.OTHER_SHAPE:
        return _("The token embeddings have different shapes, so they can't be shared.")
    if words.relation is Relation.UNRELATED:
        return _("The token embeddings have nothing to do with each other.")
    places = {
        "correlation": _correlations(words),
        "difference": percent(words.relative_difference or 0),
        "second": result.titles[1],
    }
    if is_pair:
        return _(
            "The token embeddings are not equal but related (correlation {correlation}, "
            "difference {difference} of {second}'s): what gradient-disentangled sharing leaves, "
            "the generator's table plus a difference of the discriminator's own.",
            **places,
        )
    return _(
        "The token embeddings are not equal but related (correlation {correlation}, "
        "difference {difference} of {second}'s).",
        **places,
    )


def _row(one: SharedTensor) -> Row:
    apart = one.relative_difference
    return Row(
        one.name,
        (
            _(RELATIONS[one.relation]),
            _shapes(one),
            decimal(one.correlation, 3) if one.correlation is not None else "",
            percent(apart, 1) if apart is not None else "",
        ),
        (Bar(one.correlation, BARS[one.relation]),) if one.correlation is not None else (None,),
        inks=(COLOURS[one.relation], "", "", ""),
        muted=one.relation is Relation.OTHER_SHAPE,
    )


def _shapes(one: SharedTensor | TensorGroup) -> str:
    first, second = sizes(one.shape), sizes(one.other_shape)
    if first == second:
        return first
    return _("{first}, not {second}", first=first, second=second)


def _groups(tensors: TensorsCompared) -> BarTable:
    columns = (
        Column(_("Weights"), left=True),
        Column(_("Correlation")),
        Column(_("Tensors"), dispensable=True),
        Column(_("Shape"), "muted", left=True, dispensable=True),
        Column(_("Layers"), "muted", left=True, dispensable=True),
    )
    rows = []
    for one in tensors.groups:
        cells = (
            _(RELATIONS[one.relation]),
            _correlations(one),
            str(max(1, len(one.layers))),
            _shapes(one),
            _spans(one.layers),
        )
        rows.append(Row(one.name, cells, inks=(COLOURS[one.relation], "", "", "", "")))
    title = _("Which weights do they share?")
    return BarTable(rows, columns, title=title, label=Column(_("Tensor")), bold=False)


def _correlations(one: TensorGroup) -> str:
    if one.correlation is None:
        return ""
    low, high = (decimal(value, 3) for value in one.correlation)
    return low if low == high else _("{low} to {high}", low=low, high=high)


def _spans(layers: Sequence[int]) -> str:
    """As in "0-3, 7"."""
    runs: list[list[int]] = []
    for layer in layers:
        if runs and layer == runs[-1][-1] + 1:
            runs[-1].append(layer)
        else:
            runs.append([layer])
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs)
