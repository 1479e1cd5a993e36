"""A model's weights as a flat list: names, shapes, and how often each is stored and used."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import Final

KINDS: Final = ("embedding", "attention", "feed_forward", "projection", "norm", "head")
"""What a weight is for. A projection only changes the width: bottlenecks, factorised embeddings."""

SECTIONS: Final = ("embedding", "backbone", "head")
"""Where a weight stands: below the layers, in them, above them."""


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
        lookup: A table from which rows are taken, so that it costs no multiplication.
        tokens: Works on every token; False for what only the first token's state goes through.
        gives: How many numbers come out of its module for one token; 0 for a bias, which is
            added to what its weight gives.
    """

    name: str
    shape: tuple[int, ...]
    kind: str
    section: str
    copies: int = 1
    places: int = 1
    tied: str = ""
    lookup: bool = False
    tokens: bool = True
    gives: int = 0

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

    @property
    def multiply_adds(self) -> int:
        """Multiplications with an addition each, for one token."""
        if self.lookup or len(self.shape) < 2 or not self.tokens:
            return 0
        return self.size * self.places

    @property
    def activations(self) -> int:
        """Numbers that come out of its module for one token, at every place."""
        return self.gives * self.places if self.tokens else 0


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
