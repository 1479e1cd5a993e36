"""T5 in miniature: an encoder reads a text with dropped spans, a decoder writes the spans.

Raffel et al. 2020: encoder and decoder with relative positions, layer norm without bias before each
block (section 2.1), SentencePiece pieces that keep casing (section 3.1.3), span corruption (section
3.1.4), 15 % in spans of 3 on average (section 3.3). One embedding serves encoder, decoder and
output, as in T5 1.0.

What differs from the paper: sizes; AdamW in place of Adafactor; no dropout; no task but the
corruption; rows of one text, because people type single texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.batches.losses import dropped_losses
from explorer.learning.batches.spans import SpanBatches
from explorer.learning.models.t5 import rate_scales
from explorer.learning.recipe import Schedule
from explorer.learning.tokenizers.sentencepiece_file import unigram_pieces, write_sentencepiece
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument
from explorer.world.language.spelling import typed_texts

PIECES: Final = 1200
SENTINELS: Final = 100
LENGTH: Final = 128
LAYERS: Final = 2
WIDTH: Final = 128
HEADS: Final = 4


class T5Recipe(MiniatureRecipe):
    """Tokenizer, architecture and objective of the T5 miniature."""

    name = "t5-miniature"
    title = "T5"
    about = FamilyCard(
        recipe="t5",
        family="T5",
        tokenizer="SentencePiece unigram, casing kept",
        loads_with="`AutoTokenizer` and `T5ForConditionalGeneration`",
        rows=(("Span corruption", "15 % in spans of 3 pieces on average; one span at least"),),
    )
    schedule = Schedule(steps=8000, examples=48, documents=160_000, peak_rate=1.5e-3)
    rate_scales = rate_scales(WIDTH, HEADS)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """SentencePiece unigram with casing, and 100 sentinels."""
        from explorer.learning.tokenizers.unigram import (
            pretrained_sentinel_tokenizer,
            train_unigram,
        )

        texts = typed_texts(documents)
        pieces = train_unigram(texts, PIECES, cased=True)
        return pretrained_sentinel_tokenizer(pieces, SENTINELS, LENGTH)

    def make_model(self, tokenizer: Any) -> Any:
        """Both stacks and one embedding."""
        from transformers import T5Config, T5ForConditionalGeneration

        config = T5Config(
            vocab_size=len(tokenizer),
            d_model=WIDTH,
            d_kv=WIDTH // HEADS,
            d_ff=4 * WIDTH,
            num_layers=LAYERS,
            num_decoder_layers=LAYERS,
            num_heads=HEADS,
            dropout_rate=0.0,
            feed_forward_proj="relu",
            tie_word_embeddings=True,
            n_positions=LENGTH,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            decoder_start_token_id=tokenizer.pad_token_id,
        )
        return T5ForConditionalGeneration(config)

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Texts as people type them, with spans drawn anew for every reading."""
        texts = list(typed_texts(documents))
        return SpanBatches(
            tokenizer(texts, add_special_tokens=False)["input_ids"],
            self.schedule.examples,
            seed,
            LENGTH,
            sentinels=tokenizer.convert_tokens_to_ids(
                [f"<extra_id_{number}>" for number in range(SENTINELS)]
            ),
            pad=tokenizer.pad_token_id,
            end=tokenizer.eos_token_id,
        )

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Loss in nats a written token; its sentinels and end count, as in the paper."""
        return dropped_losses(model, batch)

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How well it writes what was dropped."""
        from explorer.pretraining.cards.spans import span_page

        return span_page(self.about, model, tokenizer)

    def finish(self, model: Any, tokenizer: Any, out: Path) -> None:  # noqa: ARG002
        """Add SentencePiece's own file; as published, it is without the sentinels."""
        special = ("<pad>", "</s>", "<unk>")
        pieces = unigram_pieces(tokenizer)[:-SENTINELS]
        write_sentencepiece(pieces, special, out)


RECIPE = T5Recipe()
