"""RoBERTa in miniature: masked language model alone, on byte-level pieces, with dynamic masks.

Liu et al. 2019, section 4: masks are drawn anew each time a text is met (4.1); there are no
sentence pairs, and texts that are put one after the other are parted by a separator (4.2,
FULL-SENTENCES); casing is kept and pieces are bytes (4.4). What differs from the paper: sizes; most
texts are read alone, because people type single texts; texts are written as people type, some
without capitals and some with a space before a mark.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from explorer.learning.batches.losses import encode, masked_losses, selected_states
from explorer.learning.batches.pairs import PairBatches, PairExample, PairReading
from explorer.learning.recipe import Schedule
from explorer.objectives.masking.masked_language_model import DYNAMIC
from explorer.objectives.pairs.next_sentence import alone
from explorer.pretraining.cards.page import FamilyCard
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument
from explorer.world.language.spelling import as_typed, typed_texts

VOCABULARY: Final = 2200
LENGTH: Final = 128
LAYERS: Final = 4
WIDTH: Final = 128
HEADS: Final = 4
# Share of the texts that are read without what follows their first sentence.
FIRST_ONLY: Final = 0.1


class FullSentenceBatches(PairBatches):
    """Single texts, and texts one after the other with a separator between them."""

    def write(self, number: int, document: CorpusDocument) -> Sequence[str]:
        """As people type; later sentences keep the space before them, which is in their piece."""
        return as_typed(number, document)

    def draw(self, number: int, rng: np.random.Generator) -> PairExample:
        """A document, or its first sentence."""
        index = number % len(self.documents)
        document = self.documents[index]
        # A later sentence starts with a space, as no text does: only a first one stands alone.
        return PairExample(alone(document[:1] if rng.random() < FIRST_ONLY else document), index)

    def follow(self, before: list[list[int]], document: list[list[int]]) -> list[list[int]]:
        """A separator parts it from what stands before."""
        return [[self.sep_token], *document] if before else document


class RobertaRecipe(MiniatureRecipe):
    """Tokenizer, architecture and objective of the RoBERTa miniature."""

    name = "roberta-miniature"
    title = "RoBERTa"
    spelled = True
    about = FamilyCard(
        recipe="roberta",
        family="RoBERTa",
        tokenizer="byte-level BPE, casing kept",
        loads_with="`AutoTokenizer` and `RobertaForMaskedLM`",
        rows=(
            ("Masked language model", "15 %: 80/10/10, dynamic: drawn anew for every reading"),
            ("Sentence pairs", "none"),
        ),
    )
    schedule = Schedule(steps=5000, examples=48, documents=160_000, peak_rate=2e-3)
    reading = PairReading(pairs=0.0, length=LENGTH, masking=DYNAMIC)
    batches = FullSentenceBatches

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """Byte-level BPE with casing."""
        from explorer.learning.tokenizers.byte_bpe import pretrained_tokenizer, train_byte_bpe

        texts = typed_texts(documents)
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

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The loss in nats. The vocabulary is scored at selected tokens only."""
        scores = model.lm_head(selected_states(encode(model, batch).last_hidden_state, batch))
        return masked_losses(scores, batch)


RECIPE = RobertaRecipe()
