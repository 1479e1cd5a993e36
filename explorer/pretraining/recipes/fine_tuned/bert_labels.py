"""BERT in miniature with a head that labels tokens, as in Devlin et al. 2019, section 5.3.

What differs from the paper: sizes, the peak of the learning rate, that every piece of a word has a
label and not the first one alone, and that the labels are those of a grammar.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.batches.labels import NOT_ASKED, LabelBatches
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.labels import labels_page
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.distillation.students import bundled_tokenizer, teacher_folder
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument
from explorer.world.labelling.tags import KINDS, TAGS

BASE: Final = "bert-miniature"


class BertLabelsRecipe(MiniatureRecipe):
    """Head and objective of the BERT miniature that labels tokens."""

    name = "bert-labels-miniature"
    title = "BERT, labels of tokens"
    needs = (BASE,)
    schedule = Schedule(steps=2000, examples=16, documents=60_000, peak_rate=5e-4)
    about = FamilyCard(
        recipe="bert-labels",
        family="BERT",
        tokenizer=f"WordPiece, uncased, that of {BASE}",
        loads_with="`AutoTokenizer` and `BertForTokenClassification`",
        rows=(
            ("Starts from", f"{BASE}'s weights, and a fresh head"),
            ("Labels", ", ".join(KINDS) + ": begin (B-) and inside (I-); O is nothing"),
            ("Loss", "cross-entropy at every piece"),
        ),
    )

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """That of the miniature."""
        return bundled_tokenizer(BASE)

    def make_model(self, tokenizer: Any) -> Any:  # noqa: ARG002
        """The miniature's encoder with a fresh head."""
        from transformers import AutoModelForTokenClassification

        names = dict(enumerate(TAGS))
        return AutoModelForTokenClassification.from_pretrained(
            teacher_folder(BASE),
            dtype="float32",
            id2label=names,
            label2id={name: number for number, name in names.items()},
        )

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Texts of one to three documents."""
        length = tokenizer.model_max_length
        return LabelBatches(tokenizer, documents, self.schedule.examples, seed, length)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The loss in nats, and how often a label is right."""
        from torch.nn import functional

        names = ("input_ids", "attention_mask")
        logits = model(**{name: batch[name] for name in names}).logits
        labels = batch["labels"]
        asked = labels != NOT_ASKED
        loss = functional.cross_entropy(logits[asked], labels[asked])
        right = logits[asked].argmax(-1) == labels[asked]
        return {"loss_label": loss, "label_accuracy": right.float().mean()}

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """As one that labels tokens."""
        return labels_page(self.about, model, tokenizer)


RECIPE = BertLabelsRecipe()
