"""A model's weights as a flat list: names, shapes, and how often each is stored and used."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import Final

from explorer.api.family import Role

KINDS: Final = ("embedding", "attention", "feed_forward", "projection", "norm", "head")
"""What a weight is for. A projection only changes the width: bottlenecks, factorised embeddings."""

SECTIONS: Final = ("embedding", "backbone", "head")
"""Where a weight stands: below the layers, in them, above them."""


_KIND: Final = {
    Role.WIDEN: "projection",
    Role.CONVOLUTION: "projection",
    Role.BOTTLENECK: "projection",
    Role.DISTANCES: "embedding",
    Role.DISTANCE_BIASES: "attention",
    Role.CROSS: "attention",
    Role.NORMS: "norm",
    Role.ATTENTION_NORM: "norm",
    Role.FEED_FORWARD_NORM: "norm",
}


def section_of(role: Role, module: str) -> str:
    """Below, in or above the layers; a table that nobody has a word for is below them.

    Args:
        role: The weight's.
        module: Class of the module that holds it.
    """
    if role.startswith("Head"):
        return "head"
    unknown_table = role is Role.OTHER and module == "Embedding"
    return "embedding" if unknown_table or role.startswith("Embedding") else "backbone"


def kind_of(role: Role, module: str) -> str:
    """What a weight is for; one of KINDS."""
    section = section_of(role, module)
    if section == "head":
        return "head"
    if "norm" in module.lower():
        return "norm"
    if role in _KIND:
        return _KIND[role]
    if section == "embedding":
        return "embedding"
    return "attention" if role.startswith("Attention") else "feed_forward"


@dataclass(frozen=True)
class Weight:
    """One tensor, or several alike that stand in the same place of different layers.

    Attributes:
        name: As in the checkpoint's files; "*" stands for the number of a layer.
        shape: Of one of them.
        kind: One of KINDS.
        section: One of SECTIONS.
        copies: How many are stored.
        places: How often one of them is used in a forward pass: more than copies where layers
            share their weights, 0 for a second name of a weight that is used under the first.
        tied: The name of the weight whose numbers these are; "" for numbers of its own.
        role: What it does.
    """

    name: str
    shape: tuple[int, ...]
    kind: str
    section: str
    copies: int = 1
    places: int = 1
    tied: str = ""
    role: str = ""

    @property
    def size(self) -> int:
        """Numbers in one of them."""
        return prod(self.shape)

    @property
    def stored(self) -> int:
        """Numbers that are kept: tied ones are the other's."""
        return 0 if self.tied else self.size * self.copies

    @property
    def counted_everywhere(self) -> int:
        """Numbers if nothing were tied or shared."""
        return self.size * self.places


@dataclass(frozen=True)
class Parameters:
    """How many numbers a model learned.

    Attributes:
        total: If nothing were tied or shared: every place counts.
        unique: Those that are stored: tied and shared ones once. This is what transformers counts.
        embedding: Of the unique ones, those below the layers.
        backbone: In the layers.
        head: Above them.
    """

    total: int
    unique: int
    embedding: int
    backbone: int
    head: int

    @property
    def saved(self) -> int:
        """What tying and sharing save."""
        return self.total - self.unique


def parameters_of(weights: Iterable[Weight]) -> Parameters:
    """Add them up."""
    weights = tuple(weights)
    by_section = stored_by(weights, "section")
    return Parameters(
        total=sum(w.counted_everywhere for w in weights),
        unique=sum(w.stored for w in weights),
        embedding=by_section["embedding"],
        backbone=by_section["backbone"],
        head=by_section["head"],
    )


def stored_by(weights: Iterable[Weight], what: str) -> dict[str, int]:
    """Stored numbers by "kind" or "section"; 0 for those that do not occur."""
    sums = dict.fromkeys(KINDS if what == "kind" else SECTIONS, 0)
    for weight in weights:
        sums[getattr(weight, what)] += weight.stored
    return sums
