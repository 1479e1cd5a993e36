"""Batches for models that read from the left and predict every next token (GPT-1, GPT-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.learning.batches.chunked import ChunkedBatches, padded
from explorer.objectives import IGNORED


class NextTokenBatches(ChunkedBatches[list[int]]):
    """Texts from a fixed list, each read from its start; some rows hold several.

    Args:
        texts: the tokens of each text.
        examples: texts in a batch.
        seed: seed of the order.
        length: tokens in the longest row.
        boundary: the token that ends every text and, in every other row, stands before the first
            one too; None where a family knows no such token.
    """

    def __init__(
        self,
        texts: Sequence[Sequence[int]],
        examples: int,
        seed: int,
        length: int,
        boundary: int | None = None,
    ) -> None:
        super().__init__(examples, seed)
        self.texts = texts
        self.length = length
        self.end = [] if boundary is None else [boundary]

    def draw(self, number: int, rng: np.random.Generator) -> list[int]:
        """A text."""
        return self._row(rng, [number % len(self.texts)])

    def draw_long(self, count: int, rng: np.random.Generator) -> list[list[int]]:
        """Texts one after the other; those of all rows are drawn before any row is begun."""
        enough = max(2, self.length // 2)
        picks = self.any_texts(rng, (count, enough))
        return [self._row(rng, row.tolist()) for row in picks]

    def any_texts(self, rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.int64]:
        """Numbers of texts drawn at random."""
        return rng.integers(len(self.texts), size=shape)

    def size(self, row: list[int]) -> int:
        """Its tokens."""
        return len(row)

    def tensors(self, rows: Sequence[list[int]], step: int) -> Mapping[str, Any]:  # noqa: ARG002
        """Tensors input_ids and labels (the same tokens, `IGNORED` at padding)."""
        return {"input_ids": padded(rows, 0), "labels": padded(rows, IGNORED)}

    def _row(self, rng: np.random.Generator, numbers: Sequence[int]) -> list[int]:
        tokens = self.end[:] if rng.random() < 0.5 else []
        for number in numbers:
            if len(tokens) >= self.length:
                break
            tokens += [*self.texts[number], *self.end]
        return tokens[: self.length]
