"""A plan of fine-tuning: everything that a run follows from, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from explorer.api.question import UserMistake, asked
from explorer.learning.distilling.teachers.outline import name_of, teacher_folder
from explorer.learning.plan.choices import TrainedOn
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.tuning import options
from explorer.learning.tuning.choices import LabelledTask, ReadLayer, Tuned
from explorer.learning.tuning.forms.learnt import LabelledTexts
from explorer.learning.tuning.labelled import labelled_table, labelled_task, with_shuffled_labels
from explorer.text import N_


@dataclass(frozen=True)
class TuningPlan(RunPlan, question="tune"):
    """Which model learns which labelled texts, and how.

    The same plan gives the same losses to the digit on the same machine.

    Attributes:
        base: The folder of the model, or the name of a bundled one.
        task: What is learnt where there is no table.
        path: A table of one's own; "" for none.
        text_column: That of texts.
        second_column: That of second texts.
        examples: That are learnt from; 0 for all.
        shuffled: Their labels are dealt out anew among them.
        tuned: Which weights change.
        rank: Of LoRA's change.
        layer: Whose states the head reads.
        head_rate: Times the learning rate of the body.
        layer_decay: Of the learning rate from a layer to the one below.
        patience: Epochs without a lower loss, after which it ends; 0 for never.
    """

    kind: ClassVar = "tune"
    later: ClassVar = ("shuffled", "trained_on")

    base: str = asked(options.BASE, made=str.strip)
    task: LabelledTask = asked(options.TASK, made=LabelledTask, kept=str)
    path: str = asked(options.PATH)
    text_column: str = asked(options.TEXT_COLUMN)
    second_column: str = asked(options.SECOND_COLUMN)
    examples: int = asked(options.EXAMPLES)
    shuffled: bool = asked(options.SHUFFLED)
    tuned: Tuned = asked(options.TUNED, made=Tuned, kept=str)
    rank: int = asked(options.RANK)
    layer: ReadLayer = asked(options.LAYER, made=ReadLayer, kept=str)
    rate: float = asked(options.RATE)
    head_rate: float = asked(options.HEAD_RATE)
    layer_decay: float = asked(options.LAYER_DECAY)
    epochs: int = asked(options.EPOCHS)
    patience: int = asked(options.PATIENCE)
    batch: int = asked(options.BATCH)
    warmup: float = asked(options.WARMUP)
    length: int = asked(options.LENGTH)
    seed: int = asked(options.SEED)
    trained_on: TrainedOn = asked(options.TRAINED_ON, made=TrainedOn, kept=str)

    @cached_property
    def steps(self) -> int:  # type: ignore[override]
        """Batches of all epochs.

        Raises:
            UserMistake: The table can't be read, or nothing can be learnt from it.
        """
        count = len(self.texts.first(self.examples, self.seed))
        return -(-count // self.batch) * self.epochs

    @cached_property
    def texts(self) -> LabelledTexts:
        """What is learnt from, and what judges it; a table is read once.

        Raises:
            UserMistake: The table can't be read, or nothing can be learnt from it.
        """
        if self.path:
            return labelled_table(self.path, self.text_column, self.second_column)
        found = labelled_task(self.task, self.examples, self.seed)
        is_shuffled = self.shuffled and self.matters("shuffled")
        return with_shuffled_labels(found, self.seed) if is_shuffled else found

    @property
    def model_folder(self) -> str:
        """Where the model is.

        Raises:
            UserMistake: There is none of this name.
        """
        return str(teacher_folder(self.base))

    def anchored(self) -> TuningPlan:
        """The model's folder too, where it is no bundled one."""
        found = super().anchored()
        return replace(found, base=name_of(teacher_folder(self.base)))

    @property
    def stem(self) -> str:
        """Runs are named after the task, or the table."""
        return Path(self.path).stem[:40] if self.path else self.task.value

    def check(self) -> None:
        """Refuse what can't be trained.

        Raises:
            UserMistake: A value is none of its option's, no model is named, or nothing can be
                learnt from the table.
        """
        super().check()
        if not self.base:
            raise UserMistake(
                N_("No model is named that could learn the task."),
                N_("Choose one of those in the list, or name a folder."),
            )
        _ = self.model_folder
        if not self.steps:
            raise UserMistake(N_("There is no text to be learnt from."))
