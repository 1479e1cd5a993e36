"""Batches for models that read sentence pairs and predict masked tokens (BERT and its heirs)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.learning.batches.chunked import ChunkedBatches, padded
from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import MaskedText, MaskingPolicy, mask_text
from explorer.objectives.pairs.next_sentence import (
    PairTokens,
    SentencePair,
    alone,
    draw_pair,
    lay_out,
)
from explorer.world.corpus import CorpusDocument


@dataclass(frozen=True, slots=True)
class PairReading:
    """How documents become examples.

    Attributes:
        pairs: share of documents of two or more sentences that are cut into a pair.
        length: the longest example in tokens.
        masking: the masking policy.
    """

    pairs: float = 0.6
    length: int = 128
    masking: MaskingPolicy = field(default_factory=MaskingPolicy)


@dataclass(frozen=True, slots=True)
class PairExample:
    """A text or pair before it is masked.

    Attributes:
        pair: its tokens.
        text: what static masking repeats its pattern by.
        reading: how often the text was read before; None where the step tells.
    """

    pair: SentencePair
    text: int
    reading: int | None = None


class PairBatches(ChunkedBatches[PairExample]):
    """Masked pairs and single texts from a fixed list of documents.

    A family that writes, draws, pairs or masks texts in its own way overrides `write`, `draw`,
    `follow`, `draw_pair` or `mask`; one whose documents are no list, `tokenized`.
    """

    def __init__(
        self,
        tokenizer: Any,
        documents: Sequence[Any],
        examples: int,
        seed: int,
        reading: PairReading,
    ) -> None:
        super().__init__(examples, seed)
        self.reading = reading
        self.cls_token = int(tokenizer.cls_token_id)
        self.sep_token = int(tokenizer.sep_token_id)
        self.pad_token = int(tokenizer.pad_token_id)
        self.mask_token = int(tokenizer.mask_token_id)
        special = set(tokenizer.all_special_ids)
        self.ordinary = np.array([n for n in range(len(tokenizer)) if n not in special])
        self.documents = self.tokenized(tokenizer, documents)

    def tokenized(self, tokenizer: Any, documents: Sequence[Any]) -> Sequence[list[list[int]]]:
        """The tokens of each document's sentences, without special ones."""
        sentences = [self.write(number, document) for number, document in enumerate(documents)]
        flat = [sentence for parts in sentences for sentence in parts]
        numbered = iter(tokenizer(flat, add_special_tokens=False)["input_ids"])
        return [[next(numbered) for _ in parts] for parts in sentences]

    def write(self, number: int, document: CorpusDocument) -> Sequence[str]:  # noqa: ARG002
        """The sentences of a document as text; ``number`` is its place in the list."""
        return document.sentences

    def draw_pair(
        self,
        document: Sequence[Sequence[int]],
        other: Sequence[Sequence[int]],
        rng: np.random.Generator,
    ) -> SentencePair:
        """Cut a document of two or more sentences into a pair."""
        return draw_pair(document, other, rng)

    def mask(
        self,
        text: PairTokens,
        example: PairExample,  # noqa: ARG002
        rng: np.random.Generator,
    ) -> MaskedText:
        """Select and replace tokens of one text."""
        return mask_text(
            text.tokens,
            text.candidates,
            self.ordinary,
            self.mask_token,
            self.reading.masking,
            rng,
        )

    def draw(self, number: int, rng: np.random.Generator) -> PairExample:
        """A pair, a document, or one of its sentences."""
        index = number % len(self.documents)
        document = self.documents[index]
        if len(document) > 1:
            draw = rng.random()
            if draw < self.reading.pairs:
                return PairExample(self.draw_pair(document, self.any_document(rng), rng), index)
            if draw < self.reading.pairs + 0.1:
                place = int(rng.integers(len(document)))
                return PairExample(alone(document[place : place + 1]), index)
        return PairExample(alone(document), index)

    def draw_long(self, count: int, rng: np.random.Generator) -> list[PairExample]:
        """Documents one after the other."""
        return [self._long(rng) for _ in range(count)]

    def _long(self, rng: np.random.Generator) -> PairExample:
        sentences: list[list[int]] = []
        room = self.reading.length - 2
        while True:
            document = self.follow(sentences, self.any_document(rng))
            room -= sum(map(len, document))
            if room < 0 and sentences:
                # Nothing repeats these texts, so they need a number of their own.
                return PairExample(alone(sentences), len(self.documents) + int(rng.integers(2**31)))
            sentences += document

    def follow(
        self,
        before: list[list[int]],  # noqa: ARG002
        document: list[list[int]],
    ) -> list[list[int]]:
        """A document as it stands behind others."""
        return document

    def any_document(self, rng: np.random.Generator) -> list[list[int]]:
        """The sentences of a document drawn at random."""
        return self.documents[int(rng.integers(len(self.documents)))]

    def size(self, row: PairExample) -> int:
        """Its tokens without the special ones."""
        return len(row.pair.first) + len(row.pair.second)

    def tensors(self, rows: Sequence[PairExample], step: int) -> Mapping[str, Any]:
        """Tensors input_ids, attention_mask, token_type_ids, labels, next_sentence_label."""
        import torch

        epoch = step * self.examples // len(self.documents)
        laid = [lay_out(row.pair, self.cls_token, self.sep_token) for row in rows]
        masked = [
            self.mask(
                text,
                row,
                self.reading.masking.generator(
                    self.seed, row.text, epoch if row.reading is None else row.reading
                ),
            )
            for text, row in zip(laid, rows, strict=True)
        ]
        return {
            "input_ids": padded([text.inputs for text in masked], self.pad_token),
            "attention_mask": padded([np.ones_like(text.tokens) for text in laid], 0),
            "token_type_ids": padded([text.segments for text in laid], 0),
            "labels": padded([text.labels for text in masked], IGNORED),
            "next_sentence_label": torch.tensor([row.pair.label for row in rows]),
        }


def word_begins(tokenizer: Any, begins: Callable[[str], bool]) -> NDArray[np.bool_]:
    """Which pieces of a vocabulary begin a word, shape [vocabulary]."""
    return np.array([begins(p) for p in tokenizer.convert_ids_to_tokens(range(len(tokenizer)))])
