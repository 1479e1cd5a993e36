"""Which weights do a generator and its discriminator share?"""

import enum
from dataclasses import dataclass
from typing import Any

from explorer.api import DISCRIMINATOR, GENERATOR, Context, ModelStamp, Operation, Table
from explorer.api.operation import Cell
from explorer.detection.casting import judge_and_other

ALIKE = 0.5
"""The correlation from which two tensors are said to go together."""


class Relation(enum.StrEnum):
    """How a tensor of the one is to the same tensor of the other."""

    SAME_MEMORY = "same memory"
    EQUAL = "equal values"
    ALIKE = "alike"
    UNRELATED = "unrelated"
    OTHER_SHAPE = "other shape"


@dataclass(frozen=True)
class EmbeddingSharing:
    """Compare the loaded weights of two models, tensor by tensor."""


@dataclass(frozen=True)
class SharedTensor:
    """A tensor that both models have.

    Attributes:
        name: Without the encoder's prefix.
        relation: What comparing their numbers says.
        shape: In the discriminator.
        other_shape: In the generator.
        correlation: Pearson's, over all numbers; None for another shape or a constant tensor.
        relative_difference: The norm of the difference by the norm of the generator's; None for
            another shape.
    """

    name: str
    relation: Relation
    shape: tuple[int, ...]
    other_shape: tuple[int, ...]
    correlation: float | None = None
    relative_difference: float | None = None


@dataclass(frozen=True)
class EmbeddingSharingResult:
    """What two models have in common.

    Attributes:
        model: The discriminator.
        other: The generator.
        tensors: Those that both have, embeddings first.
        parameters: Of the discriminator.
        other_parameters: Of the generator.
        shared_parameters: Numbers of the tensors that are equal.
        own: How many tensors only the discriminator has.
        other_own: How many only the generator has.
    """

    model: ModelStamp
    other: ModelStamp
    tensors: tuple[SharedTensor, ...]
    parameters: int
    other_parameters: int
    shared_parameters: int
    own: int
    other_own: int


def run(model: Any, _request: EmbeddingSharing, context: Context) -> EmbeddingSharingResult:
    """Match tensors by name and compare their numbers.

    ELECTRA ties the token and position embeddings of both halves while it trains (Clark et al.
    2020, section 3.2); files keep a copy each, so sharing shows as equal values. DeBERTa v3's
    discriminator stores the generator's embeddings plus a difference (He et al. 2023, section
    3.2), which shows as a high correlation.

    Raises:
        UserMistake: There is no generator.
    """
    generator = context.model(GENERATOR)
    ours, theirs = _named(model.module), _named(generator.module)
    found = []
    for name, tensor in ours.items():
        if name in theirs:
            context.check()
            found.append(_compared(name, tensor, theirs[name]))
    found.sort(key=lambda one: not one.name.startswith("embeddings."))
    equal = (Relation.SAME_MEMORY, Relation.EQUAL)
    return EmbeddingSharingResult(
        model=model.stamp,
        other=generator.stamp,
        tensors=tuple(found),
        parameters=sum(tensor.numel() for tensor in ours.values()),
        other_parameters=sum(tensor.numel() for tensor in theirs.values()),
        shared_parameters=sum(ours[one.name].numel() for one in found if one.relation in equal),
        own=len(ours) - len(found),
        other_own=len(theirs) - len(found),
    )


def _named(module: Any) -> dict[str, Any]:
    """Parameters by name, tied ones once, without the encoder's prefix."""
    prefix = f"{getattr(module, 'base_model_prefix', '')}."
    return {name.removeprefix(prefix): tensor for name, tensor in module.named_parameters()}


def _compared(name: str, ours: Any, theirs: Any) -> SharedTensor:
    import torch

    shape, other_shape = tuple(ours.shape), tuple(theirs.shape)
    if shape != other_shape:
        return SharedTensor(name, Relation.OTHER_SHAPE, shape, other_shape)
    if ours.data_ptr() == theirs.data_ptr():
        return SharedTensor(name, Relation.SAME_MEMORY, shape, shape, 1.0, 0.0)
    ours, theirs = ours.detach().to("cpu"), theirs.detach().to("cpu")
    if ours.dtype == theirs.dtype and torch.equal(ours, theirs):
        return SharedTensor(name, Relation.EQUAL, shape, shape, 1.0, 0.0)
    correlation, difference = _correlation(ours.flatten(), theirs.flatten())
    alike = correlation is not None and correlation >= ALIKE
    relation = Relation.ALIKE if alike else Relation.UNRELATED
    return SharedTensor(name, relation, shape, shape, correlation, difference)


def _correlation(ours: Any, theirs: Any, block: int = 1 << 22) -> tuple[float | None, float]:
    """Pearson's correlation, and the relative size of the difference, in float64 by blocks."""
    means = [one.double().mean() if len(one) <= block else _mean(one, block)
             for one in (ours, theirs)]  # fmt: skip
    sums = [0.0] * 5
    for start in range(0, len(ours), block):
        x, y = (one[start : start + block].double() for one in (ours, theirs))
        a, b = x - means[0], y - means[1]
        parts = (a @ b, a @ a, b @ b, (x - y) @ (x - y), y @ y)
        sums = [float(total + part) for total, part in zip(sums, parts, strict=True)]
    together, mine, yours, difference, size = sums
    # Of a tensor whose numbers are all the same, nothing can be said.
    constant = mine <= 0.0 or yours <= 0.0
    correlation = None if constant else together / (mine * yours) ** 0.5
    return correlation, (difference / size) ** 0.5 if size > 0.0 else float(difference > 0.0)


def _mean(values: Any, block: int) -> Any:
    total = sum(values[i : i + block].double().sum() for i in range(0, len(values), block))
    return total / len(values)


def table(result: EmbeddingSharingResult) -> Table:
    """One row a tensor."""
    rows: list[tuple[Cell, ...]] = [
        (
            one.name,
            one.relation.value,
            " x ".join(map(str, one.shape)),
            " x ".join(map(str, one.other_shape)),
            one.correlation,
            one.relative_difference,
        )
        for one in result.tensors
    ]
    return Table(
        (
            "tensor",
            "relation",
            "discriminator_shape",
            "generator_shape",
            "correlation",
            "relative_difference",
        ),
        tuple(rows),
    )


OPERATION = Operation(
    name="embedding_sharing",
    title="Shared weights",
    question="Which weights do the generator and the discriminator share?",
    request=EmbeddingSharing,
    result=EmbeddingSharingResult,
    run=run,
    table=table,
    roles=(DISCRIMINATOR, GENERATOR),
    casting=judge_and_other,
)
