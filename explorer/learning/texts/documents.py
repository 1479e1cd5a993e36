"""Documents of a text, kept as a list or drawn where they are read, and the same as tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, overload

import numpy as np

BLOCK: Final = 1024
"""Documents that are drawn or cut into tokens at once."""
ENDLESS: Final = 2**40
"""More documents than any run reads."""


class WrittenDocument(Protocol):
    """A text of one or more sentences."""

    @property
    def sentences(self) -> Sequence[str]:
        """Its sentences as a person would write them."""

    @property
    def text(self) -> str:
        """All of it."""


class EndlessDocuments(Sequence[WrittenDocument]):
    """Documents that are drawn a block at a time, and forgotten when the next one is.

    Args:
        draw: the documents of a block by its number, `BLOCK` of them, the same at every call.
    """

    def __init__(self, draw: Callable[[int], Sequence[WrittenDocument]]) -> None:
        self._draw = draw
        self._block: tuple[int, Sequence[WrittenDocument]] = (-1, ())

    def __len__(self) -> int:
        return ENDLESS

    @overload
    def __getitem__(self, index: int) -> WrittenDocument: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[WrittenDocument]: ...

    def __getitem__(self, index: Any) -> Any:
        """The document at a place, or those of a slice of so many as can be drawn."""
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        number, place = divmod(index, BLOCK)
        if self._block[0] != number:
            self._block = (number, self._draw(number))
        return self._block[1][place]


class TokenizedDocuments(Sequence[list[list[int]]]):
    """The tokens of each sentence of each document, without special ones.

    Args:
        tokenizer: cuts the sentences.
        documents: what is cut, a block when its first document is read. What was cut of a list is
            kept; of an endless text the last block is.
    """

    def __init__(self, tokenizer: Any, documents: Sequence[WrittenDocument]) -> None:
        self._tokenizer = tokenizer
        self._documents = documents
        self._keeps = len(documents) < ENDLESS
        self._blocks: dict[int, list[list[list[int]]]] = {}
        self._latest = 0

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, index: int) -> list[list[int]]: ...

    @overload
    def __getitem__(self, index: slice) -> list[list[list[int]]]: ...

    def __getitem__(self, index: Any) -> Any:
        """The sentences of the document at a place, or of those of a slice."""
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        self._latest, place = divmod(index, BLOCK)
        if self._latest not in self._blocks:
            if not self._keeps:
                self._blocks.clear()
            self._blocks[self._latest] = self._cut(self._latest)
        return self._blocks[self._latest][place]

    def near(self, generator: np.random.Generator) -> int:
        """A place drawn at random: of all in a list, else of the block that was read last."""
        if self._keeps:
            return int(generator.integers(len(self)))
        return self._latest * BLOCK + int(generator.integers(BLOCK))

    def _cut(self, block: int) -> list[list[list[int]]]:
        end = min((block + 1) * BLOCK, len(self))
        written = [self._documents[place].sentences for place in range(block * BLOCK, end)]
        flat = [sentence for sentences in written for sentence in sentences]
        cut = self._tokenizer.backend_tokenizer.encode_batch_fast(flat, add_special_tokens=False)
        numbered = (one.ids for one in cut)
        return [[next(numbered) for _ in sentences] for sentences in written]


class JoinedDocuments(Sequence[list[int]]):
    """The tokens of each document, its sentences one after the other.

    Args:
        tokenizer: cuts the documents.
        documents: what is cut, as `TokenizedDocuments` does.
    """

    def __init__(self, tokenizer: Any, documents: Sequence[WrittenDocument]) -> None:
        self._parted = TokenizedDocuments(tokenizer, documents)
        self.near = self._parted.near

    def __len__(self) -> int:
        return len(self._parted)

    @overload
    def __getitem__(self, index: int) -> list[int]: ...

    @overload
    def __getitem__(self, index: slice) -> list[list[int]]: ...

    def __getitem__(self, index: Any) -> Any:
        """The tokens of the document at a place, or of those of a slice."""
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        return [token for sentence in self._parted[index] for token in sentence]
