"""What the recipes of models that judge reviews of films share: a miniature, a fresh head, labels.

Devlin et al. 2019, section 4.1: a linear layer on the pooled first token, cross-entropy. Half of
the texts are whole reviews, with their verdicts; half say what a film was like and no more.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.recipe import Schedule
from explorer.learning.tuning.batches import LabelledBatches
from explorer.learning.tuning.forms.classes import ClassesForm, ExampleText
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.distillation.students import bundled_tokenizer, teacher_folder
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.pretraining.tasks.reviews import LABELS, WORLDS, drawn
from explorer.world.corpus import CorpusDocument
from explorer.world.grammar import Grammar

TEXTS: Final = 20_000
TRAINING_SEED: Final = 51
SCHEDULE: Final = Schedule(steps=1200, examples=32, documents=TEXTS, peak_rate=5e-4)


def sentiment_card(
    recipe: str, family: str, language: str, tokenizer: str, *rows: tuple[str, str]
) -> FamilyCard:
    """What is said of a family.

    Args:
        recipe: its name on the command line.
        family: as the field calls it.
        language: "English" or "Korean".
        tokenizer: its kind.
        rows: what it starts from, and how it learns.
    """
    return FamilyCard(
        recipe=recipe,
        family=family,
        tokenizer=tokenizer,
        loads_with="`AutoTokenizer` and `BertForSequenceClassification`",
        rows=(
            *rows,
            ("Labels", ", ".join(LABELS)),
            ("Text", f"{TEXTS:,} reviews in {language}, half of them whole ones"),
        ),
    )


class SentimentRecipe(MiniatureRecipe):
    """A bundled miniature that learns to judge reviews."""

    base: str  # the miniature it starts from
    language: str = "en"
    schedule = SCHEDULE

    @property
    def world(self) -> Grammar:
        """Whose reviews are judged."""
        return WORLDS[self.language]()

    def documents(self, count: int) -> Sequence[CorpusDocument]:  # noqa: ARG002
        """None: labelled texts are drawn."""
        return ()

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """That of the miniature."""
        return bundled_tokenizer(self.base)

    def make_model(self, tokenizer: Any) -> Any:  # noqa: ARG002
        """The miniature's encoder with a fresh head."""
        from transformers import BertForSequenceClassification

        return BertForSequenceClassification.from_pretrained(
            teacher_folder(self.base), dtype="float32", **labelled()
        )

    def make_batches(
        self,
        tokenizer: Any,
        documents: Sequence[CorpusDocument],  # noqa: ARG002
        seed: int,
    ) -> TrainingBatches:
        """Both kinds of texts, again and again."""
        texts = [
            ExampleText(one.text, None, LABELS.index(one.label))
            for whole in (False, True)
            for one in itertools.islice(
                drawn(self.world, TRAINING_SEED, withheld=False, whole=whole), TEXTS // 2
            )
        ]
        length = tokenizer.model_max_length
        return LabelledBatches(
            ClassesForm(), tokenizer, texts, self.schedule.examples, seed, length
        )

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The loss in nats, and how often a label is right."""
        from torch.nn import functional

        logits = class_scores(model, batch)
        right = logits.argmax(-1) == batch["labels"]
        loss = functional.cross_entropy(logits, batch["labels"])
        return {"loss_classes": loss, "classes_accuracy": right.float().mean()}

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How often it is right."""
        from explorer.pretraining.cards.sentiment import sentiment_page

        return sentiment_page(self.about, model, tokenizer, self.language)


def labelled() -> dict[str, Any]:
    """What a config says of the labels."""
    return {
        "id2label": dict(enumerate(LABELS)),
        "label2id": {name: number for number, name in enumerate(LABELS)},
    }


def class_scores(model: Any, batch: Mapping[str, Any]) -> Any:
    """Raw scores, shape [texts, labels]."""
    return model(**inputs_of(batch)).logits


def inputs_of(batch: Mapping[str, Any]) -> dict[str, Any]:
    """What the encoder reads of a batch."""
    names = ("input_ids", "attention_mask", "token_type_ids")
    return {name: batch[name] for name in names}
