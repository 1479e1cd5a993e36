"""ALBERT in miniature: narrow pieces, one layer used four times, masked n-grams, sentence order.

Lan et al. 2020, section 3.1: the embeddings are factorised (V x H becomes V x E + E x H), all
layers share one set of weights, and sentence-order prediction takes the place of next-sentence
prediction; section 4.1: n-gram masks, a SentencePiece vocabulary. Because sharing makes a layer
cheap to store, this miniature is wider than BERT's and still has fewer weights.

What differs from the paper: sizes; AdamW in place of LAMB; single texts are read beside pairs
(without an order label), because people type single sentences.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from explorer.learning.batches.losses import encode, masked_losses, order_losses, selected_states
from explorer.learning.batches.pairs import PairBatches, PairExample, PairReading, word_begins
from explorer.learning.recipe import Schedule
from explorer.learning.tokenizers.sentencepiece_file import unigram_pieces, write_sentencepiece
from explorer.learning.tokenizers.unigram import MARKS, SPACE, SPECIAL_TOKENS
from explorer.objectives.masking.masked_language_model import DYNAMIC, MaskedText
from explorer.objectives.masking.ngram_masking import ngram_lengths
from explorer.objectives.masking.span_masking import (
    budget,
    choose_spans,
    replace_ranges,
    word_ranges,
)
from explorer.objectives.pairs.next_sentence import PairTokens, SentencePair
from explorer.objectives.pairs.sentence_order import draw_ordered_pair
from explorer.pretraining.cards.masked import UNSEEN
from explorer.pretraining.cards.page import EVALUATION_SEED, FamilyCard, MiniaturePage
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument, held_out_documents
from explorer.world.language.spelling import as_typed, typed_texts

VOCABULARY: Final = 1600
LENGTH: Final = 128
LAYERS: Final = 4
WIDTH: Final = 192
PIECE_WIDTH: Final = 96
HEADS: Final = 6


class SentenceOrderBatches(PairBatches):
    """Pairs in order or swapped, and single texts, with n-gram masks."""

    def __init__(
        self,
        tokenizer: Any,
        documents: Sequence[CorpusDocument],
        examples: int,
        seed: int,
        reading: PairReading,
    ) -> None:
        super().__init__(tokenizer, documents, examples, seed, reading)
        self.begins = word_begins(tokenizer, lambda piece: piece[0] == SPACE or piece[0] in MARKS)
        self.lengths = ngram_lengths()

    def write(self, number: int, document: CorpusDocument) -> Sequence[str]:
        """As people type."""
        return as_typed(number, document)

    def draw_pair(
        self,
        document: Sequence[Sequence[int]],
        other: Sequence[Sequence[int]],  # noqa: ARG002
        rng: np.random.Generator,
    ) -> SentencePair:
        """Two parts of one document, swapped in half of the cases."""
        return draw_ordered_pair(document, rng)

    def mask(
        self,
        text: PairTokens,
        example: PairExample,  # noqa: ARG002
        rng: np.random.Generator,
    ) -> MaskedText:
        """Select n-grams; each token has its own fate."""
        policy = self.reading.masking
        words = word_ranges(text.tokens, text.candidates, self.begins)
        room = budget(int(text.candidates.sum()), policy)
        spans = choose_spans(words, room, self.lengths, rng)
        tokens = [(place, place + 1) for start, end in spans for place in range(start, end)]
        return replace_ranges(text.tokens, tokens, self.ordinary, self.mask_token, policy, rng)


class AlbertRecipe(MiniatureRecipe):
    """Tokenizer, architecture and objective of the ALBERT miniature."""

    name = "albert-miniature"
    title = "ALBERT"
    spelled = True
    about = FamilyCard(
        recipe="albert",
        family="ALBERT",
        tokenizer="SentencePiece unigram, uncased",
        loads_with="`AutoTokenizer`, `AlbertForMaskedLM` and `AlbertForPreTraining`",
        rows=(
            ("Layers", "all share one set of weights"),
            ("Masked language model", "15 % in n-grams of up to 3 words: 80/10/10"),
            ("Sentence order", "half of the pairs swapped"),
        ),
    )
    schedule = Schedule(
        steps=7000,
        examples=64,
        documents=160_000,
        # A shared layer needs smaller steps: each of them moves all layers at once.
        peak_rate=1e-3,
    )
    reading = PairReading(length=LENGTH, masking=DYNAMIC)
    batches = SentenceOrderBatches
    # As the published files name the activation.
    config_changes = {"hidden_act": "gelu_new"}
    # Pieces are narrow and not shared, and scores are sums over their few places.
    rate_scales = {"word_embeddings.": 3.0}

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """Uncased SentencePiece unigram."""
        from explorer.learning.tokenizers.unigram import pretrained_tokenizer, train_unigram

        texts = typed_texts(documents)
        return pretrained_tokenizer(train_unigram(texts, VOCABULARY), LENGTH)

    def make_model(self, tokenizer: Any) -> Any:
        """Post-layer-norm encoder of one shared layer, with both of ALBERT's heads."""
        from torch import nn
        from transformers import AlbertConfig, AlbertForPreTraining

        config = AlbertConfig(
            vocab_size=len(tokenizer),
            embedding_size=PIECE_WIDTH,
            hidden_size=WIDTH,
            num_hidden_layers=LAYERS,
            num_hidden_groups=1,
            inner_group_num=1,
            num_attention_heads=HEADS,
            intermediate_size=4 * WIDTH,
            # The published "gelu_new" is this function, written in steps that are slower.
            hidden_act="gelu_pytorch_tanh",
            max_position_embeddings=LENGTH,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            classifier_dropout_prob=0.0,
            initializer_range=0.05,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=tokenizer.cls_token_id,
            eos_token_id=tokenizer.sep_token_id,
        )
        model = AlbertForPreTraining(config)
        # Widened pieces start with the spread that they had, as in a model that need not widen
        # them; with the small spread of other weights the first layer hardly sees them, and the
        # loss stays where word frequencies put it for several hundred steps more.
        widen = model.albert.encoder.embedding_hidden_mapping_in
        nn.init.normal_(widen.weight, std=PIECE_WIDTH**-0.5)
        return model

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Both losses in nats. The vocabulary is scored at selected tokens only."""
        encoded = encode(model, batch)
        scores = model.predictions(selected_states(encoded.last_hidden_state, batch))
        order = model.sop_classifier(encoded.pooler_output)
        return masked_losses(scores, batch) | order_losses(order, batch, "sop")

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """As one that fills masks, with what its factors save."""
        page = super().page(model, tokenizer)
        config = model.config
        pieces, narrow, wide = config.vocab_size, config.embedding_size, config.hidden_size
        factors = f"{pieces} x {narrow} + {narrow} x {wide} = {(pieces + wide) * narrow:,}"
        row = ("Embeddings", f"{factors} weights in place of {pieces * wide:,}")
        place = page.rows.index(self.about.rows[0]) + 1
        return dataclasses.replace(page, rows=(*page.rows[:place], row, *page.rows[place:]))

    def notes(self, model: Any, tokenizer: Any) -> Sequence[str]:
        """The sentence-order head's."""
        from explorer.pretraining.measures.evaluation import sentence_order_accuracy

        unseen = held_out_documents(UNSEEN)
        order = sentence_order_accuracy(model, tokenizer, unseen, EVALUATION_SEED)
        return (f"Sentence order, unseen pairs: {order:.1%} right.",)

    def finish(self, model: Any, tokenizer: Any, out: Path) -> None:  # noqa: ARG002
        """Add SentencePiece's own file."""
        write_sentencepiece(unigram_pieces(tokenizer), SPECIAL_TOKENS, out)


RECIPE = AlbertRecipe()
