"""Cutting rows of many lengths into batches, so that little of a batch is padding."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, TypeVar

import numpy as np

# Batches are cut from a chunk of rows sorted by length, so that padding stays small.
CHUNK: Final = 64
# In each chunk this many batches hold several documents one after the other, up to the model's
# length: otherwise late positions would never be trained.
LONG: Final = 2

Row = TypeVar("Row")


class TrainingBatches(ABC):
    """Training batches by step number, so that a resumed run reads what it would have read."""

    @abstractmethod
    def batch(self, step: int) -> Mapping[str, Any]:
        """The tensors of one step."""


class StagedBatches(TrainingBatches):
    """Another's batches, each with its ``stage``: 0 before a step, 1 from it on."""

    def __init__(self, batches: TrainingBatches, second: int) -> None:
        self.batches = batches
        self.second = second

    def batch(self, step: int) -> Mapping[str, Any]:
        """The batch of a step and its stage."""
        return {**self.batches.batch(step), "stage": int(step >= self.second)}


class ChunkedBatches(TrainingBatches, Generic[Row]):
    """Rows that are drawn a chunk at a time.

    Args:
        examples: rows in a batch; of rows as long as the model reads there are a fifth of it.
        seed: seed of the order.
    """

    # What numbers the stream of random numbers that rows are drawn from.
    stream: ClassVar[tuple[int, ...]] = ()

    def __init__(self, examples: int, seed: int) -> None:
        self.examples = examples
        self.seed = seed
        self._chunk: tuple[int, list[list[Row]]] = (-1, [])

    @abstractmethod
    def draw(self, number: int, rng: np.random.Generator) -> Row:
        """The row of a number; numbers follow each other through the whole run."""

    @abstractmethod
    def draw_long(self, count: int, rng: np.random.Generator) -> list[Row]:
        """So many rows that hold several texts, up to the model's length."""

    @abstractmethod
    def size(self, row: Row) -> int:
        """What rows are sorted by."""

    @abstractmethod
    def tensors(self, rows: Sequence[Row], step: int) -> Mapping[str, Any]:
        """The rows of one step as tensors."""

    def batch(self, step: int) -> Mapping[str, Any]:
        """The tensors of one step."""
        chunk, index = divmod(step, CHUNK)
        if self._chunk[0] != chunk:
            self._chunk = (chunk, self._draw_chunk(chunk))
        return self.tensors(self._chunk[1][index], step)

    def _draw_chunk(self, chunk: int) -> list[list[Row]]:
        rng = np.random.default_rng((self.seed, *self.stream, chunk))
        start = chunk * CHUNK * self.examples
        drawn = [self.draw(start + i, rng) for i in range((CHUNK - LONG) * self.examples)]
        drawn.sort(key=self.size)
        batches = [drawn[i : i + self.examples] for i in range(0, len(drawn), self.examples)]
        batches += [self.draw_long(max(1, self.examples // 5), rng) for _ in range(LONG)]
        return [batches[i] for i in rng.permutation(len(batches))]


def padded(rows: Sequence[Any], filler: int) -> Any:
    """Rows of numbers as one tensor of int64, shape [rows, longest], filled up at the right."""
    import torch

    filled = np.full((len(rows), max(map(len, rows))), filler, dtype=np.int64)
    for row, numbers in enumerate(rows):
        filled[row, : len(numbers)] = numbers
    return torch.from_numpy(filled)
