"""XLM in miniature: masked tokens in English, in Korean, and across translations.

Lample and Conneau 2019: the masked language model of each language (section 3.3) and the
translation language model (section 3.4) on the same derivations told in both languages; one
byte-pair vocabulary for both (section 3.1); language embeddings. Casing is kept, as in the
published models that know Korean.

What differs from the paper: sizes; rows are single texts, because people type single texts; no
dropout; English is met more often than Korean because more of the world is told in it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.batches.losses import masked_losses, selected_states
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument
from explorer.world.language.spelling import typed_texts

VOCABULARY: Final = 3200
LENGTH: Final = 128
LAYERS: Final = 3
WIDTH: Final = 128
HEADS: Final = 4
LANGUAGES: Final = {"en": 0, "ko": 1}
SPECIAL_TOKENS: Final = (
    "<s>", "</s>", "<pad>", "<unk>", *(f"<special{number}>" for number in range(10)),
)  # fmt: skip


class XlmRecipe(MiniatureRecipe):
    """Tokenizer, architecture and objective of the XLM miniature."""

    name = "xlm-miniature"
    title = "XLM, English and Korean"
    about = FamilyCard(
        recipe="xlm",
        family="XLM",
        tokenizer="byte pairs of both languages, casing kept",
        loads_with="`XLMTokenizer` and `XLMWithLMHeadModel`",
        rows=(
            ("Masked language model", "15 %: 80/10/10, each language alone"),
            (
                "Translation language model",
                "the same on a text beside its translation; positions start again",
            ),
        ),
    )
    schedule = Schedule(steps=6000, examples=48, documents=120_000, peak_rate=2e-3)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """One byte-pair vocabulary for both languages."""
        from transformers import XLMTokenizer

        from explorer.learning.tokenizers.word_bpe import (
            DIGITS_AND_MARKS,
            LETTERS,
            train_word_bpe,
        )
        from explorer.world.korean.text import korean

        texts = list(typed_texts(documents))
        told = [text for text in map(korean, documents) if text is not None]
        hangul = "".join(sorted({sign for text in told for sign in text if sign >= "가"}))
        letters = LETTERS + LETTERS.upper() + DIGITS_AND_MARKS + hangul
        vocabulary, merges = train_word_bpe((*texts, *told), VOCABULARY, SPECIAL_TOKENS, letters)
        # The class reads its vocabulary from files only.
        with tempfile.TemporaryDirectory() as folder:
            pieces, pairs = Path(folder, "vocab.json"), Path(folder, "merges.txt")
            pieces.write_text(json.dumps(vocabulary), "utf-8")
            pairs.write_text("".join(f"{one} {other}\n" for one, other in merges), "utf-8")
            return XLMTokenizer(
                str(pieces),
                str(pairs),
                lang2id=LANGUAGES,
                id2lang={number: code for code, number in LANGUAGES.items()},
                do_lowercase_and_remove_accent=False,
                model_max_length=LENGTH,
            )

    def make_model(self, tokenizer: Any) -> Any:
        """An encoder of two languages whose output layer is its word embedding."""
        from transformers import XLMConfig, XLMWithLMHeadModel

        config = XLMConfig(
            vocab_size=len(tokenizer),
            emb_dim=WIDTH,
            n_layers=LAYERS,
            n_heads=HEADS,
            max_position_embeddings=LENGTH,
            dropout=0.0,
            attention_dropout=0.0,
            gelu_activation=True,
            sinusoidal_embeddings=False,
            n_langs=len(LANGUAGES),
            use_lang_emb=True,
            lang2id=LANGUAGES,
            id2lang={str(number): code for code, number in LANGUAGES.items()},
            lang_id=LANGUAGES["en"],
            embed_init_std=0.05,
            init_std=0.05,
            mask_token_id=tokenizer.mask_token_id,
            mask_index=tokenizer.mask_token_id,
        )
        return XLMWithLMHeadModel(config)

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Texts alone and beside their translation."""
        from explorer.learning.batches.translations import TranslationBatches
        from explorer.learning.tokenizers.word_bpe import words_of
        from explorer.world.korean.text import korean

        def numbers(text: str) -> list[int]:
            pieces = [piece for word in words_of(text) for piece in tokenizer.bpe(word).split()]
            return list(tokenizer.convert_tokens_to_ids(pieces))

        english = [numbers(text) for text in typed_texts(documents)]
        parallel = [
            (text, numbers(told))
            for text, told in zip(english, map(korean, documents), strict=True)
            if told is not None
        ]
        ordinary = range(len(SPECIAL_TOKENS), len(tokenizer))
        return TranslationBatches(
            tokenizer, english, parallel, self.schedule.examples, seed, LENGTH, ordinary
        )

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Loss in nats a masked token. The vocabulary is scored at selected tokens only."""
        inputs = {name: values for name, values in batch.items() if name != "labels"}
        states = selected_states(model.transformer(**inputs).last_hidden_state, batch)
        return masked_losses(model.pred_layer.proj(states), batch)

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How well it predicts in either language, alone and beside the other."""
        from explorer.pretraining.cards.translations import translation_page

        return translation_page(self.about, model, tokenizer)


RECIPE = XlmRecipe()
