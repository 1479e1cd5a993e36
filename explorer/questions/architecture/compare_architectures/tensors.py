"""Which numbers two loaded models share, tensor by tensor."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.api.question import Manner, Rows, Said, column
from explorer.architecture.wording import plain_sizes, sizes
from explorer.questions.architecture.compare_architectures.likeness import (
    Relation,
    SharedTensor,
    TensorGroup,
    TensorsCompared,
)
from explorer.questions.architecture.compare_architectures.lineage import NO_WEIGHTS
from explorer.questions.architecture.compare_architectures.question import (
    CompareArchitecturesResult,
    Level,
)
from explorer.text import N_, NN_, Phrase, _, said, verbatim
from explorer.text.formatting.numbers import decimal, percent
from explorer.text.lists import line_by_line

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
SCALE = (-1.0, 1.0)
FEW = 3
"""Tensors of another shape that have a row each; in the table for export all have."""

WORDS = "embeddings.word_embeddings.weight"


def _relation_said(value: str) -> str:
    return _(RELATIONS[Relation(value)])


def _relation_ink(value: str) -> str:
    return COLOURS[Relation(value)]


@dataclass(frozen=True)
class TensorRow:
    """A tensor that both models have by name."""

    tensor: str = column(N_("tensor"), key=True)
    relation: str = column(N_("relation"), written=_relation_said, ink=_relation_ink)
    shape: str = column(N_("shape"), filed=False, written=said, dispensable=True)
    first_shape: str = column(N_("shape in the first"), shown=False)
    second_shape: str = column(N_("shape in the second"), shown=False)
    correlation: float | None = column(N_("correlation"), digits=3)
    relative_difference: float | None = column(
        N_("relative difference"),
        digits=3,
        dispensable=True,
        tip=N_("The norm of the difference, of the norm of the second's."),
    )
    where: str = column(N_("part"), shown=False, filed=False, written=said)


@dataclass(frozen=True)
class TensorGroupRow:
    """Tensors of one name in several layers."""

    tensor: str = column(N_("tensor"), key=True)
    relation: str = column(N_("relation"), key=True, written=_relation_said, ink=_relation_ink)
    correlation: str = column(N_("correlation"), written=said)
    tensors: int = column(N_("tensors"), dispensable=True)
    shape: str = column(N_("shape"), written=said, dispensable=True)
    layers: str = column(N_("layers"), dispensable=True)


def tensor_parts(result: CompareArchitecturesResult) -> Iterator[Said | Rows]:
    """How many numbers are the same, what that says, and which tensors both have."""
    tensors = result.tensors
    yield Said(N_("Which weights do they share?"), Manner.TITLE)
    if tensors is None:
        yield Said(NO_WEIGHTS)
        return
    yield Said(_shared_said(result, tensors), Manner.PLAIN, near=True)
    if tensors.groups:
        yield Said(said_of_embeddings(result, tensors), Manner.PLAIN, near=True)
    if result.level is Level.PARTS:
        rows = tuple(map(_group, tensors.groups))
        yield Rows(TensorGroupRow, rows, title=N_("Tensors"), in_files=False)
        return
    many = _many_of_another_shape(tensors.tensors)
    yield Rows(
        TensorRow,
        tuple(map(_row, tensors.tensors)),
        "correlation",
        scale=SCALE,
        group="where",
        drawn=lambda row: (row.where, row.relation) not in many,
    )
    for apart in many.values():
        words = line_by_line(_of_another_shape(one) for one in apart)
        yield Said(_apart_said(apart), words=words)


def _many_of_another_shape(
    tensors: Sequence[SharedTensor],
) -> dict[tuple[str, str], list[SharedTensor]]:
    """Those that can't be compared, by where they are, where they are many: one sentence each."""
    found: dict[tuple[str, str], list[SharedTensor]] = {}
    for one in tensors:
        if one.relation is Relation.OTHER_SHAPE:
            found.setdefault((_where(one), one.relation.value), []).append(one)
    return {place: some for place, some in found.items() if len(some) > FEW}


def _apart_said(apart: Sequence[SharedTensor]) -> Phrase:
    code = NN_(
        "{count} tensor has the same name and another shape, as {first}: its numbers can't be "
        "compared.",
        "{count} tensors have the same names and other shapes, as {first}: their numbers can't be "
        "compared.",
    )
    first = Phrase("{name} ({shape})", name=apart[0].name, shape=_shapes(apart[0]))
    return Phrase(code, count=len(apart), first=first)


def _of_another_shape(one: SharedTensor) -> Phrase:
    return Phrase("{name}: {shape}", name=one.name, shape=_shapes(one))


def _shared_said(result: CompareArchitecturesResult, tensors: TensorsCompared) -> Phrase:
    first, second = result.titles
    whole = max(1, result.parameters[0].unique)
    if not tensors.groups:
        code = N_("No tensor of {first} has the name of one of {second}.")
        return Phrase(code, first=first, second=second)
    return Phrase(
        N_(
            "{shared} of {first}'s {whole} weights ({share}) are {second}'s too. Tensors are "
            "compared by name; {own} of the first and {other_own} of the second have no "
            "counterpart."
        ),
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
        return N_("Their token embeddings have different names and were not compared.")
    if words.relation in (Relation.SAME_MEMORY, Relation.EQUAL):
        if is_pair:
            return N_("The token embeddings are shared, as ELECTRA trains them.")
        return N_("The token embeddings are the same.")
    if words.relation is Relation.OTHER_SHAPE:
        return N_("The token embeddings have different shapes, so they can't be shared.")
    if words.relation is Relation.UNRELATED:
        return N_("The token embeddings have nothing to do with each other.")
    code = N_(
        "The token embeddings are not equal but related (correlation {correlation}, difference "
        "{difference} of {second}'s)."
    )
    if is_pair:
        code = N_(
            "The token embeddings are not equal but related (correlation {correlation}, "
            "difference {difference} of {second}'s): what gradient-disentangled sharing leaves, "
            "the generator's table plus a difference of the discriminator's own."
        )
    return Phrase(
        code,
        correlation=_correlations(words),
        difference=percent(words.relative_difference or 0),
        second=result.titles[1],
    )


def _where(one: SharedTensor) -> str:
    return N_("Embeddings") if one.is_embedding else N_("Layers and heads")


def _row(one: SharedTensor) -> TensorRow:
    return TensorRow(
        one.name,
        one.relation.value,
        _shapes(one),
        plain_sizes(one.shape),
        plain_sizes(one.other_shape),
        one.correlation,
        one.relative_difference,
        _where(one),
    )


def _group(one: TensorGroup) -> TensorGroupRow:
    return TensorGroupRow(
        one.name,
        one.relation.value,
        _correlations(one),
        max(1, len(one.layers)),
        _shapes(one),
        _spans(one.layers),
    )


def _shapes(one: SharedTensor | TensorGroup) -> str:
    first, second = sizes(one.shape), sizes(one.other_shape)
    if first == second:
        return verbatim(first)
    return Phrase(N_("{first}, not {second}"), first=first, second=second)


def _correlations(one: TensorGroup) -> str:
    if one.correlation is None:
        return ""
    low, high = (decimal(value, 3) for value in one.correlation)
    return low if low == high else Phrase(N_("{low} to {high}"), low=low, high=high)


def _spans(layers: Sequence[int]) -> str:
    """As in "0-3, 7"."""
    runs: list[list[int]] = []
    for layer in layers:
        if runs and layer == runs[-1][-1] + 1:
            runs[-1].append(layer)
        else:
            runs.append([layer])
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs)
