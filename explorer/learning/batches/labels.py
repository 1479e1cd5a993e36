"""Batches of texts with the tag of each piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from explorer.learning.batches.chunked import ChunkedBatches, padded
from explorer.world.corpus import CorpusDocument
from explorer.world.labelling.knowledge_spans import word_offsets
from explorer.world.labelling.tags import OUTSIDE, TAGGED, TAGS, tags

NOT_ASKED: Final = -100
"""The label of special tokens, as torch's cross-entropy leaves it out."""
MOST: Final = 3
"""Documents of a text."""
MOST_LONG: Final = 8


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A text in pieces.

    Attributes:
        tokens: with special tokens.
        labels: numbers of the tags; `NOT_ASKED` for special tokens.
        words: for each piece the number of its word; None for special tokens.
    """

    tokens: Sequence[int]
    labels: Sequence[int]
    words: Sequence[int | None]


def read(tokenizer: Any, documents: Sequence[CorpusDocument], length: int) -> LabelledRow:
    """Documents one after the other; of a word of several pieces the later ones are inside."""
    text, words, shift = "", [], 0
    for document in documents:
        text += (" " if text else "") + document.text
        offsets = ((start + shift, end + shift) for start, end in word_offsets(document))
        words += list(zip(offsets, tags(document), strict=True))
        shift = len(text) + 1
    (encoding,) = tokenizer([text], truncation=True, max_length=length).encodings
    labels: list[int] = []
    places: list[int | None] = []
    at = 0
    for (start, end), special in zip(encoding.offsets, encoding.special_tokens_mask, strict=True):
        if special:
            labels.append(NOT_ASKED)
            places.append(None)
            continue
        while words[at][0][1] <= start:
            at += 1
        (begin, _), tag = words[at]
        is_first = start <= begin < end
        labels.append(TAGS.index(tag if is_first or tag == OUTSIDE else f"I-{tag[2:]}"))
        places.append(at)
    return LabelledRow(encoding.ids, labels, places)


class LabelBatches(ChunkedBatches[LabelledRow]):
    """Texts of one to three documents whose tags are all known."""

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
        self.documents = [one for one in documents if one.kind in TAGGED]
        self.length = length

    def draw(self, number: int, rng: np.random.Generator) -> LabelledRow:  # noqa: ARG002
        """One of the usual length."""
        return self._of(int(rng.integers(1, MOST, endpoint=True)), rng)

    def draw_long(self, count: int, rng: np.random.Generator) -> list[LabelledRow]:
        """Those of many documents."""
        return [self._of(MOST_LONG, rng) for _ in range(count)]

    def _of(self, count: int, rng: np.random.Generator) -> LabelledRow:
        chosen = rng.integers(len(self.documents), size=count)
        return read(self.tokenizer, [self.documents[at] for at in chosen], self.length)

    def size(self, row: LabelledRow) -> int:
        """Its tokens."""
        return len(row.tokens)

    def tensors(self, rows: Sequence[LabelledRow], step: int) -> Mapping[str, Any]:  # noqa: ARG002
        """Tensors input_ids, attention_mask, labels."""
        return {
            "input_ids": padded([row.tokens for row in rows], self.tokenizer.pad_token_id),
            "attention_mask": padded([np.ones_like(row.tokens) for row in rows], 0),
            "labels": padded([row.labels for row in rows], NOT_ASKED),
        }
