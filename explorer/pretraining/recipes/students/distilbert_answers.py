"""DistilBERT in miniature with a head for answers, taught by BERT's starts and ends.

Sanh et al. 2019, section 4.1: a second step of distillation while it learns to answer. The two
losses weigh the same, and soft targets are at T = 2, as in the authors' code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from explorer.objectives.distillation.soft_targets import soft_target_loss
from explorer.pretraining.distillation.students import load_answering_teacher
from explorer.pretraining.tasks.fine_tuning import (
    AnswersRecipe,
    answer_losses,
    answers_card,
    span_scores,
)

TEACHER: Final = "bert-answers-miniature"
TEMPERATURE: Final = 2.0


class DistilBertAnswersRecipe(AnswersRecipe):
    """Head and objective of the DistilBERT miniature that answers."""

    name = "distilbert-answers-miniature"
    title = "DistilBERT, answers"
    base = "distilbert-miniature"
    needs = (base, TEACHER)
    about = answers_card(
        "DistilBERT",
        base,
        "WordPiece, uncased",
        "DistilBertForQuestionAnswering",
        f"half of it cross-entropy of start and end, half {TEACHER}'s soft targets at T = 2",
    )

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Half of what is right, half of what the teacher says."""
        import torch

        with torch.no_grad():
            taught = span_scores(load_answering_teacher(TEACHER), batch)
        learnt = span_scores(model, batch)
        own = answer_losses(*learnt, batch)
        soft = [
            soft_target_loss(score, target, TEMPERATURE)
            for score, target in zip(learnt, taught, strict=True)
        ]
        answer, soft_answer = own["loss_answer"], sum(soft) / 2
        return {
            "loss": (answer + soft_answer) / 2,
            "answer": answer,
            "soft": soft_answer,
            "answer_accuracy": own["answer_accuracy"],
        }


RECIPE = DistilBertAnswersRecipe()
