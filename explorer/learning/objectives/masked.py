"""Masked words (Devlin et al. 2019), alone or with a task on pairs of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from explorer.learning.batches.losses import encode, masked_losses, order_losses, selected_states
from explorer.learning.batches.pairs import PairBatches, PairExample, PairReading, word_begins
from explorer.learning.models.encoders import PlannedEncoder, encoder_of
from explorer.learning.models.shared_layers import apart
from explorer.learning.objectives.misled import misled
from explorer.learning.objectives.planned import PlannedRecipe
from explorer.learning.plan.choices import Fate, Objective, PairObjective, SelectionUnit
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.texts.documents import TokenizedDocuments, WrittenDocument
from explorer.objectives.masking.masked_language_model import MaskedText, MaskingPolicy
from explorer.objectives.masking.span_masking import (
    budget,
    choose_spans,
    choose_words,
    geometric_lengths,
    replace_ranges,
    word_ranges,
)
from explorer.objectives.pairs.next_sentence import PairTokens, SentencePair, alone, draw_pair
from explorer.objectives.pairs.sentence_order import draw_ordered_pair

PAIRED: Final = 0.6
"""Share of documents of two sentences or more that are cut into a pair, where pairs are asked."""


def policy_of(plan: TrainingPlan) -> MaskingPolicy:
    """What a plan says of masks."""
    # A discriminator sees no [MASK], so nothing has to be evened out by random or kept pieces.
    only_masks = plan.objective is Objective.REPLACED or plan.fate is Fate.MASK
    shares = (1.0, 0.0) if only_masks else (0.8, 0.1)
    return MaskingPolicy(plan.selected, *shares, dynamic=plan.dynamic)


class PlannedPairs(PairBatches):
    """Masked texts and pairs as a plan says.

    Args:
        tokenizer: cuts the documents.
        documents: what is read.
        plan: how.
        seed: seed of order, pairs and masks.
    """

    documents: TokenizedDocuments

    def __init__(
        self,
        tokenizer: Any,
        documents: Sequence[WrittenDocument],
        plan: TrainingPlan,
        seed: int,
    ) -> None:
        share = 0.0 if plan.pairs is PairObjective.NONE else PAIRED
        reading = PairReading(share, plan.length, policy_of(plan))
        super().__init__(tokenizer, documents, plan.batch, seed, reading)
        self.pairs = plan.pairs
        self.unit = SelectionUnit.SPANS if plan.objective is Objective.BOUNDARY else plan.unit
        self.begins = word_begins(tokenizer, lambda piece: not piece.startswith("##"))
        self.lengths = geometric_lengths()
        self._order: tuple[int, Any] = (-1, None)

    def tokenized(self, tokenizer: Any, documents: Sequence[Any]) -> TokenizedDocuments:
        """A block when its first document is read."""
        return TokenizedDocuments(tokenizer, documents)

    def any_document(self, rng: np.random.Generator) -> list[list[int]]:
        """The sentences of a document drawn at random, of those that are at hand."""
        return self.documents[self.documents.near(rng)]

    def draw(self, number: int, rng: np.random.Generator) -> PairExample:
        """A pair, or a document, cut to the model's length."""
        found = super().draw(number, rng)
        first, second = found.pair.first, found.pair.second
        room = self.reading.length - (3 if second else 2)
        # Of the longer one, from its end.
        keep = max(room - len(second), min(len(first), room // 2))
        cut = SentencePair(first[:keep], second[: room - keep], found.pair.label)
        # A chunk of few documents holds each of them several times, with masks of its own.
        return PairExample(cut, found.text, number // len(self.documents))

    def draw_long(self, count: int, rng: np.random.Generator) -> list[PairExample]:
        """Documents one after the other, the first of them cut if nothing else has room."""
        room = self.reading.length - 2
        drawn = super().draw_long(count, rng)
        return [PairExample(alone([one.pair.first[:room]]), one.text) for one in drawn]

    def draw_pair(
        self,
        document: Sequence[Sequence[int]],
        other: Sequence[Sequence[int]],
        rng: np.random.Generator,
    ) -> SentencePair:
        """Cut in two; the second part is another document's, or both are swapped."""
        if self.pairs is PairObjective.ORDER:
            return draw_ordered_pair(document, rng)
        return draw_pair(document, other, rng)

    def mask(self, text: PairTokens, example: PairExample, rng: np.random.Generator) -> MaskedText:
        """Select pieces, whole words or spans of them."""
        if self.unit is SelectionUnit.PIECES:
            return super().mask(text, example, rng)
        policy = self.reading.masking
        words = word_ranges(text.tokens, text.candidates, self.begins)
        room = budget(int(text.candidates.sum()), policy)
        if self.unit is SelectionUnit.SPANS:
            ranges = choose_spans(words, room, self.lengths, rng)
        else:
            # Each piece of a word has a fate of its own, as in BERT's code for whole words.
            chosen = choose_words(words, room, rng)
            ranges = [(place, place + 1) for start, end in chosen for place in range(start, end)]
        return replace_ranges(text.tokens, ranges, self.ordinary, self.mask_token, policy, rng)


class MaskedRecipe(PlannedRecipe):
    """Masked words, and where a plan says so the next sentence or the order of sentences."""

    def encoder(self) -> PlannedEncoder:
        """The family's layers and heads."""
        return encoder_of(self.plan)

    def make_model(self, tokenizer: Any) -> Any:
        """The family's encoder with the heads that are asked."""
        return self.encoder().make(self.plan, tokenizer)

    def make_batches(
        self, tokenizer: Any, documents: Sequence[WrittenDocument], seed: int
    ) -> PlannedPairs:
        """Masked texts and pairs."""
        return PlannedPairs(tokenizer, documents, self.plan, seed)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Nats a selected piece, and nats a pair; the vocabulary is scored where it is asked."""
        encoder, plan = self.encoder(), self.plan

        def read() -> Any:
            return encode(model, batch)

        def scores(encoded: Any) -> Any:
            return encoder.scores(model, selected_states(encoded.last_hidden_state, batch))

        if plan.adversarial:
            encoded, answer, moved = misled(model, read, scores, plan.adversarial_step)
            found = masked_losses(answer, batch)
            found["loss_adversarial"] = plan.adversarial * moved
        else:
            encoded = read()
            found = masked_losses(scores(encoded), batch)
        if plan.pairs is not PairObjective.NONE:
            name = "nsp" if plan.pairs is PairObjective.NEXT else "sop"
            found |= order_losses(encoder.pair(model, encoded.pooler_output), batch, name)
        return found

    def parts(self, model: Any) -> dict[str, Any]:
        """The encoder with its heads."""
        return {"": apart(model)}
