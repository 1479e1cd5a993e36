"""How a plan of fine-tuning is trained."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.learning.devices import device_of
from explorer.learning.recipe import Recipe, Schedule
from explorer.learning.training import TrainingRun, fingerprint
from explorer.learning.tuning.batches import LabelledBatches
from explorer.learning.tuning.choices import ReadLayer
from explorer.learning.tuning.former_heads import write_former_heads
from explorer.learning.tuning.judged import Judged, judge
from explorer.learning.tuning.models import (
    classes_of,
    classifier,
    files_of,
    merged,
    rate_scales,
    refuse_pickle,
    tokenizer_of,
    train_only,
)
from explorer.learning.tuning.plan import TuningPlan
from explorer.world.corpus import CorpusDocument

if TYPE_CHECKING:
    from explorer.learning.runs.measuring import MeasuresFrames


class TuningRecipe(Recipe):
    """A model that is there, a fresh head, and labelled texts.

    Args:
        plan: one that its `check` lets pass.

    Attributes:
        texts: what is learnt from and what judges it.
    """

    def __init__(self, plan: TuningPlan) -> None:
        self.plan = plan
        self.files = files_of(plan.model_folder)
        refuse_pickle(self.files)
        self.texts = plan.texts
        self.form = self.texts.form
        classes_of(self.files, self.form)
        self.chosen = self.texts.first(plan.examples, plan.seed)
        an_epoch = -(-len(self.chosen) // plan.batch)
        self.name = f"tune-{plan.fingerprint}"
        self.title = self.name
        self.schedule = Schedule(
            steps=an_epoch * plan.epochs,
            examples=plan.batch,
            documents=len(self.chosen),
            peak_rate=plan.rate,
            warmup=plan.warmup,
        )
        self.rate_scales: Mapping[str, float] = {}
        self.device = device_of(plan)

    def begin(self) -> TrainingRun[TuningRecipe]:
        """The run before its first step; the same plan begins the same one.

        Raises:
            UserMistake: the model can't learn this.
            CheckpointFault: it can't be read.
        """
        import torch

        tokenizer = self.make_tokenizer()
        torch.manual_seed(self.plan.seed)
        model = self.make_model(tokenizer)
        batches = self.make_batches(tokenizer, (), self.plan.seed)
        steps = self.schedule.steps
        return TrainingRun(
            self, model, batches, steps, self.plan.seed, fingerprint(tokenizer), tokenizer=tokenizer
        )

    def measures(self, run: TrainingRun[Any]) -> MeasuresFrames:
        """Its frames are judged by held-out texts."""
        from explorer.learning.tuning.judging import TextJudge

        return TextJudge(run)

    def is_over(self, run: TrainingRun[Any]) -> bool:
        """Whether held-out texts have been lost more on for as many epochs as one waits.

        What is noted of it is kept with the run's state.
        """
        an_epoch = self.schedule.steps // self.plan.epochs
        if not self.plan.patience or run.step % an_epoch:
            return False
        epoch, noted = run.step // an_epoch, run.totals
        told = self.judged(run.model, run.tokenizer)
        if told.loss < noted.get("best_loss", math.inf):
            noted["best_loss"], noted["best_epoch"] = told.loss, float(epoch)
            noted["best_step"] = float(run.step)
        is_over = epoch - noted.get("best_epoch", 0.0) >= self.plan.patience
        if is_over:
            noted["ended_early"] = 1.0
        return is_over

    def judged(self, model: Any, tokenizer: Any) -> Judged:
        """What a model says of held-out texts as it is now."""
        return judge(model, tokenizer, self.texts, self.length_of(tokenizer))

    def make_tokenizer(self, documents: Sequence[CorpusDocument] = ()) -> Any:  # noqa: ARG002
        """The checkpoint's own.

        Raises:
            UserMistake: the form of the task can't do with it.
        """
        tokenizer = tokenizer_of(self.files)
        self.form.check(tokenizer, self.files.name)
        return tokenizer

    def make_model(self, tokenizer: Any) -> Any:
        """The checkpoint's body with a head for the labels."""
        parts = classifier(self.files, self.form, self.texts.names, tokenizer, self.plan.layer)
        self.rate_scales = rate_scales(parts, self.plan.head_rate, self.plan.layer_decay)
        return train_only(parts, self.plan.tuned, self.plan.rank, self.form)

    def make_batches(
        self,
        tokenizer: Any,
        documents: Sequence[CorpusDocument],  # noqa: ARG002
        seed: int,
    ) -> LabelledBatches:
        """The examples, epoch after epoch."""
        return LabelledBatches(
            self.form, tokenizer, self.chosen, self.plan.batch, seed, self.length_of(tokenizer)
        )

    def length_of(self, tokenizer: Any) -> int:
        """Tokens of a text that are read: as planned, and no more than the model can."""
        return int(min(self.plan.length, tokenizer.model_max_length))

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The mean cross-entropy in nats, and how often what is said is right."""
        return self.form.losses(model, batch)

    def write_more(self, frame: Path) -> None:
        """Write its body with the heads that the model had before, where they can read it."""
        from safetensors import SafetensorError

        if self.plan.layer is ReadLayer.LAST:
            prefix = classes_of(self.files, self.form)[1].base_model_prefix
            # Without room for it the model itself is as good as it was.
            with contextlib.suppress(OSError, RuntimeError, SafetensorError):
                write_former_heads(self.files, frame, prefix)

    def parts(self, model: Any) -> dict[str, Any]:
        """The classifier as transformers has it."""
        return {"": merged(model)}
