"""Batches of questions about passages, with where each answer begins and ends."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.learning.batches.chunked import ChunkedBatches, padded
from explorer.world.corpus import CorpusDocument
from explorer.world.tasks.questions import PassageQuestion, QuestionWriter


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A question and its passage as a model reads them.

    Attributes:
        tokens: both, with special tokens.
        segments: 0 for the question, 1 for the passage.
        span: the answer's first and last token; twice the first token where there is none.
    """

    tokens: Sequence[int]
    segments: Sequence[int]
    span: tuple[int, int]


def read(tokenizer: Any, question: PassageQuestion, length: int) -> PassageRow:
    """A question in tokens; an answer that is cut off with the end of its passage is none."""
    (encoding,) = tokenizer(
        [question.text], [question.passage], truncation="only_second", max_length=length
    ).encodings
    inside = [at for at, which in enumerate(encoding.sequence_ids) if which == 1]
    span = (0, 0)
    if question.answers and question.answers[0][1] <= encoding.offsets[inside[-1]][1]:
        start, end = question.answers[0]
        within = [at for at in inside if _overlap(encoding.offsets[at], start, end)]
        span = (within[0], within[-1])
    return PassageRow(encoding.ids, segments(encoding), span)


def segments(encoding: Any) -> list[int]:
    """0 for each token of the question, 1 for each of the passage, as BERT numbers them.

    They are made here since some tokenizers (ALBERT's) leave them out of what they return.
    """
    found = [int(which == 1) for which in encoding.sequence_ids]
    # The passage's last special token belongs to it.
    found[-1] = 1
    return found


def _overlap(offsets: tuple[int, int], start: int, end: int) -> bool:
    return max(offsets[0], start) < min(offsets[1], end)


class AnswerBatches(ChunkedBatches[PassageRow]):
    """Questions about passages of some documents; each is drawn once."""

    def __init__(
        self,
        tokenizer: Any,
        documents: Sequence[CorpusDocument],
        examples: int,
        seed: int,
        length: int,
    ) -> None:
        super().__init__(examples, seed)
        self.tokenizer = tokenizer
        self.asker = QuestionWriter(documents)
        self.length = length

    def draw(self, number: int, rng: np.random.Generator) -> PassageRow:  # noqa: ARG002
        """One about a passage of the usual length."""
        return read(self.tokenizer, self.asker.draw(_source(rng)), self.length)

    def draw_long(self, count: int, rng: np.random.Generator) -> list[PassageRow]:
        """Those about long passages."""
        return [
            read(self.tokenizer, self.asker.draw_long(_source(rng)), self.length)
            for _ in range(count)
        ]

    def size(self, row: PassageRow) -> int:
        """Its tokens."""
        return len(row.tokens)

    def tensors(self, rows: Sequence[PassageRow], step: int) -> Mapping[str, Any]:  # noqa: ARG002
        """Tensors input_ids, attention_mask, token_type_ids, starts, ends."""
        import torch

        starts, ends = zip(*(row.span for row in rows), strict=True)
        return {
            "input_ids": padded([row.tokens for row in rows], self.tokenizer.pad_token_id),
            "attention_mask": padded([np.ones_like(row.tokens) for row in rows], 0),
            "token_type_ids": padded([row.segments for row in rows], 0),
            "starts": torch.tensor(starts),
            "ends": torch.tensor(ends),
        }


def _source(rng: np.random.Generator) -> random.Random:
    return random.Random(int(rng.integers(2**32)))  # noqa: S311
