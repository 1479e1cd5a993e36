"""What was learned of pairs, and of masked words, on documents with withheld sentences."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.learning.batches.chunked import padded
from explorer.learning.measured.linear_reading import linear_reading
from explorer.learning.measured.places import EvaluatedPiece, draw_places
from explorer.objectives import IGNORED
from explorer.objectives.pairs.next_sentence import SentencePair, lay_out
from explorer.objectives.pairs.sentence_order import draw_ordered_pair
from explorer.pretraining.pair_objectives.ways import ObjectiveFormat, draw_next, elsewhere
from explorer.published.pair_objectives import NEXT, ORDER, SENTENCES
from explorer.world.corpus import CorpusDocument, sentence_words
from explorer.world.courses.corpus import topic_of
from explorer.world.courses.grammar import courses
from explorer.world.courses.order import follows, happening
from explorer.world.exact.inside import ExactReader

BATCH: Final = 128
Numbered = list[list[int]]
Draw = Callable[[Numbered, Numbered, np.random.Generator], SentencePair]


def _in_order(
    document: Numbered,
    other: Numbered,  # noqa: ARG001 - as the other task has it
    generator: np.random.Generator,
) -> SentencePair:
    return draw_ordered_pair(document, generator)


TASKS: Final[dict[str, Draw]] = {NEXT: draw_next, ORDER: _in_order}


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of one task, as they are read, and which class each is of (0 or 1)."""

    rows: Sequence[SentencePair]

    @property
    def labels(self) -> NDArray[np.int64]:
        """Their classes."""
        return np.array([row.label for row in self.rows])


def draw_pairs(tokenizer: Any, documents: Sequence[CorpusDocument], task: str, seed: int) -> Pairs:
    """One pair of every document; half of them as they stood."""
    rng = np.random.default_rng(seed)
    numbered = [
        tokenizer(list(document.sentences), add_special_tokens=False)["input_ids"]
        for document in documents
    ]
    topics = [topic_of(document) for document in documents]
    others = (numbered[elsewhere(topics, index, rng)] for index in range(len(topics)))
    draw = TASKS[task]
    return Pairs([draw(one, other, rng) for one, other in zip(numbered, others, strict=True)])


def laid_out(tokenizer: Any, pairs: Pairs) -> dict[str, Any]:
    """The pairs as the encoder's inputs."""
    laid = [lay_out(row, tokenizer.cls_token_id, tokenizer.sep_token_id) for row in pairs.rows]
    return {
        "input_ids": padded([one.tokens for one in laid], tokenizer.pad_token_id),
        "attention_mask": padded([np.ones_like(one.tokens) for one in laid], 0),
        "token_type_ids": padded([one.segments for one in laid], 0),
    }


def read_pairs(
    model: Any, tokenizer: Any, pairs: Pairs
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The head's logits, shape [pairs, 2], and the pooled vectors, shape [pairs, hidden]."""
    import torch

    logits, pooled = [], []
    for start in range(0, len(pairs.rows), BATCH):
        with torch.inference_mode():
            inputs = laid_out(tokenizer, Pairs(pairs.rows[start : start + BATCH]))
            vector = model.bert(**inputs).pooler_output
            logits.append(model.cls.seq_relationship(vector).double().numpy())
            pooled.append(vector.double().numpy())
    return np.concatenate(logits), np.concatenate(pooled)


def head_and_classifier(
    model: Any, tokenizer: Any, known: Pairs, unseen: Pairs
) -> tuple[float, float]:
    """Accuracy of the model's own head as it is, and of a linear classifier fitted on its encoder.

    Args:
        model: with a head for pairs, of label 0 where the texts stand as they stood.
        tokenizer: its tokenizer.
        known: pairs the classifier is fitted to, of training documents.
        unseen: pairs both are tested on.
    """
    logits, pooled = read_pairs(model, tokenizer, unseen)
    head = float((logits.argmax(axis=1) == unseen.labels).mean())
    states = read_pairs(model, tokenizer, known)[1]
    return head, linear_reading(states, known.labels == 0, pooled, unseen.labels == 0)


def knowing_reader(tokenizer: Any, pairs: Pairs) -> float:
    """Accuracy of who knows the tables and looks where the two texts meet."""
    right = []
    for row in pairs.rows:
        before, after = (_sentences(tokenizer, side) for side in (row.first, row.second))
        stands = follows(happening(before[-1]), happening(after[0]))
        right.append(stands == (row.label == 0))
    return float(np.mean(right))


def _sentences(tokenizer: Any, numbers: Sequence[int]) -> list[tuple[str, ...]]:
    return list(sentence_words(tuple(tokenizer.convert_ids_to_tokens(list(numbers)))))


@dataclass(frozen=True, slots=True)
class Masked:
    """Masked places of unseen documents, with what the grammar knows of each.

    Attributes:
        places: One a document.
        lengths: Of its sentences, in pieces.
    """

    places: Sequence[EvaluatedPiece]
    lengths: Sequence[Sequence[int]]

    @property
    def floor(self) -> float:
        """The least loss there can be, in nats."""
        return float(np.mean([place.entropy for place in self.places]))


def draw_masked(tokenizer: Any, documents: Sequence[CorpusDocument], seed: int) -> Masked:
    """15 % of each document's pieces are masked, and one of them is asked for."""
    reader = ExactReader(courses(), functools.cache(lambda word: tuple(tokenizer.tokenize(word))))
    lengths = [
        [len(tokenizer.tokenize(sentence)) for sentence in document.sentences]
        for document in documents
    ]
    return Masked(draw_places(reader, documents, seed, 0.15), lengths)


def masked_loss(
    model: Any, tokenizer: Any, masked: Masked, way: ObjectiveFormat
) -> tuple[float, float]:
    """Mean cross-entropy under the exact distribution, in nats, and how often the best is right.

    Each model reads as it was trained to: a document as a pair, cut near its middle; two of its
    sentences as a pair; or the whole document as one text.
    """
    import torch

    pairs, asked = [], []
    for place, lengths in zip(masked.places, masked.lengths, strict=True):
        pieces = [tokenizer.mask_token if one is None else one for one in place.pieces]
        numbers = tokenizer.convert_tokens_to_ids(pieces)
        start, cut, end = _window(lengths, place.position, way)
        pairs.append(SentencePair(tuple(numbers[start:cut]), tuple(numbers[cut:end]), IGNORED))
        asked.append(place.position - start + (1 if place.position < cut else 2))
    losses, right = [], []
    for first in range(0, len(pairs), BATCH):
        part = slice(first, first + BATCH)
        with torch.inference_mode():
            scores = model(**laid_out(tokenizer, Pairs(pairs[part]))).prediction_logits
            rows = scores[torch.arange(len(scores)), torch.tensor(asked[part])].double()
            logs = torch.log_softmax(rows, dim=-1).numpy()
        for row, place in zip(logs, masked.places[part], strict=True):
            ids = tokenizer.convert_tokens_to_ids(list(place.exact))
            losses.append(-float(np.dot(list(place.exact.values()), row[ids])))
            best = tokenizer.convert_ids_to_tokens(int(row.argmax()))
            right.append(place.exact.get(best, 0.0))
    return float(np.mean(losses)), float(np.mean(right))


def _window(lengths: Sequence[int], position: int, way: ObjectiveFormat) -> tuple[int, int, int]:
    """Where the text a model reads begins, is cut in two, and ends."""
    ends = [int(end) for end in np.cumsum(lengths)]
    if not way.paired:
        return 0, ends[-1], ends[-1]
    if way.format != SENTENCES:
        return 0, ends[len(ends) // 2 - 1], ends[-1]
    sentence = next(n for n, end in enumerate(ends) if position < end)
    first = min(sentence, len(ends) - 2)
    return (ends[first - 1] if first else 0), ends[first], ends[first + 1]
