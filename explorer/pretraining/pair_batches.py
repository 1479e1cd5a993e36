"""Batches for models that read sentence pairs and predict masked tokens (BERT and its heirs)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import (
    MaskedText,
    MaskingPolicy,
    mask_text,
)
from explorer.objectives.pairs.next_sentence import (
    PairTokens,
    SentencePair,
    alone,
    draw_pair,
    lay_out,
)
from explorer.pretraining.recipe import Batches
from explorer.world.corpus import Document

# Batches are cut from a chunk of examples sorted by length, so that padding stays small.
CHUNK: Final = 64
# In each chunk this many batches hold several documents one after the other, up to the model's
# length: otherwise late positions would never be trained.
LONG: Final = 2


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
class Example:
    """A text or pair before it is masked.

    Attributes:
        pair: its tokens.
        text: what static masking repeats its pattern by.
    """

    pair: SentencePair
    text: int


class PairBatches(Batches):
    """Masked pairs and single texts from a fixed list of documents.

    A family that writes, pairs or masks texts in its own way overrides `write`, `draw_pair` or
    `mask`.
    """

    def __init__(
        self,
        tokenizer: Any,
        documents: Sequence[Document],
        examples: int,
        seed: int,
        reading: PairReading,
    ) -> None:
        self.examples = examples
        self.seed = seed
        self.reading = reading
        self.cls_token = int(tokenizer.cls_token_id)
        self.sep_token = int(tokenizer.sep_token_id)
        self.pad_token = int(tokenizer.pad_token_id)
        self.mask_token = int(tokenizer.mask_token_id)
        special = set(tokenizer.all_special_ids)
        self.ordinary = np.array([n for n in range(len(tokenizer)) if n not in special])
        sentences = [self.write(number, document) for number, document in enumerate(documents)]
        flat = [sentence for parts in sentences for sentence in parts]
        numbered = iter(tokenizer(flat, add_special_tokens=False)["input_ids"])
        self.documents = [[next(numbered) for _ in parts] for parts in sentences]
        self._chunk: tuple[int, list[list[Example]]] = (-1, [])

    def write(self, number: int, document: Document) -> Sequence[str]:  # noqa: ARG002
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
        example: Example,  # noqa: ARG002
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

    def batch(self, step: int) -> Mapping[str, Any]:
        """Tensors input_ids, attention_mask, token_type_ids, labels, next_sentence_label."""
        chunk, index = divmod(step, CHUNK)
        if self._chunk[0] != chunk:
            self._chunk = (chunk, self._draw_chunk(chunk))
        return self._tensors(self._chunk[1][index], step)

    def _draw_chunk(self, chunk: int) -> list[list[Example]]:
        rng = np.random.default_rng((self.seed, chunk))
        start = chunk * CHUNK * self.examples
        drawn = [self._draw(start + i, rng) for i in range((CHUNK - LONG) * self.examples)]
        drawn.sort(key=lambda example: len(example.pair.first) + len(example.pair.second))
        batches = [drawn[i : i + self.examples] for i in range(0, len(drawn), self.examples)]
        batches += [
            [self._draw_long(rng) for _ in range(max(1, self.examples // 5))] for _ in range(LONG)
        ]
        return [batches[i] for i in rng.permutation(len(batches))]

    def _draw(self, number: int, rng: np.random.Generator) -> Example:
        index = number % len(self.documents)
        document = self.documents[index]
        if len(document) > 1:
            draw = rng.random()
            if draw < self.reading.pairs:
                other = self.documents[int(rng.integers(len(self.documents)))]
                return Example(self.draw_pair(document, other, rng), index)
            if draw < self.reading.pairs + 0.1:
                place = int(rng.integers(len(document)))
                return Example(alone(document[place : place + 1]), index)
        return Example(alone(document), index)

    def _draw_long(self, rng: np.random.Generator) -> Example:
        sentences: list[list[int]] = []
        room = self.reading.length - 2
        while True:
            document = self.documents[int(rng.integers(len(self.documents)))]
            room -= sum(map(len, document))
            if room < 0 and sentences:
                return Example(alone(sentences), len(self.documents) + int(rng.integers(2**31)))
            sentences += document

    def _tensors(self, examples: Sequence[Example], step: int) -> Mapping[str, Any]:
        import torch

        laid = [lay_out(e.pair, self.cls_token, self.sep_token) for e in examples]
        width = max(len(text.tokens) for text in laid)
        shape = (len(laid), width)
        inputs = np.full(shape, self.pad_token, dtype=np.int64)
        attention = np.zeros(shape, dtype=np.int64)
        segments = np.zeros(shape, dtype=np.int64)
        labels = np.full(shape, IGNORED, dtype=np.int64)
        epoch = step * self.examples // len(self.documents)
        for row, (text, example) in enumerate(zip(laid, examples, strict=True)):
            end = len(text.tokens)
            rng = self.reading.masking.generator(self.seed, example.text, epoch)
            masked = self.mask(text, example, rng)
            inputs[row, :end], labels[row, :end] = masked.inputs, masked.labels
            attention[row, :end], segments[row, :end] = 1, text.segments
        return {
            "input_ids": torch.from_numpy(inputs),
            "attention_mask": torch.from_numpy(attention),
            "token_type_ids": torch.from_numpy(segments),
            "labels": torch.from_numpy(labels),
            "next_sentence_label": torch.tensor([e.pair.label for e in examples]),
        }
