"""What a model is trained on: documents, what its vocabulary is made of, and an exact reader."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from explorer.learning.texts.documents import WrittenDocument
from explorer.world.exact.inside import ExactReader
from explorer.world.exact.readers import Tokenize


class TrainingText(ABC):
    """A text. Whoever draws it with the same numbers reads the same."""

    @abstractmethod
    def documents(self, count: int, seed: int) -> Sequence[WrittenDocument]:
        """What is read.

        Args:
            count: how many there are, the same ones for every seed; 0 for as many as anybody reads.
            seed: which ones are drawn where there is no end of them.
        """

    @abstractmethod
    def vocabulary_texts(self) -> Iterator[str]:
        """What a vocabulary is trained on, the same for every run."""

    def reader(self, tokenize: Tokenize) -> ExactReader | None:  # noqa: ARG002
        """Reads the text's grammar in a tokenizer's pieces; None where nobody knows one."""
        return None
