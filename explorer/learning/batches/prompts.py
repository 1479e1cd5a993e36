"""Batches of prompts for a model that reads from the left; answers are learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.learning.batches.chunked import ChunkedBatches, padded
from explorer.objectives import IGNORED
from explorer.world.tasks.prompts import WorldPrompt

Row = tuple[list[int], list[int]]
"""Tokens, and what is learned of them: the token itself, or `IGNORED`."""


class PromptBatches(ChunkedBatches[Row]):
    """Prompts from a fixed list, each read from its start; some rows hold several.

    Args:
        tokenizer: cuts the texts; its end-of-text token stands behind each, and in every other row
            before the first one too.
        prompts: what is read.
        examples: prompts in a batch.
        seed: seed of the order.
        length: tokens in the longest row.
    """

    def __init__(
        self, tokenizer: Any, prompts: Sequence[WorldPrompt], examples: int, seed: int, length: int
    ) -> None:
        super().__init__(examples, seed)
        self.length = length
        self.end = int(tokenizer.eos_token_id)
        texts = [prompt.text for prompt in prompts]
        read = tokenizer(texts, return_offsets_mapping=True)
        self.rows: list[Row] = [
            (ids, _learned(ids, offsets, prompt))
            for ids, offsets, prompt in zip(
                read["input_ids"], read["offset_mapping"], prompts, strict=True
            )
        ]

    def draw(self, number: int, rng: np.random.Generator) -> Row:
        """A prompt."""
        return self._row(rng, [number % len(self.rows)])

    def draw_long(self, count: int, rng: np.random.Generator) -> list[Row]:
        """Prompts one after the other."""
        picks = rng.integers(len(self.rows), size=(count, self.length // 4))
        return [self._row(rng, row.tolist()) for row in picks]

    def size(self, row: Row) -> int:
        """Its tokens."""
        return len(row[0])

    def tensors(self, rows: Sequence[Row], step: int) -> Mapping[str, Any]:  # noqa: ARG002
        """Tensors input_ids and labels (`IGNORED` where nothing is learned)."""
        tokens, labels = zip(*rows, strict=True)
        return {"input_ids": padded(tokens, 0), "labels": padded(labels, IGNORED)}

    def _row(self, rng: np.random.Generator, numbers: Sequence[int]) -> Row:
        begins = rng.random() < 0.5
        tokens, labels = ([self.end], [IGNORED]) if begins else ([], [])
        for number in numbers:
            if len(tokens) >= self.length:
                break
            own, learned = self.rows[number]
            tokens += [*own, self.end]
            labels += [*learned, self.end]
        return tokens[: self.length], labels[: self.length]


def _learned(
    ids: Sequence[int], offsets: Sequence[tuple[int, int]], prompt: WorldPrompt
) -> list[int]:
    ranges = prompt.answered
    return [
        token if any(start <= first and last <= end for start, end in ranges) else IGNORED
        for token, (first, last) in zip(ids, offsets, strict=True)
    ]
