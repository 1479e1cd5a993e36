"""Ways to pretrain on courses of events: an objective for pairs, or none, and a format of input.

Lan et al. 2020 (ALBERT), section 4.6, compare objectives: none, next sentence, sentence order. Liu
et al. 2019 (RoBERTa), section 4.2, compare formats of input. What a batch holds is told in tokens,
so that all ways read as much in as many steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from explorer.learning.batches.losses import masked_losses, order_losses, pair_scores
from explorer.learning.batches.pairs import PairBatches, PairExample, PairReading
from explorer.learning.recipe import Recipe, Schedule
from explorer.objectives.pairs.next_sentence import IS_NEXT, NOT_NEXT, SentencePair, alone
from explorer.objectives.pairs.sentence_order import draw_ordered_pair
from explorer.published.pair_objectives import (
    DOCUMENT,
    FORMATS,
    FULL,
    NEXT,
    NONE,
    OBJECTIVES,
    ORDER,
    SEGMENTS,
    SENTENCES,
)
from explorer.world.corpus import CorpusDocument
from explorer.world.courses.corpus import topic_of
from explorer.world.courses.grammar import courses

STEPS: Final = 2500
DOCUMENTS: Final = 20_000
# More than there are words and their beginnings, so that every word is one piece.
VOCABULARY: Final = 1600
LENGTH: Final = 160
LAYERS: Final = 2
WIDTH: Final = 96
HEADS: Final = 4
# Of a batch: about 32 documents.
TOKENS: Final = 1450
# A packed text ends before this many tokens, or with its only document.
PACKED: Final = 128


@dataclass(frozen=True, slots=True)
class ObjectiveFormat:
    """An objective and a format; the formats of one text know no objective for pairs."""

    objective: str
    format: str

    @property
    def paired(self) -> bool:
        """Whether it reads two texts at a time."""
        return self.format in (SEGMENTS, SENTENCES)


# What the first table compares, and the second one. The way of BERT stands in both.
OBJECTIVE_WAYS: Final = tuple(ObjectiveFormat(objective, SEGMENTS) for objective in OBJECTIVES)
FORMAT_WAYS: Final = tuple(
    ObjectiveFormat(NEXT if form in (SEGMENTS, SENTENCES) else NONE, form) for form in FORMATS
)
# Examples of about TOKENS tokens together, by the mean length of one (measured; a test holds it).
EXAMPLES: Final = {
    ObjectiveFormat(NONE, SEGMENTS): 31,
    ObjectiveFormat(NEXT, SEGMENTS): 31,
    ObjectiveFormat(ORDER, SEGMENTS): 31,
    ObjectiveFormat(NEXT, SENTENCES): 80,
    ObjectiveFormat(NONE, FULL): 12,
    ObjectiveFormat(NONE, DOCUMENT): 32,
}


def draw_next(
    document: Sequence[Sequence[int]],
    other: Sequence[Sequence[int]],
    generator: np.random.Generator,
) -> SentencePair:
    """Cut a document in two, and keep the second part or take as many sentences of another one.

    They stand anywhere in it. Were they always its last ones, or more of them, then that would tell
    them from what follows, and a head that knows order would take them for what comes later.
    """
    cut = int(generator.integers(1, len(document)))
    first, second = alone(document[:cut]).first, alone(document[cut:]).first
    if generator.random() < 0.5:
        return SentencePair(first, second, IS_NEXT)
    count = min(len(document) - cut, len(other))
    place = int(generator.integers(len(other) - count + 1))
    return SentencePair(first, alone(other[place : place + count]).first, NOT_NEXT)


def elsewhere(topics: Sequence[str], index: int, generator: np.random.Generator) -> int:
    """Draw a document on another topic than that of one.

    Among millions of documents hardly one in ten thousand shares its topic. Here one in two dozen
    would, and from those a head for what is next learns order too, which it could not there.
    """
    while True:
        other = int(generator.integers(len(topics)))
        if topics[other] != topics[index]:
            return other


class WayBatches(PairBatches):
    """Masked texts of one format, with pairs by one objective."""

    way = ObjectiveFormat(NONE, SEGMENTS)
    topics: Sequence[str] = ()

    def draw(self, number: int, rng: np.random.Generator) -> PairExample:
        """A pair, or a text without one."""
        index = number % len(self.documents)
        document = self.documents[index]
        if self.way.format == DOCUMENT:
            return PairExample(alone(document), index)
        if self.way.format == FULL:
            # Nothing repeats these texts, so they need a number of their own.
            return PairExample(self._packed(document, rng), len(self.documents) + number)
        if self.way.format == SENTENCES:
            place = int(rng.integers(len(document) - 1))
            document = document[place : place + 2]
        return PairExample(self._pair(document, index, rng), index)

    def draw_long(self, count: int, rng: np.random.Generator) -> list[PairExample]:
        """None are longer than the others: as many as in any batch."""
        del count
        numbers = rng.integers(len(self.documents), size=self.examples)
        return [self.draw(int(number), rng) for number in numbers]

    def _pair(
        self, document: list[list[int]], index: int, rng: np.random.Generator
    ) -> SentencePair:
        if self.way.objective == NEXT:
            return draw_next(document, self.documents[elsewhere(self.topics, index, rng)], rng)
        if self.way.objective == ORDER:
            return draw_ordered_pair(document, rng)
        cut = int(rng.integers(1, len(document)))
        first, second = (alone(part).first for part in (document[:cut], document[cut:]))
        return SentencePair(first, second, alone(document).label)

    def _packed(self, document: list[list[int]], rng: np.random.Generator) -> SentencePair:
        """Sentences of documents one after the other, with a separator between two documents."""
        tokens: list[int] = []
        while len(tokens) + sum(map(len, document)) + 1 <= PACKED or not tokens:
            tokens += [self.sep_token] if tokens else []
            tokens += [token for sentence in document for token in sentence]
            document = self.any_document(rng)
        # The last document fills what is left, whole sentences only.
        room = PACKED - len(tokens) - 1
        fitting: list[int] = []
        for sentence in document:
            if len(fitting) + len(sentence) > room:
                break
            fitting += sentence
        return alone([[*tokens, self.sep_token, *fitting] if fitting else tokens])


class WayRecipe(Recipe):
    """BERT, small, trained in one way."""

    title = "BERT"
    schedule = Schedule(steps=STEPS, examples=0, documents=DOCUMENTS, peak_rate=1.5e-3, warmup=0.1)

    def __init__(self, way: ObjectiveFormat) -> None:
        self.way = way
        self.name = f"{way.objective}-{way.format}"

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """Uncased WordPiece in which every word of the courses is one piece, whatever is drawn."""
        from explorer.learning.tokenizers.wordpiece import pretrained_tokenizer, train_wordpiece

        del documents
        return pretrained_tokenizer(train_wordpiece(sorted(courses().words()), VOCABULARY), LENGTH)

    def make_model(self, tokenizer: Any) -> Any:
        """Both of BERT's heads, whether they will be trained or not."""
        from transformers import BertConfig, BertForPreTraining

        return BertForPreTraining(
            BertConfig(
                vocab_size=len(tokenizer),
                hidden_size=WIDTH,
                num_hidden_layers=LAYERS,
                num_attention_heads=HEADS,
                intermediate_size=4 * WIDTH,
                max_position_embeddings=LENGTH,
                hidden_dropout_prob=0.0,
                attention_probs_dropout_prob=0.0,
                # 0.02 is made for a width of 768; narrower models start better a little wider.
                initializer_range=0.05,
                pad_token_id=tokenizer.pad_token_id,
            )
        )

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> WayBatches:
        """As many examples as make about `TOKENS` tokens."""
        reading = PairReading(length=LENGTH)
        made = WayBatches(tokenizer, documents, EXAMPLES[self.way], seed, reading)
        made.way = self.way
        made.topics = [topic_of(document) for document in documents]
        return made

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The masked language model's, and that of pairs where there is an objective for them."""
        scores, order = pair_scores(model, batch)
        return masked_losses(scores, batch) | order_losses(order, batch, "pairs")
