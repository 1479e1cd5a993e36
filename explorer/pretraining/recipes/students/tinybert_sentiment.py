"""TinyBERT in miniature, second stage: a BERT that was fine-tuned teaches a task.

Jiao et al. 2020, section 3.2: the student of general distillation goes on with a teacher that was
fine-tuned for the task; first its layers, then its prediction layer (soft cross-entropy at t = 1).

What differs from the paper: sizes; texts are drawn from a grammar, so none is made up by replacing
words (the paper's augmentation).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.chunked import StagedBatches, TrainingBatches
from explorer.learning.recipe import Schedule
from explorer.objectives.distillation.soft_targets import soft_cross_entropy
from explorer.pretraining.distillation.students import TOKENIZER, teacher_folder
from explorer.pretraining.recipes.students.tinybert import TEMPERATURE, match_layers
from explorer.pretraining.tasks.film_sentiment import (
    SCHEDULE,
    SentimentRecipe,
    class_scores,
    labelled,
    sentiment_card,
)
from explorer.world.corpus import CorpusDocument

TEACHER: Final = "bert-sentiment-miniature"


@functools.cache
def judging_teacher() -> Any:
    """The fine-tuned BERT in float32, which learns no more."""
    from transformers import BertForSequenceClassification

    model = BertForSequenceClassification.from_pretrained(teacher_folder(TEACHER), dtype="float32")
    return model.eval().requires_grad_(False)


class TinyBertSentimentRecipe(SentimentRecipe):
    """Stages and losses of the TinyBERT miniature that judges."""

    name = "tinybert-sentiment-miniature"
    title = "TinyBERT, second stage"
    base = "tinybert-miniature"
    needs = (base, TEACHER)
    about = sentiment_card(
        "tinybert-sentiment",
        "TinyBERT",
        "English",
        TOKENIZER,
        ("Starts from", f"{base}'s weights and fits, and a fresh head"),
        ("Teacher", f"{TEACHER}; layers 1 and 2 learned from its layers 2 and 4"),
        ("First half", "attention scores, hidden states and embeddings: mean squares"),
        ("Second half", "the labels: soft cross-entropy at t = 1; no label is looked at"),
    )
    schedule = Schedule(
        steps=1200, examples=SCHEDULE.examples, documents=SCHEDULE.documents, peak_rate=1e-3
    )
    second_stage = 0.5

    def make_model(self, tokenizer: Any) -> Any:  # noqa: ARG002
        """The student of general distillation with its fits, and a fresh head."""
        from explorer.pretraining.models import TinyBertForSequenceClassification

        return TinyBertForSequenceClassification.from_pretrained(
            teacher_folder(self.base), dtype="float32", **labelled()
        )

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Texts, each batch with its stage."""
        texts = super().make_batches(tokenizer, documents, seed)
        return StagedBatches(texts, round(self.second_stage * self.schedule.steps))

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the layers, then that of the labels (equations 7 to 10)."""
        import torch

        if not batch["stage"]:
            return match_layers(model, judging_teacher(), batch)
        with torch.no_grad():
            targets = class_scores(judging_teacher(), batch)
        scores = class_scores(model, batch)
        return {
            "loss_prediction": soft_cross_entropy(scores, targets, TEMPERATURE),
            "agreement": (scores.argmax(-1) == targets.argmax(-1)).float().mean(),
            "classes_accuracy": (scores.argmax(-1) == batch["labels"]).float().mean(),
        }


RECIPE = TinyBertSentimentRecipe()
