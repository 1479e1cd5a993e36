"""Batches of tasks in text: what the encoder reads, and what the decoder is to write."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.learning.batches.chunked import ChunkedBatches, padded
from explorer.objectives import IGNORED
from explorer.objectives.generation.span_corruption import corrupt, draw_spans
from explorer.pretraining.measures.written_tasks import TaskDrawer, WrittenTask
from explorer.world.corpus import CorpusDocument

Row = tuple[list[int], list[int]]
"""Read and written pieces."""
TASKS = (*WrittenTask, None)
"""In turn; None is the corruption of spans that the model was trained on before."""


class TaskBatches(ChunkedBatches[Row]):
    """Questions, each drawn once, and texts with dropped spans among them.

    Args:
        tokenizer: cuts the texts.
        documents: what they are drawn from.
        examples: rows in a batch.
        seed: seed of all draws.
        sentinels: numbers of the pieces that stand for spans.
    """

    def __init__(
        self,
        tokenizer: Any,
        documents: Sequence[CorpusDocument],
        examples: int,
        seed: int,
        sentinels: Sequence[int],
    ) -> None:
        super().__init__(examples, seed)
        self.tokenizer, self.sentinels = tokenizer, sentinels
        self.documents = documents
        self.drawer = TaskDrawer(documents, documents)
        self.pad, self.end = int(tokenizer.pad_token_id), int(tokenizer.eos_token_id)

    def draw(self, number: int, rng: np.random.Generator) -> Row:
        """The next task's."""
        task = TASKS[number % len(TASKS)]
        if task is None:
            document = self.documents[int(rng.integers(len(self.documents)))]
            tokens = self._cut(document.text)
            read, told = corrupt(tokens, draw_spans(len(tokens), rng), self.sentinels, self.end)
            return list(read), list(told)
        source = random.Random(int(rng.integers(2**32)))  # noqa: S311
        question = self.drawer.draw(task, source)
        return (
            [*self._cut(question.text), self.end],
            [*self._cut(question.answers[0]), self.end],
        )

    def draw_long(self, count: int, rng: np.random.Generator) -> list[Row]:
        """As any others."""
        return [self.draw(at, rng) for at in range(count)]

    def size(self, row: Row) -> int:
        """What the encoder reads."""
        return len(row[0])

    def tensors(self, rows: Sequence[Row], step: int) -> Mapping[str, Any]:  # noqa: ARG002
        """Tensors input_ids, attention_mask, decoder_input_ids and labels."""
        inputs = padded([read for read, _ in rows], self.pad)
        return {
            "input_ids": inputs,
            "attention_mask": (inputs != self.pad).long(),
            "decoder_input_ids": padded([[self.pad, *told[:-1]] for _, told in rows], self.pad),
            "labels": padded([told for _, told in rows], IGNORED),
        }

    def _cut(self, text: str) -> list[int]:
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])
