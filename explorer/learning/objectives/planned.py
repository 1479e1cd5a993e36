"""A recipe that a plan asks for: the plan's text, sizes and rates."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from explorer.api.question import UserMistake
from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.devices import device_of
from explorer.learning.objectives.vocabularies import vocabulary_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.recipe import Recipe, Schedule
from explorer.learning.texts.choosing import text_of
from explorer.learning.texts.documents import WrittenDocument
from explorer.learning.tokenizers.wordpiece import pretrained_tokenizer
from explorer.learning.training import TrainingRun, fingerprint
from explorer.text import N_
from explorer.world.exact.inside import ExactReader

if TYPE_CHECKING:
    from explorer.learning.runs.measuring import MeasuresFrames


class PlannedRecipe(Recipe):
    """How the model of a plan is trained.

    Args:
        plan: one that `TrainingPlan.check` lets pass.

    Attributes:
        plan: itself, with what changes nothing at its default.
        text: what is read.
    """

    def __init__(self, plan: TrainingPlan) -> None:
        self.plan = plan.settled()
        self.text = text_of(plan)
        self.name = f"plan-{plan.fingerprint}"
        self.title = self.name
        self.device = device_of(plan)
        self.schedule = Schedule(
            steps=plan.steps,
            examples=plan.batch,
            documents=plan.documents,
            peak_rate=plan.rate,
            warmup=plan.warmup,
        )

    def begin(self) -> TrainingRun[Self]:
        """The run before its first step: tokenizer, fresh weights and batches of the plan's seed.

        The same plan begins the same run; what was noted of one is put back by `TrainingRun`.
        """
        import torch

        tokenizer = self.make_tokenizer()
        torch.manual_seed(self.plan.seed)
        model = self.make_model(tokenizer)
        batches = self.make_batches(tokenizer, self.documents(), self.plan.seed)
        return TrainingRun(
            self,
            model,
            batches,
            self.plan.steps,
            self.plan.seed,
            fingerprint(tokenizer),
            tokenizer=tokenizer,
        )

    def measures(self, run: TrainingRun[Any]) -> MeasuresFrames:
        """What its frames are measured with: beside the exact floor, where there is one."""
        from explorer.learning.runs.measuring import FrameMeasures

        return FrameMeasures(run)

    def documents(self) -> Sequence[Any]:
        """What is read: a list, or a text without an end."""
        return self.text.documents(self.plan.documents, self.plan.seed)

    def make_tokenizer(self, documents: Sequence[Any] = ()) -> Any:  # noqa: ARG002
        """WordPiece, uncased, of the plan's text, whatever part of it is read.

        Raises:
            UserMistake: The vocabulary has no room for the letters.
        """
        trained = vocabulary_of(self.text, self.plan.vocabulary)
        least = trained.get_vocab_size()
        if least > self.plan.vocabulary:
            raise UserMistake(
                N_("The letters of the text alone are {least} pieces: choose a larger vocabulary."),
                least=least,
            )
        return self.wrapped(trained)

    def wrapped(self, trained: Any) -> Any:
        """The tokenizer as transformers has it for the model; BERT's where nothing else is said."""
        strip = None if self.text.strips_accents else False
        return pretrained_tokenizer(trained, self.plan.length, strip_accents=strip)

    @abstractmethod
    def make_batches(
        self, tokenizer: Any, documents: Sequence[WrittenDocument], seed: int
    ) -> TrainingBatches:
        """The run's batches."""

    def reader(self, tokenizer: Any) -> ExactReader:
        """Reads the text's grammar in the tokenizer's pieces.

        Raises:
            LookupError: nobody knows the grammar of the text.
        """
        found = self.text.reader(tokenizer.tokenize)
        if found is None:
            raise LookupError("The grammar of this text is not known.")
        return found
