"""GPT-1 in miniature, fine-tuned to choose what follows: start, delimiter, extract, a score each.

Radford et al. 2018, section 3.2 and 3.3: three fresh pieces around and between the texts, one
linear layer at the extract piece, a softmax over the choices, and the next-token objective beside
it, weighed by one half (L3 = L2 + 0.5 L1).

What differs from the paper: sizes, the peak of the learning rate, no dropout; four choices in the
place of Story Cloze's two; next tokens are learned of the text with the choice that follows, and
not of those with others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.choices import MARKS, ChoiceBatches
from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.recipe import Schedule
from explorer.objectives.generation.next_token import next_token_losses
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.distillation.students import bundled_tokenizer, teacher_folder
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.pretraining.recipes.writers.gpt1 import LENGTH
from explorer.world.corpus import CorpusDocument

BASE: Final = "gpt1-miniature"
CHOICES: Final = 4
AUXILIARY: Final = 0.5
"""How much the next-token objective weighs: the paper's lambda."""


class Gpt1ChoiceRecipe(MiniatureRecipe):
    """Pieces, head and objective of the GPT-1 miniature that chooses."""

    name = "gpt1-choice-miniature"
    title = "GPT-1, choices"
    needs = (BASE,)
    about = FamilyCard(
        recipe="gpt1-choice",
        family="GPT-1",
        tokenizer=f"that of {BASE} and {', '.join(MARKS)}",
        loads_with="`AutoTokenizer` and `OpenAIGPTDoubleHeadsModel`",
        rows=(
            ("Starts from", f"{BASE}'s weights, three fresh pieces and a fresh head"),
            ("Choices", f"{CHOICES}: what follows, and what other texts end with"),
            ("Objective", f"which one follows, and {AUXILIARY} of every next token"),
        ),
    )
    schedule = Schedule(steps=2500, examples=12, documents=60_000, peak_rate=8e-4)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """The miniature's with three special pieces."""
        from tokenizers import AddedToken

        tokenizer = bundled_tokenizer(BASE)
        added = [AddedToken(mark, special=True, normalized=False) for mark in MARKS]
        tokenizer.add_tokens(added, special_tokens=True)
        return tokenizer

    def make_model(self, tokenizer: Any) -> Any:
        """The miniature with vectors for the pieces and a head, all fresh."""
        from transformers import OpenAIGPTDoubleHeadsModel

        folder = teacher_folder(BASE)
        model = OpenAIGPTDoubleHeadsModel.from_pretrained(
            folder, dtype="float32", summary_first_dropout=0.0
        )
        model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
        return model

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Texts that are cut behind a sentence, with four that may follow each."""
        return ChoiceBatches(tokenizer, documents, self.schedule.examples, CHOICES, seed, LENGTH)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Cross-entropy over the choices, and half of the next tokens' in the right text."""
        import torch
        from torch.nn import functional

        said = model(input_ids=batch["input_ids"], mc_token_ids=batch["last"])
        right = torch.zeros(len(said.mc_logits), dtype=torch.long)
        length = batch["labels"].shape[1]
        following = next_token_losses(said.logits[:, 0, :length], batch["labels"])
        return {
            "loss_choice": functional.cross_entropy(said.mc_logits, right),
            "loss_next_halved": AUXILIARY * following["loss_next"],
            "choice_accuracy": (said.mc_logits.argmax(-1) == 0).float().mean(),
        }

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How often it chooses what follows."""
        from explorer.pretraining.cards.choices import choices_page

        return choices_page(self.about, model, tokenizer)


RECIPE = Gpt1ChoiceRecipe()
