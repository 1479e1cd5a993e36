"""Batches of texts with several that may follow each; one does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.learning.batches.chunked import ChunkedBatches, padded
from explorer.objectives import IGNORED
from explorer.world.corpus import CorpusDocument

MARKS = ("_start_", "_delimiter_", "_classify_")
"""Start, delimiter and extract, as Radford et al. 2018 have them in their code."""
BERT_MARKS = ("[CLS]", "[SEP]", "[SEP]")
"""What BERT has in their places (Devlin et al. 2019, section 4.4)."""

Row = list[list[int]]
"""A sequence a choice; the first is right."""


class ChoiceBatches(ChunkedBatches[Row]):
    """Texts from a fixed list, cut where a sentence ends.

    Args:
        tokenizer: cuts the texts; it has the three special pieces.
        texts: documents; one of a single sentence is only what another ends with.
        examples: texts in a batch.
        choices: what may follow each.
        seed: seed of the order, the cuts and the wrong ends.
        length: tokens of the longest sequence.
        marks: what is before, between and behind the texts.
    """

    def __init__(
        self,
        tokenizer: Any,
        texts: Sequence[CorpusDocument],
        examples: int,
        choices: int,
        seed: int,
        length: int,
        marks: Sequence[str] = MARKS,
    ) -> None:
        super().__init__(examples, seed)
        self.choices = choices
        self.length = length
        self.start, self.delimiter, self.extract = tokenizer.convert_tokens_to_ids(list(marks))
        sentences = [document.sentences for document in texts]
        flat = [sentence for one in sentences for sentence in one]
        cut = iter(tokenizer(flat, add_special_tokens=False)["input_ids"])
        self.texts = [[next(cut) for _ in one] for one in sentences]
        self.long = [text for text in self.texts if len(text) > 1]

    def draw(self, number: int, rng: np.random.Generator) -> Row:
        """A text with its own end, and with those of others."""
        text = self.long[number % len(self.long)]
        cut = int(rng.integers(1, len(text)))
        ends = [text[cut:]]
        for _ in range(self.choices - 1):
            other = self.texts[int(rng.integers(len(self.texts)))]
            ends.append(other[int(rng.integers(len(other))) :])
        return [self._laid_out(text[:cut], end) for end in ends]

    def draw_long(self, count: int, rng: np.random.Generator) -> list[Row]:
        """As any others: a text is as long as it is."""
        return [self.draw(int(rng.integers(len(self.long))), rng) for _ in range(count)]

    def size(self, row: Row) -> int:
        """Tokens of the longest sequence."""
        return max(map(len, row))

    def tensors(self, rows: Sequence[Row], step: int) -> Mapping[str, Any]:  # noqa: ARG002
        """Tensors of a step.

        input_ids [texts, choices, length]; last [texts, choices], the places of the extract pieces;
        labels [texts, length], tokens of the right sequences, `IGNORED` at padding.
        """
        import torch

        flat = [sequence for row in rows for sequence in row]
        shape = (len(rows), self.choices)
        return {
            "input_ids": padded(flat, 0).view(*shape, -1),
            "last": torch.tensor([len(one) - 1 for one in flat]).view(shape),
            "labels": padded([row[0] for row in rows], IGNORED),
        }

    def _laid_out(self, before: Sequence[list[int]], after: Sequence[list[int]]) -> list[int]:
        first = [token for sentence in before for token in sentence]
        second = [token for sentence in after for token in sentence]
        room = self.length - 3 - len(second)
        first = first[-room:] if len(first) > room else first
        return [self.start, *first, self.delimiter, *second, self.extract][: self.length]
