"""An architecture with some numbers changed, and what that changes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from explorer.anatomy.cost import Work, memory_of, work_of
from explorer.anatomy.formulas import sharing_of, weights_of, with_sharing
from explorer.anatomy.weights import Parameters, parameters_of, stored_by
from explorer.api.blueprint import Blueprint

FIELDS: Final = (
    "vocabulary",
    "embedding_size",
    "hidden_size",
    "layers",
    "heads",
    "feed_forward_size",
)
"""The numbers of a blueprint that can be changed."""

SHARINGS: Final = ("none", "attention", "feed_forward", "all")

NOTES: Final = Blueprint(
    layout="bert",
    vocabulary=30_000,
    embedding_size=768,
    hidden_size=768,
    layers=12,
    heads=12,
    head_size=64,
    feed_forward_size=3072,
    positions=512,
    token_types=2,
    attention_sets=12,
    feed_forward_sets=12,
    heads_present=("masked_lm",),
)
"""BERT base with the vocabulary of the lecture notes' example."""

NOTES_VALUES: Final[Mapping[str, Any]] = {"embedding_size": 64}
"""What the notes change: pieces 64 wide, and a matrix from there to 768."""


@dataclass(frozen=True)
class Outcome:
    """What a blueprint comes to.

    Attributes:
        blueprint: The architecture.
        parameters: How many, and where.
        kinds: How many of each kind.
        memory: Bytes by what and dtype.
        work: Multiplications for one token, by part.
    """

    blueprint: Blueprint
    parameters: Parameters
    kinds: Mapping[str, int]
    memory: Mapping[str, Mapping[str, int]]
    work: tuple[Work, ...]

    @property
    def multiply_adds(self) -> int:
        """For one token, of all parts."""
        return sum(one.multiply_adds for one in self.work)


def changed(base: Blueprint, values: Mapping[str, Any]) -> Blueprint:
    """A blueprint with other numbers.

    The heads become as wide as is needed to fill the hidden state, where they filled it before.
    Pieces that are as wide as the layers stay so, until they are given a width of their own.

    Args:
        base: What is changed.
        values: By FIELDS, and "sharing" by SHARINGS; what is missing stays.
    """
    numbers = {name: max(1, int(values.get(name, getattr(base, name)))) for name in FIELDS}
    follows = base.embedding_size == base.hidden_size and "embedding_size" not in values
    if follows or not can_factorise(base):
        numbers["embedding_size"] = numbers["hidden_size"]
    # T5's heads have a width of their own.
    filled = base.heads * base.head_size == base.hidden_size and base.layout != "t5"
    head_size = numbers["hidden_size"] // numbers["heads"] if filled else base.head_size
    sharing = str(values.get("sharing", sharing_of(base)))
    altered = replace(
        base,
        vocabulary=numbers["vocabulary"],
        embedding_size=numbers["embedding_size"],
        hidden_size=numbers["hidden_size"],
        layers=numbers["layers"],
        heads=numbers["heads"],
        feed_forward_size=numbers["feed_forward_size"],
        head_size=max(1, head_size),
        traits=(),
    )
    if base.decoder_layers:
        altered = replace(altered, decoder_layers=numbers["layers"])
    same = sharing == sharing_of(base) and numbers["layers"] == base.layers
    return altered if same or not can_share(base) else with_sharing(altered, sharing)


def can_factorise(base: Blueprint) -> bool:
    """Whether its pieces may be narrower than its layers."""
    return base.layout in {"bert", "xlm"}


def can_share(base: Blueprint) -> bool:
    """Whether its formulas know layers that share their weights."""
    return base.layout in {"bert", "gpt", "deberta", "xlm"}


def why_not(blueprint: Blueprint) -> str:
    """Why no such model can be made; "" where it can."""
    inner = blueprint.heads * blueprint.head_size
    width = blueprint.bottleneck_size or blueprint.hidden_size
    if blueprint.layout != "t5" and inner != width:
        return (
            f"{width:,} can't be shared out among {blueprint.heads} heads: choose a width that is "
            "a multiple of the number of heads."
        )
    return ""


def outcome(blueprint: Blueprint, length: int, batch: int) -> Outcome:
    """Count it by its formulas."""
    weights = weights_of(blueprint)
    return Outcome(
        blueprint,
        parameters_of(weights),
        stored_by(weights, "kind"),
        memory_of(weights, blueprint, length, batch),
        work_of(weights, blueprint, length),
    )


def embedding_sum(blueprint: Blueprint) -> tuple[str, int]:
    """The matrices between a piece's number and the layers' width, as the notes write them.

    Without positions and biases: "30,000 x 64 + 64 x 768", and what that comes to.
    """
    pieces, inner, width = (
        blueprint.vocabulary,
        blueprint.embedding_size,
        blueprint.hidden_size,
    )
    if inner == width:
        return f"{pieces:,} x {width:,}", pieces * width
    return f"{pieces:,} x {inner:,} + {inner:,} x {width:,}", pieces * inner + inner * width
