"""Which weights do a generator and its discriminator share?"""

from dataclasses import dataclass
from typing import Any

from explorer.api import (
    DISCRIMINATOR,
    GENERATOR,
    Context,
    Discriminator,
    ModelStamp,
    Operation,
    Table,
)
from explorer.api.operation import Cell
from explorer.questions.architecture.compare_architectures.likeness import (
    Relation,
    SharedTensor,
    compared,
    named_tensors,
)
from explorer.questions.detection.casting import judge_and_other
from explorer.text import N_, _
from explorer.text.numbers import percent


@dataclass(frozen=True)
class EmbeddingSharing:
    """Compare the loaded weights of two models, tensor by tensor."""


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
    3.3), which shows as a high correlation.

    Raises:
        UserMistake: There is no generator.
    """
    generator = context.model(GENERATOR)
    ours, theirs = named_tensors(model.module), named_tensors(generator.module)
    found = []
    for name, tensor in ours.items():
        if name in theirs:
            context.check()
            found.append(compared(name, tensor, theirs[name]))
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


def headline(result: EmbeddingSharingResult) -> str:
    """How much of the discriminator is the generator's, too."""
    share = result.shared_parameters / result.parameters if result.parameters else 0.0
    return _("Both share {share} of the discriminator's parameters.", share=percent(share))


OPERATION = Operation(
    name="weight_sharing",
    title=N_("Weight sharing"),
    question=N_("Which weights do the generator and the discriminator share?"),
    request=EmbeddingSharing,
    result=EmbeddingSharingResult,
    run=run,
    table=table,
    headline=headline,
    casting=judge_and_other,
    roles={DISCRIMINATOR: (Discriminator,), GENERATOR: ()},
    formerly=("embedding_sharing",),
)
