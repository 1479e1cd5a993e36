"""GPT-1 in miniature: every next token, layer norm after each block, lower-cased byte pairs.

Radford et al. 2018, section 4.1: a decoder with masked self-attention, GELU, learned positions and
layer normalisation after each sub-block, as in the first transformer; byte pairs with "</w>" at the
end of a word. Nothing begins or separates texts.

What differs from the paper: sizes; rows of one text, because people type single texts; no dropout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.batches.next_tokens import NextTokenBatches
from explorer.learning.recipe import Schedule
from explorer.objectives.generation.next_token import next_token_losses
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument

VOCABULARY: Final = 1700
LENGTH: Final = 128
LAYERS: Final = 3
WIDTH: Final = 128
HEADS: Final = 4


class Gpt1Recipe(MiniatureRecipe):
    """Tokenizer, architecture and objective of the GPT-1 miniature."""

    name = "gpt1-miniature"
    title = "GPT-1"
    about = FamilyCard(
        recipe="gpt1",
        family="GPT-1",
        tokenizer='byte pairs of lower-cased words, "</w>" at their ends',
        loads_with="`AutoTokenizer` and `OpenAIGPTLMHeadModel`",
        rows=(
            ("Objective", "every next token"),
            ("Layer norm", "after attention and feed-forward"),
        ),
    )
    schedule = Schedule(steps=2000, examples=40, documents=60_000, peak_rate=2e-3)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """Byte pairs of lower-cased words."""
        from transformers import OpenAIGPTTokenizer

        from explorer.learning.tokenizers.word_bpe import (
            DIGITS_AND_MARKS,
            LETTERS,
            train_word_bpe,
        )

        texts = (document.text.lower() for document in documents)
        letters = LETTERS + DIGITS_AND_MARKS
        vocabulary, merges = train_word_bpe(texts, VOCABULARY, ["<unk>"], letters)
        return OpenAIGPTTokenizer(vocab=vocabulary, merges=merges, model_max_length=LENGTH)

    def make_model(self, tokenizer: Any) -> Any:
        """A decoder whose output layer is its word embedding."""
        from transformers import OpenAIGPTConfig, OpenAIGPTLMHeadModel

        config = OpenAIGPTConfig(
            vocab_size=len(tokenizer),
            n_positions=LENGTH,
            n_embd=WIDTH,
            n_layer=LAYERS,
            n_head=HEADS,
            afn="gelu",
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            initializer_range=0.05,
        )
        return OpenAIGPTLMHeadModel(config)

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Texts with nothing before or behind them."""
        tokens = tokenizer([document.text for document in documents])["input_ids"]
        return NextTokenBatches(tokens, self.schedule.examples, seed, LENGTH)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Loss in nats a token. Padding lies to the right, where nothing looks at it."""
        return next_token_losses(model(input_ids=batch["input_ids"]).logits, batch["labels"])

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How well it predicts what comes next."""
        from explorer.pretraining.cards.next_tokens import next_token_page

        return next_token_page(self.about, model, tokenizer, self.reader(tokenizer))


RECIPE = Gpt1Recipe()
