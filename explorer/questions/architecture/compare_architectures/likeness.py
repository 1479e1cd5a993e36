"""The same tensor in two models: one and the same, equal, alike, unrelated, of another shape."""

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import prod
from typing import Any

from explorer.api.family.tensors import layer_of

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
class SharedTensor:
    """A tensor that both models have.

    Attributes:
        name: Without the encoder's prefix.
        relation: What comparing their numbers says.
        shape: In the first.
        other_shape: In the second.
        correlation: Pearson's, over all numbers; None for another shape or a constant tensor.
        relative_difference: The norm of the difference by the norm of the second's; None for
            another shape.
    """

    name: str
    relation: Relation
    shape: tuple[int, ...]
    other_shape: tuple[int, ...]
    correlation: float | None = None
    relative_difference: float | None = None

    @property
    def is_embedding(self) -> bool:
        """Whether it is below the layers."""
        return self.name.startswith("embeddings.")


@dataclass(frozen=True)
class TensorGroup:
    """Tensors of one name in several layers that are to the other model's as each other are.

    Attributes:
        name: Without the encoder's prefix; "*" stands for the number of a layer.
        relation: What comparing their numbers says.
        layers: In which layers; empty for a tensor that is in none.
        shape: In the first.
        other_shape: In the second.
        parameters: Numbers in all of them, in the first.
        correlation: The lowest and the highest; None for another shape or constant tensors.
        relative_difference: The largest; None for another shape.
    """

    name: str
    relation: Relation
    layers: tuple[int, ...]
    shape: tuple[int, ...]
    other_shape: tuple[int, ...]
    parameters: int
    correlation: tuple[float, float] | None = None
    relative_difference: float | None = None


@dataclass(frozen=True)
class TensorsCompared:
    """Two models tensor by tensor, by their names.

    Attributes:
        groups: Those that both have.
        shared_parameters: Numbers of those that are equal.
        own: How many tensors only the first has.
        other_own: How many only the second has.
        tensors: Those that both have one by one, embeddings first; a run of an older version has
            the groups alone.
    """

    groups: tuple[TensorGroup, ...]
    shared_parameters: int
    own: int
    other_own: int
    tensors: tuple[SharedTensor, ...] = ()


def compare_tensors(first: Any, second: Any, check: Callable[[], None]) -> TensorsCompared:
    """Match the tensors of two loaded modules by name and compare their numbers.

    ELECTRA ties the token and position embeddings of both halves while it trains (Clark et al.
    2020, section 3.2); files keep a copy each, so sharing shows as equal values. DeBERTa v3's
    discriminator stores the generator's embeddings plus a difference (He et al. 2023, section
    3.3), which shows as a high correlation.

    Args:
        first: A torch module.
        second: A torch module.
        check: Called before each tensor; raises to stop.
    """
    ours, theirs = named_tensors(first), named_tensors(second)
    found = []
    for name in ours:
        if name in theirs:
            check()
            found.append(compared(name, ours[name], theirs[name]))
    found.sort(key=lambda one: not one.is_embedding)
    equal = (Relation.SAME_MEMORY, Relation.EQUAL)
    return TensorsCompared(
        groups=grouped(found),
        shared_parameters=sum(prod(one.shape) for one in found if one.relation in equal),
        own=len(ours) - len(found),
        other_own=len(theirs) - len(found),
        tensors=tuple(found),
    )


def grouped(tensors: Iterable[SharedTensor]) -> tuple[TensorGroup, ...]:
    """The same tensor of many layers as one, where what is said of it is the same."""
    groups: dict[tuple[Any, ...], list[SharedTensor]] = {}
    for one in tensors:
        plain = one.name.replace(f".{layer_of(one.name)}.", ".*.", 1)
        groups.setdefault((plain, one.relation, one.shape, one.other_shape), []).append(one)
    made = []
    for (name, relation, shape, other_shape), members in groups.items():
        layers = (layer_of(one.name) for one in members)
        known = [one.correlation for one in members if one.correlation is not None]
        apart = [m.relative_difference for m in members if m.relative_difference is not None]
        made.append(
            TensorGroup(
                name=name,
                relation=relation,
                layers=tuple(layer for layer in layers if layer is not None),
                shape=shape,
                other_shape=other_shape,
                parameters=sum(prod(one.shape) for one in members),
                correlation=(min(known), max(known)) if known else None,
                relative_difference=max(apart, default=None),
            )
        )
    return tuple(made)


def named_tensors(module: Any) -> dict[str, Any]:
    """Parameters by name, tied ones once, without the encoder's prefix."""
    prefix = f"{getattr(module, 'base_model_prefix', '')}."
    return {name.removeprefix(prefix): tensor for name, tensor in module.named_parameters()}


def compared(name: str, ours: Any, theirs: Any) -> SharedTensor:
    """One tensor in both models."""
    import torch

    shape, other_shape = tuple(ours.shape), tuple(theirs.shape)
    if shape != other_shape:
        return SharedTensor(name, Relation.OTHER_SHAPE, shape, other_shape)
    if ours.data_ptr() == theirs.data_ptr():
        return SharedTensor(name, Relation.SAME_MEMORY, shape, shape, 1.0, 0.0)
    ours, theirs = ours.detach().to("cpu"), theirs.detach().to("cpu")
    if ours.dtype == theirs.dtype and torch.equal(ours, theirs):
        return SharedTensor(name, Relation.EQUAL, shape, shape, 1.0, 0.0)
    correlation, difference = correlation_of(ours.flatten(), theirs.flatten())
    alike = correlation is not None and correlation >= ALIKE
    relation = Relation.ALIKE if alike else Relation.UNRELATED
    return SharedTensor(name, relation, shape, shape, correlation, difference)


def correlation_of(ours: Any, theirs: Any, block: int = 1 << 22) -> tuple[float | None, float]:
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
