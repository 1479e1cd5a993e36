"""GPT-2 in miniature that has read nothing but prompts: examples, and a question.

Brown et al. 2020 (GPT-3), section 2: zero, one or few examples in the text tell what is asked, and
no weight is changed. What the best learner would answer to these prompts is exact
(`explorer/world/tasks/prompts.py`), so what the model makes of its examples can be held against
that.

As the GPT-2 miniature but for the texts, its pieces, which are of these texts, and that nothing is
learned at questions: they are drawn evenly, so all that they could teach is their list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.batches.prompts import PromptBatches
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.recipes.writers.gpt2 import END, LENGTH, Gpt2Recipe
from explorer.world.corpus import CorpusDocument
from explorer.world.tasks.prompts import MOST_EXAMPLES, training_prompts

PROMPTS: Final = 200_000
# So that each word is one piece, with a space before it and without.
VOCABULARY: Final = 1500
# Of which pieces are made.
READ: Final = 30_000
TEXT_SEED: Final = 21


class Gpt2PromptsRecipe(Gpt2Recipe):
    """Texts and card of the miniature that reads prompts."""

    name = "gpt2-prompts-miniature"
    title = "GPT-2, prompts"
    about = FamilyCard(
        recipe="gpt2-prompts",
        family="GPT-2",
        tokenizer="byte-level BPE, casing kept",
        loads_with="`AutoTokenizer` and `GPT2LMHeadModel`",
        rows=(
            ("Objective", "every next token of answers and what stands around them"),
            ("Text", f"{PROMPTS:,} prompts of {MOST_EXAMPLES} examples and a question"),
        ),
    )
    # It reads prompts, and none of the small world's documents.
    schedule = Schedule(steps=7000, examples=32, documents=0, peak_rate=2e-3)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """Merges of the prompts; <|endoftext|> is the last piece, as published."""
        from explorer.learning.tokenizers.byte_bpe import (
            FIRST_TOKENS,
            MASK,
            pretrained_left_tokenizer,
            train_byte_bpe,
        )

        texts = (prompt.text for prompt in training_prompts(READ, TEXT_SEED))
        vocabulary, merges = train_byte_bpe(texts, VOCABULARY)
        special = {*FIRST_TOKENS, MASK}
        pieces = sorted(vocabulary.keys() - special, key=vocabulary.__getitem__)
        numbered = {piece: number for number, piece in enumerate([*pieces, END])}
        return pretrained_left_tokenizer(numbered, merges, END, LENGTH)

    def make_batches(
        self,
        tokenizer: Any,
        documents: Sequence[CorpusDocument],  # noqa: ARG002
        seed: int,
    ) -> TrainingBatches:
        """Prompts with their answers, <|endoftext|> behind each."""
        prompts = training_prompts(PROMPTS, TEXT_SEED)
        return PromptBatches(tokenizer, prompts, self.schedule.examples, seed, LENGTH)

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How well it answers, beside the best learner."""
        from explorer.pretraining.cards.prompts import prompts_page

        return prompts_page(self.about, model, tokenizer)


RECIPE = Gpt2PromptsRecipe()
