"""RoBERTa in miniature: masked language model alone, on byte-level pieces, with dynamic masks.

Liu et al. 2019, section 4: masks are drawn anew each time a text is met (4.1); there are no
sentence pairs, and texts that are put one after the other are parted by a separator (4.2,
FULL-SENTENCES); casing is kept and pieces are bytes (4.4). What differs from the paper: sizes; most
texts are read alone, because people type single texts; texts are written as people type, some
without capitals and some with a space before a mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import DYNAMIC
from explorer.objectives.pairs.next_sentence import alone
from explorer.pretraining.pair_batches import Example, PairBatches, PairReading
from explorer.pretraining.pair_losses import encode, pair_losses
from explorer.pretraining.recipe import Batches, Recipe, Schedule
from explorer.world.corpus import Document
from explorer.world.spelling import as_typed

VOCABULARY: Final = 2200
LENGTH: Final = 128
LAYERS: Final = 4
WIDTH: Final = 128
HEADS: Final = 4
# Share of the texts that are read without what follows their first sentence.
FIRST_ONLY: Final = 0.1


class FullSentenceBatches(PairBatches):
    """Single texts, and texts one after the other with a separator between them."""

    def write(self, number: int, document: Document) -> Sequence[str]:
        """As people type; later sentences keep the space before them, which is in their piece."""
        return as_typed(number, document)

    def _draw(self, number: int, rng: np.random.Generator) -> Example:
        index = number % len(self.documents)
        document = self.documents[index]
        # A later sentence starts with a space, as no text does: only a first one stands alone.
        return Example(alone(document[:1] if rng.random() < FIRST_ONLY else document), index)

    def _draw_long(self, rng: np.random.Generator) -> Example:
        sentences: list[list[int]] = []
        room = self.reading.length - 2
        while True:
            document = self.documents[int(rng.integers(len(self.documents)))]
            room -= sum(map(len, document)) + bool(sentences)
            if room < 0 and sentences:
                # Nothing repeats these texts, so they need a number of their own.
                return Example(alone(sentences), len(self.documents) + int(rng.integers(2**31)))
            sentences += [[self.sep_token], *document] if sentences else document


class RobertaRecipe(Recipe):
    """Tokenizer, architecture and objective of the RoBERTa miniature."""

    name: ClassVar[str] = "roberta-miniature"
    title: ClassVar[str] = "RoBERTa"
    schedule: ClassVar[Schedule] = Schedule(
        steps=5000, examples=48, documents=160_000, peak_rate=2e-3
    )

    def make_tokenizer(self, documents: Sequence[Document]) -> Any:
        """Byte-level BPE with casing."""
        from explorer.pretraining.byte_bpe import pretrained_tokenizer, train_byte_bpe

        texts = ("".join(as_typed(*numbered)) for numbered in enumerate(documents))
        return pretrained_tokenizer(*train_byte_bpe(texts, VOCABULARY), LENGTH)

    def make_model(self, tokenizer: Any) -> Any:
        """Post-layer-norm encoder with a masked-language-model head."""
        from transformers import RobertaConfig, RobertaForMaskedLM

        config = RobertaConfig(
            vocab_size=len(tokenizer),
            hidden_size=WIDTH,
            num_hidden_layers=LAYERS,
            num_attention_heads=HEADS,
            intermediate_size=4 * WIDTH,
            # Positions are counted from the one behind the padding's number.
            max_position_embeddings=LENGTH + tokenizer.pad_token_id + 1,
            type_vocab_size=1,
            layer_norm_eps=1e-5,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            initializer_range=0.05,
            bos_token_id=tokenizer.bos_token_id,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
        return RobertaForMaskedLM(config)

    def make_batches(self, tokenizer: Any, documents: Sequence[Document], seed: int) -> Batches:
        """Texts without pairs, with dynamic masks."""
        reading = PairReading(pairs=0.0, length=LENGTH, masking=DYNAMIC)
        return FullSentenceBatches(tokenizer, documents, self.schedule.examples, seed, reading)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The loss in nats. The vocabulary is scored at selected tokens only."""
        selected = batch["labels"] != IGNORED
        scores = model.lm_head(encode(model, batch).last_hidden_state[selected])
        return pair_losses(scores, None, batch, labels=batch["labels"][selected])

    def card(self, model: Any, tokenizer: Any, run: Mapping[str, Any]) -> str:
        """The README."""
        from explorer.pretraining.card import Card, write_card
        from explorer.world.readers import spelled_reader

        card = Card(
            recipe="roberta",
            family="RoBERTa",
            tokenizer="byte-level BPE, casing kept",
            loads_with="`AutoTokenizer` and `RobertaForMaskedLM`",
            rows=(
                ("Masked language model", "15 %: 80/10/10, dynamic: drawn anew for every reading"),
                ("Sentence pairs", "none"),
            ),
        )
        return write_card(card, model, tokenizer, run, spelled_reader(tokenizer.tokenize))


RECIPE = RobertaRecipe()
