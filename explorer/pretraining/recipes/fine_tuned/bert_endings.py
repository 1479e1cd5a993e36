"""BERT in miniature that chooses among four endings, in SWAG's form.

Devlin et al. 2019, section 4.4: each ending is read with the context as a pair, a vector scores the
pooled [CLS] of each, and a softmax is taken over the four scores.

What differs from the paper: sizes, the peak of the learning rate, and the text; endings are what
stood behind a cut and what other texts have from one of their sentences on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.choices import BERT_MARKS, ChoiceBatches
from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.distillation.students import bundled_tokenizer, teacher_folder
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument

BASE: Final = "bert-miniature"
ENDINGS: Final = 4
OPENING: Final = """\
{family} with {parameters:,} parameters that chooses which of four endings follows a text of a small
world that a grammar writes. Each ending is read in a sequence of its own, `[CLS]` text `[SEP]`
ending `[SEP]`, and the head scores the pooled `[CLS]` (Devlin et al. 2019, section 4.4). It loads
with transformers' own {loads_with}."""


class BertEndingsRecipe(MiniatureRecipe):
    """Head and objective of the BERT miniature that chooses."""

    name = "bert-endings-miniature"
    title = "BERT, four endings"
    needs = (BASE,)
    about = FamilyCard(
        recipe="bert-endings",
        family="BERT",
        tokenizer=f"WordPiece, uncased, that of {BASE}",
        loads_with="`AutoTokenizer` and `BertForMultipleChoice`",
        rows=(
            ("Starts from", f"{BASE}'s weights, and a fresh head"),
            ("Endings", f"{ENDINGS}: what follows, and what other texts end with"),
            ("Loss", "cross-entropy over the endings"),
        ),
    )
    schedule = Schedule(steps=800, examples=10, documents=20_000, peak_rate=4e-4)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """That of the miniature."""
        return bundled_tokenizer(BASE)

    def make_model(self, tokenizer: Any) -> Any:  # noqa: ARG002
        """The miniature's encoder with a fresh head."""
        from transformers import BertForMultipleChoice

        return BertForMultipleChoice.from_pretrained(teacher_folder(BASE), dtype="float32")

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Texts that are cut behind a sentence, with four that may follow each."""
        return ChoiceBatches(
            tokenizer,
            documents,
            self.schedule.examples,
            ENDINGS,
            seed,
            tokenizer.model_max_length,
            BERT_MARKS,
        )

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Cross-entropy over the endings; the first one is right."""
        import torch
        from torch.nn import functional

        ids, last = batch["input_ids"], batch["last"]
        places = torch.arange(ids.shape[-1])
        read = places <= last[..., None]
        # The second text begins behind the first [SEP]; the last piece is the second one.
        separators = (ids == ids.gather(-1, last[..., None])) & read
        second = (separators.long().cumsum(-1) - separators.long() > 0) & read
        scores = model(
            input_ids=ids, attention_mask=read.long(), token_type_ids=second.long()
        ).logits
        right = torch.zeros(len(scores), dtype=torch.long)
        return {
            "loss_choice": functional.cross_entropy(scores, right),
            "choice_accuracy": (scores.argmax(-1) == 0).float().mean(),
        }

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How often it chooses what follows."""
        from explorer.pretraining.cards.choices import choices_page

        return choices_page(self.about, model, tokenizer, OPENING)


RECIPE = BertEndingsRecipe()
