"""A plan of fine-tuning: everything that a run follows from, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from explorer.api.question import UserMistake, asked
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.tuning import options
from explorer.learning.tuning.choices import ReadLayer, Task, Tuned
from explorer.text import N_


@dataclass(frozen=True)
class TuningPlan(RunPlan, question="tune"):
    """Which model learns which labelled texts, and how.

    The same plan gives the same losses to the digit on the same machine.

    Attributes:
        base: The folder of the model.
        task: What is learnt where there is no table.
        path: A table of one's own; "" for none.
        column: That of texts.
        pair_column: That of second texts.
        examples: That are learnt from; 0 for all.
        tuned: Which weights change.
        rank: Of LoRA's change.
        layer: Whose states the head reads.
        head_rate: Times the learning rate of the body.
        layer_decay: Of the learning rate from a layer to the one below.
        patience: Epochs without a lower loss, after which it ends; 0 for never.
    """

    kind: ClassVar = "tune"
    paths: ClassVar = ("base", "path")

    base: str = asked(options.BASE, is_held=False)
    task: Task = asked(options.TASK, made=Task, kept=str)
    path: str = asked(options.PATH)
    column: str = asked(options.COLUMN)
    pair_column: str = asked(options.PAIR_COLUMN)
    examples: int = asked(options.EXAMPLES)
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

    @property
    def steps(self) -> int:  # type: ignore[override]
        """Batches of all epochs.

        Raises:
            UserMistake: The table can't be read, or nothing can be learnt from it.
        """
        from explorer.learning.tuning.labelled import labelled_of

        count = len(labelled_of(self).first(self.examples, self.seed))
        return -(-count // self.batch) * self.epochs

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
                N_("Load one, or name its folder."),
            )
        if not self.steps:
            raise UserMistake(N_("There is no text to be learnt from."))
