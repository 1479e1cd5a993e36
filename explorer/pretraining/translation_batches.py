"""Batches for XLM: texts of either language alone, and texts beside their translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import DYNAMIC, mask_text
from explorer.objectives.masking.translation_language_model import LaidTexts, lay_parallel
from explorer.pretraining.pair_batches import CHUNK, LONG
from explorer.pretraining.recipe import Batches

ENGLISH: Final = 0
KOREAN: Final = 1
# Shares of rows of English alone and of Korean alone; the rest are translations.
ALONE: Final = (0.4, 0.2)

Texts = Sequence[Sequence[int]]


class TranslationBatches(Batches):
    """Masks are drawn anew for every reading.

    Args:
        english: the tokens of every English text.
        parallel: the tokens of texts that have a translation, in both languages.
        examples: rows in a batch.
        seed: seed of order and masks.
        length: tokens in the longest row.
        begin: the token before a row.
        end: the token behind every text.
        pad: padding.
        mask: the mask token.
        ordinary: tokens that a random replacement is drawn from.
    """

    def __init__(
        self,
        english: Texts,
        parallel: Sequence[tuple[Sequence[int], Sequence[int]]],
        examples: int,
        seed: int,
        length: int,
        *,
        begin: int,
        end: int,
        pad: int,
        mask: int,
        ordinary: Sequence[int],
    ) -> None:
        self.english = english
        self.parallel = parallel
        self.examples = examples
        self.seed = seed
        self.length = length
        self.begin = begin
        self.end = end
        self.pad = pad
        self.mask = mask
        self.ordinary = np.array(ordinary)
        self._chunk: tuple[int, list[list[LaidTexts]]] = (-1, [])

    def batch(self, step: int) -> Mapping[str, Any]:
        """Tensors input_ids, attention_mask, position_ids, langs and labels."""
        import torch

        chunk, index = divmod(step, CHUNK)
        if self._chunk[0] != chunk:
            self._chunk = (chunk, self._draw_chunk(chunk))
        laid = self._chunk[1][index]
        shape = (len(laid), max(len(text.tokens) for text in laid))
        filled = {
            name: np.full(shape, filler, dtype=np.int64)
            for name, filler in (
                ("input_ids", self.pad),
                ("attention_mask", 0),
                ("position_ids", 0),
                ("langs", 0),
                ("labels", IGNORED),
            )
        }
        rng = np.random.default_rng((self.seed, 1, step))
        for row, text in enumerate(laid):
            end = len(text.tokens)
            masked = mask_text(text.tokens, text.candidates, self.ordinary, self.mask, DYNAMIC, rng)
            filled["input_ids"][row, :end] = masked.inputs
            filled["labels"][row, :end] = masked.labels
            filled["attention_mask"][row, :end] = 1
            filled["position_ids"][row, :end] = text.positions
            filled["langs"][row, :end] = text.languages
        return {name: torch.from_numpy(values) for name, values in filled.items()}

    def _draw_chunk(self, chunk: int) -> list[list[LaidTexts]]:
        rng = np.random.default_rng((self.seed, 0, chunk))
        start = chunk * CHUNK * self.examples
        drawn = [self._draw(start + i, rng) for i in range((CHUNK - LONG) * self.examples)]
        drawn.sort(key=lambda text: len(text.tokens))
        batches = [drawn[i : i + self.examples] for i in range(0, len(drawn), self.examples)]
        batches += [
            [self._long(rng) for _ in range(max(1, self.examples // 5))] for _ in range(LONG)
        ]
        return [batches[i] for i in rng.permutation(len(batches))]

    def _draw(self, number: int, rng: np.random.Generator) -> LaidTexts:
        kind = rng.random()
        if kind < ALONE[0]:
            return self._lay([self.english[number % len(self.english)]], [ENGLISH])
        pair = self.parallel[int(rng.integers(len(self.parallel)))]
        if kind < sum(ALONE):
            return self._lay([pair[KOREAN]], [KOREAN])
        first = int(rng.integers(2))
        return self._lay([pair[first], pair[1 - first]], [first, 1 - first])

    def _long(self, rng: np.random.Generator) -> LaidTexts:
        language = int(rng.integers(2))
        tokens: list[int] = []
        while len(tokens) < self.length - 2:
            tokens += self.parallel[int(rng.integers(len(self.parallel)))][language]
        return self._lay([tokens[: self.length - 2]], [language])

    def _lay(self, texts: Texts, languages: Sequence[int]) -> LaidTexts:
        return lay_parallel(texts, languages, self.begin, self.end)
