"""SpanBERT in miniature: masked spans, told from inside and from their boundaries; no pairs.

Joshi et al. 2020, section 3: spans of whole words (3.1), the span-boundary objective beside the
masked language model (3.2), one text in place of a pair, without next sentences (3.3). BERT's
WordPiece vocabulary, so that the two can be compared piece by piece.

What differs from the paper: sizes; the vocabulary is uncased; training starts from the BERT
miniature's weights; texts are short, so a share of them is read one after the other, where longer
spans have room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from explorer.learning.batches.losses import boundary_losses
from explorer.learning.batches.pairs import PairBatches, PairExample, PairReading, word_begins
from explorer.learning.recipe import Schedule
from explorer.objectives.masking.masked_language_model import DYNAMIC, MaskedText
from explorer.objectives.masking.span_masking import (
    budget,
    choose_spans,
    geometric_lengths,
    replace_ranges,
    word_ranges,
)
from explorer.objectives.pairs.next_sentence import PairTokens, alone
from explorer.pretraining.cards.masked import UNSEEN
from explorer.pretraining.cards.page import EVALUATION_SEED, FamilyCard
from explorer.pretraining.distillation.students import TOKENIZER
from explorer.pretraining.distillation.warm_start import ROW, WarmStartRecipe
from explorer.pretraining.recipes.encoders.bert import LENGTH, sizes
from explorer.world.corpus import CorpusDocument, held_out_documents

# Share of the texts that others follow, and how many follow at most.
FOLLOWED: Final = 0.3
FOLLOWING: Final = 3
SPANS: Final = "15 % in spans of whole words: mean 3.8, at most 10, where there is room; 80/10/10"


class MaskedSpanBatches(PairBatches):
    """Single texts with masked spans."""

    def __init__(
        self,
        tokenizer: Any,
        documents: Sequence[CorpusDocument],
        examples: int,
        seed: int,
        reading: PairReading,
    ) -> None:
        super().__init__(tokenizer, documents, examples, seed, reading)
        self.begins = word_begins(tokenizer, lambda piece: not piece.startswith("##"))
        self.lengths = geometric_lengths()

    def draw(self, number: int, rng: np.random.Generator) -> PairExample:
        """As BERT's batches, or followed by other texts."""
        example = super().draw(number, rng)
        if rng.random() >= FOLLOWED:
            return example
        sentences: list[Sequence[int]] = [example.pair.first]
        for _ in range(int(rng.integers(1, FOLLOWING + 1))):
            sentences += self.any_document(rng)
        # A long text is cut to the model's length, without its special tokens.
        return PairExample(alone([alone(sentences).first[: self.reading.length - 2]]), example.text)

    def mask(
        self,
        text: PairTokens,
        example: PairExample,  # noqa: ARG002
        rng: np.random.Generator,
    ) -> MaskedText:
        """Select spans; all tokens of a span have one fate."""
        policy = self.reading.masking
        words = word_ranges(text.tokens, text.candidates, self.begins)
        room = budget(int(text.candidates.sum()), policy)
        spans = choose_spans(words, room, self.lengths, rng)
        return replace_ranges(text.tokens, spans, self.ordinary, self.mask_token, policy, rng)


class SpanBertRecipe(WarmStartRecipe):
    """BERT's tokenizer; SpanBERT's architecture and objectives."""

    name = "spanbert-miniature"
    title = "SpanBERT"
    about = FamilyCard(
        recipe="spanbert",
        family="SpanBERT",
        tokenizer=TOKENIZER,
        loads_with="`AutoTokenizer` and `BertForMaskedLM`",
        rows=(
            (
                "Masked language model",
                f"{SPANS} for a span as a whole",
            ),
            ("Span boundary", "each piece of a span from the tokens beside it; keys sbo.*"),
            ("Sentence pairs", "none"),
            ROW,
        ),
    )
    # The class of transformers that loads the folder: it is a BERT.
    config_changes = {"architectures": ["BertForMaskedLM"]}
    schedule = Schedule(steps=1600, examples=48, documents=160_000, peak_rate=8e-4)
    reading = PairReading(pairs=0.0, length=LENGTH, masking=DYNAMIC)
    batches = MaskedSpanBatches

    def make_fresh(self, tokenizer: Any) -> Any:
        """Post-layer-norm encoder with heads for masked tokens and span boundaries."""
        from transformers import BertConfig

        from explorer.learning.models.span_boundary import SpanBertForPreTraining

        return SpanBertForPreTraining(BertConfig(**sizes(tokenizer)))

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Both losses in nats. The vocabulary is scored at selected tokens only."""
        from explorer.learning.models.span_boundary import PLACES

        return boundary_losses(model, batch, PLACES)

    def notes(self, model: Any, tokenizer: Any) -> Sequence[str]:
        """Means of what is measured over some batches of unseen documents."""
        import torch

        batches = self.make_batches(tokenizer, held_out_documents(UNSEEN), EVALUATION_SEED)
        with torch.inference_mode():
            rows = [self.losses(model, batches.batch(step)) for step in range(12)]
        found = {name: float(sum(row[name] for row in rows)) / len(rows) for name in rows[0]}
        told = (
            "Pieces of masked spans in unseen documents, masked as in training:"
            f" {found['mlm_accuracy']:.1%} right from inside (loss {found['loss_mlm']:.3f}),"
            f" {found['sbo_accuracy']:.1%} right from the boundaries alone"
            f" (loss {found['loss_sbo']:.3f})."
        )
        return (told,)


RECIPE = SpanBertRecipe()
