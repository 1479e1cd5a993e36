"""GPT-2 in miniature: every next token, layer norm before each block, byte-level pieces.

Radford et al. 2019, section 2.3: layer normalisation is moved to the input of each sub-block and
one more stands after the last; the weights of residual layers are scaled at initialisation by
1 / sqrt(N), N being the number of residual layers (two a block). Section 2.2: byte-level BPE.
Texts are separated by <|endoftext|>.

What differs from the paper: sizes; most rows hold one text, because people type single texts, and
every other row begins without <|endoftext|>, because people do not type it; no dropout. Pieces and
merges are those of the RoBERTa miniature, whose tokenizer is GPT-2's with other special tokens.
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
from explorer.pretraining.recipes.encoders import roberta
from explorer.world.corpus import CorpusDocument
from explorer.world.language.spelling import typed_texts

END: Final = "<|endoftext|>"
LENGTH: Final = 128
LAYERS: Final = 3
WIDTH: Final = 128
HEADS: Final = 4


class Gpt2Recipe(MiniatureRecipe):
    """Tokenizer, architecture and objective of the GPT-2 miniature."""

    name = "gpt2-miniature"
    title = "GPT-2"
    spelled = True
    about = FamilyCard(
        recipe="gpt2",
        family="GPT-2",
        tokenizer="byte-level BPE, casing kept; merges of the RoBERTa miniature",
        loads_with="`AutoTokenizer` and `GPT2LMHeadModel`",
        rows=(
            ("Objective", "every next token"),
            ("Layer norm", "before attention and feed-forward, and after the last layer"),
            (
                "Residual weights",
                f"scaled by 1 / sqrt({2 * LAYERS}) at initialisation, two layers a block",
            ),
        ),
    )
    schedule = Schedule(steps=2500, examples=48, documents=160_000, peak_rate=2e-3)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """The RoBERTa miniature's merges; <|endoftext|> is the last piece, as published."""
        from explorer.learning.tokenizers.byte_bpe import (
            FIRST_TOKENS,
            MASK,
            pretrained_left_tokenizer,
            train_byte_bpe,
        )

        texts = typed_texts(documents)
        vocabulary, merges = train_byte_bpe(texts, roberta.VOCABULARY)
        special = {*FIRST_TOKENS, MASK}
        pieces = sorted(vocabulary.keys() - special, key=vocabulary.__getitem__)
        numbered = {piece: number for number, piece in enumerate([*pieces, END])}
        return pretrained_left_tokenizer(numbered, merges, END, LENGTH)

    def make_model(self, tokenizer: Any) -> Any:
        """A decoder whose output layer is its word embedding."""
        from transformers import GPT2Config, GPT2LMHeadModel

        end = tokenizer.eos_token_id
        config = GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=LENGTH,
            n_embd=WIDTH,
            n_layer=LAYERS,
            n_head=HEADS,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            initializer_range=0.05,
            bos_token_id=end,
            eos_token_id=end,
        )
        # transformers scales the residual layers' weights (c_proj) by 1 / sqrt(2 * n_layer).
        return GPT2LMHeadModel(config)

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Texts as people type them, <|endoftext|> behind each."""
        texts = list(typed_texts(documents))
        tokens = tokenizer(texts)["input_ids"]
        return NextTokenBatches(
            tokens, self.schedule.examples, seed, LENGTH, tokenizer.eos_token_id
        )

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Loss in nats a token. Padding lies to the right, where nothing looks at it."""
        scores = model(input_ids=batch["input_ids"], use_cache=False).logits
        return next_token_losses(scores, batch["labels"])

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How well it predicts what comes next."""
        from explorer.pretraining.cards.next_tokens import next_token_page

        return next_token_page(self.about, model, tokenizer, self.reader(tokenizer))


RECIPE = Gpt2Recipe()
