"""Batches for models that read a text with dropped spans and write the spans (T5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.objectives import IGNORED
from explorer.objectives.generation.span_corruption import corrupt, draw_spans
from explorer.pretraining.pair_batches import CHUNK, LONG
from explorer.pretraining.recipe import Batches


class SpanBatches(Batches):
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
        self.texts = texts
        self.examples = examples
        self.seed = seed
        self.length = length
        self.sentinels = sentinels
        self.pad = pad
        self.end = end
        self._chunk: tuple[int, list[list[Sequence[int]]]] = (-1, [])

    def batch(self, step: int) -> Mapping[str, Any]:
        """Tensors input_ids, attention_mask, decoder_input_ids and labels."""
        import torch

        chunk, index = divmod(step, CHUNK)
        if self._chunk[0] != chunk:
            self._chunk = (chunk, self._draw_chunk(chunk))
        rng = np.random.default_rng((self.seed, 1, step))
        pairs = [
            corrupt(text, draw_spans(len(text), rng), self.sentinels, self.end)
            for text in self._chunk[1][index]
        ]
        inputs = self._filled([read for read, _ in pairs], self.pad)
        labels = self._filled([target for _, target in pairs], IGNORED)
        # The decoder sees what it has written so far, behind its start.
        written = self._filled([[self.pad, *target[:-1]] for _, target in pairs], self.pad)
        return {
            "input_ids": torch.from_numpy(inputs),
            "attention_mask": torch.from_numpy((inputs != self.pad).astype(np.int64)),
            "decoder_input_ids": torch.from_numpy(written),
            "labels": torch.from_numpy(labels),
        }

    @staticmethod
    def _filled(rows: Sequence[Sequence[int]], filler: int) -> np.ndarray[Any, np.dtype[np.int64]]:
        filled = np.full((len(rows), max(map(len, rows))), filler, dtype=np.int64)
        for row, tokens in enumerate(rows):
            filled[row, : len(tokens)] = tokens
        return filled

    def _draw_chunk(self, chunk: int) -> list[list[Sequence[int]]]:
        rng = np.random.default_rng((self.seed, 0, chunk))
        start = chunk * CHUNK * self.examples
        drawn = [
            self.texts[(start + i) % len(self.texts)] for i in range((CHUNK - LONG) * self.examples)
        ]
        drawn.sort(key=len)
        batches = [drawn[i : i + self.examples] for i in range(0, len(drawn), self.examples)]
        batches += [
            [self._long(rng) for _ in range(max(1, self.examples // 5))] for _ in range(LONG)
        ]
        return [batches[i] for i in rng.permutation(len(batches))]

    def _long(self, rng: np.random.Generator) -> list[int]:
        tokens: list[int] = []
        while len(tokens) < self.length - 1:
            tokens += self.texts[int(rng.integers(len(self.texts)))]
        return tokens[: self.length - 1]
