"""What the recipes of models that answer questions share: a bundled encoder, and a head for spans.

Devlin et al. 2019, section 4.3: a score for every token as the start of the answer and one as its
end, cross-entropy of both; where a passage does not answer, start and end are the first token.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.answers import AnswerBatches
from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.answers import answers_page
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.distillation.students import bundled_tokenizer, teacher_folder
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument
from explorer.world.tasks.questions import UNANSWERED

SCHEDULE: Final = Schedule(steps=6000, examples=16, documents=60_000, peak_rate=8e-4)


def answers_card(family: str, base: str, tokenizer: str, head: str, loss: str) -> FamilyCard:
    """What is said of a family.

    Args:
        family: as the field calls it.
        base: the miniature that it starts from.
        tokenizer: its kind.
        head: the class of transformers.
        loss: what is trained.
    """
    return FamilyCard(
        recipe=f"{family.lower()}-answers",
        family=family,
        tokenizer=f"{tokenizer}, that of {base}",
        loads_with=f"`AutoTokenizer` and `{head}`",
        rows=(
            ("Starts from", f"{base}'s weights, and a fresh head"),
            ("Questions", f"who, what, where, with what, when; {UNANSWERED:.0%} look elsewhere"),
            ("Loss", loss),
        ),
    )


CROSS_ENTROPY: Final = "cross-entropy of start and end; no answer is [CLS]"


class AnswersRecipe(MiniatureRecipe):
    """A bundled miniature that learns to answer."""

    base: str  # the miniature it starts from
    schedule = SCHEDULE

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """That of the miniature."""
        return bundled_tokenizer(self.base)

    def make_model(self, tokenizer: Any) -> Any:  # noqa: ARG002
        """The miniature's encoder with a fresh head."""
        from transformers import AutoModelForQuestionAnswering

        folder = teacher_folder(self.base)
        return AutoModelForQuestionAnswering.from_pretrained(folder, dtype="float32")

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Questions about passages of the documents."""
        length = tokenizer.model_max_length
        return AnswerBatches(tokenizer, documents, self.schedule.examples, seed, length)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The mean of start and end."""
        return answer_losses(*span_scores(model, batch), batch)

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """As one that answers questions."""
        return answers_page(self.about, model, tokenizer)


def span_scores(model: Any, batch: Mapping[str, Any]) -> tuple[Any, Any]:
    """Logits of starts and ends, each of shape [batch, length]; none of padding."""
    names = ["input_ids", "attention_mask"]
    if getattr(model.config, "type_vocab_size", 0):
        names.append("token_type_ids")
    said = model(**{name: batch[name] for name in names})
    padding = batch["attention_mask"] == 0
    return (
        said.start_logits.masked_fill(padding, -1e4),
        said.end_logits.masked_fill(padding, -1e4),
    )


def answer_losses(starts: Any, ends: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
    """The loss in nats, and how often both are right."""
    from torch.nn import functional

    begins = functional.cross_entropy(starts, batch["starts"])
    finishes = functional.cross_entropy(ends, batch["ends"])
    right = (starts.argmax(-1) == batch["starts"]) & (ends.argmax(-1) == batch["ends"])
    return {"loss_answer": (begins + finishes) / 2, "answer_accuracy": right.float().mean()}
