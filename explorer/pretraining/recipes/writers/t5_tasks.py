"""T5 in miniature, trained further on three tasks that are asked in text, beside its spans.

Raffel et al. 2020, section 2.4 and appendix D: every task is a text with a prefix, and its answer a
text. Here acceptability ("cola sentence: "), a choice ("copa choice1: ") and an answer in a passage
("question: "), one row of four each, and one of the corruption of spans, as in the paper's
multi-task training (section 3.5.2).

What differs from the paper: sizes; AdamW in place of Adafactor; no dropout; tasks come behind the
spans and not from the beginning; sentences of the small world, where unacceptable ones have their
words in another order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.page import FamilyCard, MiniaturePage
from explorer.pretraining.distillation.students import bundled_tokenizer, teacher_folder
from explorer.pretraining.recipes.writers.t5 import SENTINELS, T5Recipe
from explorer.pretraining.tasks.tasks_batches import TaskBatches
from explorer.world.corpus import CorpusDocument

BASE: Final = "t5-miniature"
PREFIXES: Final = {"cola": "cola sentence: ", "copa": "copa choice1: ", "squad": "question: "}


class T5TasksRecipe(T5Recipe):
    """Tasks and card of the T5 miniature that answers in text."""

    name = "t5-tasks-miniature"
    title = "T5, tasks"
    needs = (BASE,)
    about = FamilyCard(
        recipe="t5-tasks",
        family="T5",
        tokenizer=f"SentencePiece unigram, casing kept, that of {BASE}",
        loads_with="`AutoTokenizer` and `T5ForConditionalGeneration`",
        rows=(
            ("Starts from", f"{BASE}'s weights"),
            ("Tasks", "acceptability, a choice, an answer in a passage, and spans: a quarter each"),
        ),
    )
    schedule = Schedule(steps=2400, examples=24, documents=60_000, peak_rate=1.2e-3)
    config_changes: Mapping[str, Any] = {
        "task_specific_params": {name: {"prefix": words} for name, words in PREFIXES.items()}
    }

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """The miniature's."""
        return bundled_tokenizer(BASE)

    def make_model(self, tokenizer: Any) -> Any:  # noqa: ARG002
        """The miniature."""
        from transformers import T5ForConditionalGeneration

        return T5ForConditionalGeneration.from_pretrained(teacher_folder(BASE), dtype="float32")

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """Three tasks and spans."""
        names = [f"<extra_id_{number}>" for number in range(SENTINELS)]
        sentinels = tokenizer.convert_tokens_to_ids(names)
        return TaskBatches(tokenizer, documents, self.schedule.examples, seed, sentinels)

    def page(self, model: Any, tokenizer: Any) -> MiniaturePage:
        """How often what it writes is right."""
        from explorer.pretraining.cards.tasks import tasks_page

        return tasks_page(self.about, model, tokenizer)


RECIPE = T5TasksRecipe()
