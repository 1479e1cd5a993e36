"""Batches for models that read a text with dropped spans and write the spans (T5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from explorer.learning.batches.chunked import ChunkedBatches, padded
from explorer.objectives import IGNORED
from explorer.objectives.generation.span_corruption import DROPPED, corrupt, draw_spans
from explorer.objectives.masking.span_masking import Range


class SpanBatches(ChunkedBatches[Sequence[int]]):
    """Texts from a fixed list with spans drawn anew for every reading; some rows hold several.

    Args:
        texts: the tokens of each text, without an end.
        examples: texts in a batch.
        seed: seed of order and spans.
        length: tokens in the longest row before spans are dropped.
        sentinels: numbers of the sentinel tokens in their order.
        pad: padding, which is also what the decoder starts with.
        end: the number of </s>.
    """

    stream: ClassVar[tuple[int, ...]] = (0,)
    dropped: float = DROPPED
    """Share of a text that is dropped."""

    def __init__(
        self,
        texts: Sequence[Sequence[int]],
        examples: int,
        seed: int,
        length: int,
        *,
        sentinels: Sequence[int],
        pad: int,
        end: int,
    ) -> None:
        super().__init__(examples, seed)
        self.texts = texts
        self.length = length
        self.sentinels = sentinels
        self.pad = pad
        self.end = end

    def draw(self, number: int, rng: np.random.Generator) -> Sequence[int]:  # noqa: ARG002
        """A text."""
        return self.texts[number % len(self.texts)]

    def draw_long(self, count: int, rng: np.random.Generator) -> list[Sequence[int]]:
        """Texts one after the other."""
        return [self._long(rng) for _ in range(count)]

    def spans(self, length: int, rng: np.random.Generator) -> list[Range]:
        """What is dropped of a text of so many tokens; its end has a sentinel, too."""
        return draw_spans(length, rng, self.dropped)[: len(self.sentinels) - 1]

    def _long(self, rng: np.random.Generator) -> Sequence[int]:
        tokens: list[int] = []
        while len(tokens) < self.length - 1:
            tokens += self.any_text(rng)
        return tokens[: self.length - 1]

    def any_text(self, rng: np.random.Generator) -> Sequence[int]:
        """A text drawn at random."""
        return self.texts[int(rng.integers(len(self.texts)))]

    def size(self, row: Sequence[int]) -> int:
        """Its tokens."""
        return len(row)

    def tensors(self, rows: Sequence[Sequence[int]], step: int) -> Mapping[str, Any]:
        """Tensors input_ids, attention_mask, decoder_input_ids and labels."""
        rng = np.random.default_rng((self.seed, 1, step))
        pairs = [
            corrupt(text, self.spans(len(text), rng), self.sentinels, self.end) for text in rows
        ]
        inputs = padded([read for read, _ in pairs], self.pad)
        return {
            "input_ids": inputs,
            "attention_mask": (inputs != self.pad).long(),
            # The decoder sees what it has written so far, behind its start.
            "decoder_input_ids": padded([[self.pad, *told[:-1]] for _, told in pairs], self.pad),
            "labels": padded([told for _, told in pairs], IGNORED),
        }
