"""An architecture with some numbers changed: what that comes to, and the notes' example."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from explorer.api.family import Blueprint
from explorer.api.family.what_if import Changes
from explorer.questions.architecture.architecture.counting.cost import Work
from explorer.questions.architecture.architecture.counting.weights import Parameters

NOTES: Final = "google-bert/bert-base-uncased"
"""What the lecture notes' example begins with."""
NOTES_SIZES: Final[Changes] = (("vocabulary", 30_000),)
NOTES_CHANGES: Final[Changes] = (("embedding_size", 64),)
"""What the notes change: embeddings 64 wide, and a matrix from there to 768."""


@dataclass(frozen=True)
class Outcome:
    """What a model comes to.

    Attributes:
        blueprint: The architecture.
        parameters: How many, and where.
        kinds: How many of each kind.
        memory: Bytes by what and dtype.
        work: Multiply-adds for one token, by part.
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
        return f"{pieces:,} × {width:,}", pieces * width
    return f"{pieces:,} × {inner:,} + {inner:,} × {width:,}", pieces * inner + inner * width
