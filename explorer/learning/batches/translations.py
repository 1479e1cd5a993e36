"""Batches for XLM: texts of either language alone, and texts beside their translation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from explorer.learning.batches.chunked import ChunkedBatches, padded
from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import DYNAMIC, mask_text
from explorer.objectives.masking.translation_language_model import LaidTexts, lay_parallel

ENGLISH: Final = 0
KOREAN: Final = 1
# Shares of rows of English alone and of Korean alone; the rest are translations.
ALONE: Final = (0.4, 0.2)

Texts = Sequence[Sequence[int]]


class TranslationBatches(ChunkedBatches[LaidTexts]):
    """Masks are drawn anew for every reading.

    Args:
        tokenizer: its special tokens are laid around the texts.
        english: the tokens of every English text.
        parallel: the tokens of texts that have a translation, in both languages.
        examples: rows in a batch.
        seed: seed of order and masks.
        length: tokens in the longest row.
        ordinary: tokens that a random replacement is drawn from.
    """

    stream: ClassVar[tuple[int, ...]] = (0,)

    def __init__(
        self,
        tokenizer: Any,
        english: Texts,
        parallel: Sequence[tuple[Sequence[int], Sequence[int]]],
        examples: int,
        seed: int,
        length: int,
        ordinary: Sequence[int],
    ) -> None:
        super().__init__(examples, seed)
        self.tokenizer = tokenizer
        self.english = english
        self.parallel = parallel
        self.length = length
        self.ordinary = np.array(ordinary)

    def draw(self, number: int, rng: np.random.Generator) -> LaidTexts:
        """A text of either language, or both beside each other."""
        kind = rng.random()
        if kind < ALONE[0]:
            return self._lay([self.english[number % len(self.english)]], [ENGLISH])
        pair = self.parallel[int(rng.integers(len(self.parallel)))]
        if kind < sum(ALONE):
            return self._lay([pair[KOREAN]], [KOREAN])
        first = int(rng.integers(2))
        return self._lay([pair[first], pair[1 - first]], [first, 1 - first])

    def draw_long(self, count: int, rng: np.random.Generator) -> list[LaidTexts]:
        """Texts of one language, one after the other."""
        return [self._long(rng) for _ in range(count)]

    def _long(self, rng: np.random.Generator) -> LaidTexts:
        language = int(rng.integers(2))
        tokens: list[int] = []
        while len(tokens) < self.length - 2:
            tokens += self.parallel[int(rng.integers(len(self.parallel)))][language]
        return self._lay([tokens[: self.length - 2]], [language])

    def size(self, row: LaidTexts) -> int:
        """Its tokens."""
        return len(row.tokens)

    def tensors(self, rows: Sequence[LaidTexts], step: int) -> Mapping[str, Any]:
        """Tensors input_ids, attention_mask, position_ids, langs and labels."""
        rng = np.random.default_rng((self.seed, 1, step))
        mask = self.tokenizer.mask_token_id
        masked = [
            mask_text(text.tokens, text.candidates, self.ordinary, mask, DYNAMIC, rng)
            for text in rows
        ]
        return {
            "input_ids": padded([text.inputs for text in masked], self.tokenizer.pad_token_id),
            "attention_mask": padded([np.ones_like(text.tokens) for text in rows], 0),
            "position_ids": padded([text.positions for text in rows], 0),
            "langs": padded([text.languages for text in rows], 0),
            "labels": padded([text.labels for text in masked], IGNORED),
        }

    def _lay(self, texts: Texts, languages: Sequence[int]) -> LaidTexts:
        begin, end = self.tokenizer.bos_token_id, self.tokenizer.sep_token_id
        return lay_parallel(texts, languages, begin, end)
