"""Batches for models that read from the left and predict every next token (GPT-1, GPT-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.objectives import IGNORED
from explorer.pretraining.pair_batches import CHUNK, LONG
from explorer.pretraining.recipe import Batches


class LeftBatches(Batches):
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
        self.texts = texts
        self.examples = examples
        self.seed = seed
        self.length = length
        self.boundary = boundary
        self._chunk: tuple[int, list[list[list[int]]]] = (-1, [])

    def batch(self, step: int) -> Mapping[str, Any]:
        """Tensors input_ids and labels (the same tokens, `IGNORED` at padding)."""
        import torch

        chunk, index = divmod(step, CHUNK)
        if self._chunk[0] != chunk:
            self._chunk = (chunk, self._draw_chunk(chunk))
        rows = self._chunk[1][index]
        shape = (len(rows), max(map(len, rows)))
        inputs = np.zeros(shape, dtype=np.int64)
        labels = np.full(shape, IGNORED, dtype=np.int64)
        for row, tokens in enumerate(rows):
            inputs[row, : len(tokens)] = labels[row, : len(tokens)] = tokens
        return {"input_ids": torch.from_numpy(inputs), "labels": torch.from_numpy(labels)}

    def _draw_chunk(self, chunk: int) -> list[list[list[int]]]:
        rng = np.random.default_rng((self.seed, chunk))
        start = chunk * CHUNK * self.examples
        drawn = [
            self._row(rng, [(start + i) % len(self.texts)])
            for i in range((CHUNK - LONG) * self.examples)
        ]
        drawn.sort(key=len)
        batches = [drawn[i : i + self.examples] for i in range(0, len(drawn), self.examples)]
        # Late positions are trained by rows of many texts, one after the other.
        enough = max(2, self.length // 2)
        for _ in range(LONG):
            picks = rng.integers(len(self.texts), size=(max(1, self.examples // 5), enough))
            batches.append([self._row(rng, row.tolist()) for row in picks])
        return [batches[i] for i in rng.permutation(len(batches))]

    def _row(self, rng: np.random.Generator, numbers: Sequence[int]) -> list[int]:
        end = [] if self.boundary is None else [self.boundary]
        tokens = end[:] if rng.random() < 0.5 else []
        for number in numbers:
            if len(tokens) >= self.length:
                break
            tokens += [*self.texts[number], *end]
        return tokens[: self.length]
