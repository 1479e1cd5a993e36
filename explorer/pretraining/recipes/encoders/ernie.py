"""ERNIE (Baidu's) in miniature: masked words, phrases and entities.

Sun et al. 2019, section 3.2. The phrases and entities are those of the small world's grammar, so
they are known and not guessed. BERT's WordPiece vocabulary and size, so that the two differ in
what is masked and in nothing else. As in the published ERNIE 1.0 there is no head for entities or
phrases: they are masked whole, and the masked language model's head predicts their tokens. Task
types are off, as there.

What differs from the paper: sizes; no dialogues (section 4.2); the levels of masking are mixed;
training starts from the BERT miniature's weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.learning.batches.losses import encode, masked_losses, selected_states
from explorer.learning.batches.pairs import PairBatches, PairExample, PairReading, word_begins
from explorer.learning.recipe import Schedule
from explorer.objectives.masking.knowledge_masking import BASIC, ENTITY, PHRASE, choose_units
from explorer.objectives.masking.masked_language_model import DYNAMIC, MaskedText
from explorer.objectives.masking.span_masking import Range, budget, replace_ranges, word_ranges
from explorer.objectives.pairs.next_sentence import PairTokens, alone
from explorer.pretraining.cards.page import FamilyCard
from explorer.pretraining.distillation.students import TOKENIZER
from explorer.pretraining.distillation.warm_start import ROW, WarmStartRecipe
from explorer.pretraining.recipes.encoders.bert import LENGTH, sizes
from explorer.world.corpus import CorpusDocument
from explorer.world.labelling.knowledge_spans import TextSpan, entities, phrases

Units = dict[str, list[Range]]


def token_ranges(spans: Sequence[TextSpan], offsets: Sequence[Range]) -> list[Range]:
    """The tokens [start, end) of ranges of characters.

    Args:
        spans: ranges of characters, from left to right.
        offsets: the characters of each token, from left to right.
    """
    starts = {start: index for index, (start, _) in enumerate(offsets)}
    ends = {end: index + 1 for index, (_, end) in enumerate(offsets)}
    return [(starts[span.start], ends[span.end]) for span in spans]


class KnowledgeBatches(PairBatches):
    """Single texts with words, phrases or entities masked."""

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
        encoded = tokenizer(
            [document.text for document in documents],
            add_special_tokens=False,
            return_offsets_mapping=True,
        )
        self.known: list[Units] = [
            {
                PHRASE: token_ranges(phrases(document), offsets),
                ENTITY: token_ranges(entities(document), offsets),
            }
            for document, offsets in zip(documents, encoded["offset_mapping"], strict=True)
        ]

    def draw(self, number: int, rng: np.random.Generator) -> PairExample:  # noqa: ARG002
        """A document."""
        index = number % len(self.documents)
        return PairExample(alone(self.documents[index]), index)

    def mask(self, text: PairTokens, example: PairExample, rng: np.random.Generator) -> MaskedText:
        """Select units of one level; all tokens of a unit have one fate."""
        policy = self.reading.masking
        units: Units = {BASIC: word_ranges(text.tokens, text.candidates, self.begins)}
        # Texts that were put one after the other are numbered beyond the documents: words only.
        if example.text < len(self.known):
            for level, ranges in self.known[example.text].items():
                # One further right, behind [CLS].
                units[level] = [(start + 1, end + 1) for start, end in ranges]
        chosen = choose_units(units, budget(int(text.candidates.sum()), policy), rng)
        return replace_ranges(text.tokens, chosen, self.ordinary, self.mask_token, policy, rng)


class ErnieRecipe(WarmStartRecipe):
    """BERT's tokenizer and size; ERNIE's class and masks."""

    name = "ernie-miniature"
    title = "ERNIE"
    about = FamilyCard(
        recipe="ernie",
        family="ERNIE",
        tokenizer=TOKENIZER,
        loads_with="`AutoTokenizer` and `ErnieForMaskedLM`",
        rows=(
            ("Masked language model", "15 % in words, phrases or entities: 80/10/10 by unit"),
            ("Heads", "the masked language model's; entities and phrases have none, as in 1.0"),
            ("Task types", "off, as in ERNIE 1.0"),
            ("Sentence pairs", "none"),
            ROW,
        ),
    )
    schedule = Schedule(steps=1200, examples=48, documents=160_000, peak_rate=6e-4)
    reading = PairReading(pairs=0.0, length=LENGTH, masking=DYNAMIC)
    batches = KnowledgeBatches

    def make_fresh(self, tokenizer: Any) -> Any:
        """Post-layer-norm encoder with a masked-language-model head."""
        from transformers import ErnieConfig, ErnieForMaskedLM

        return ErnieForMaskedLM(ErnieConfig(**sizes(tokenizer), use_task_id=False))

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The loss in nats. The vocabulary is scored at selected tokens only."""
        scores = model.cls(selected_states(encode(model, batch).last_hidden_state, batch))
        return masked_losses(scores, batch)


RECIPE = ErnieRecipe()
