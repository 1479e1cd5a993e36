"""A plan of a distillation: everything that the run follows from, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from explorer.api.question import asked
from explorer.learning.distilling import options
from explorer.learning.distilling.choices import LayerMapping, NamedLosses, StudentStart, TaughtBy
from explorer.learning.distilling.contradictions import refuse
from explorer.learning.distilling.teachers.outline import (
    TeacherOutline,
    name_of,
    outline_of,
    teacher_folder,
)
from explorer.learning.plan.choices import Corpus, Fate, Objective, TrainedOn
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.run_plan import RunPlan

TEACHER_BATCH = 64


@dataclass(frozen=True)
class DistilPlan(RunPlan, question="distil"):
    """Who learns from whom, by which losses, how long, and on what.

    Attributes:
        targets: What the student is told at a place.
        teacher: A bundled model's name or a folder; "" for one that is trained first
            (`teacher_plan`).
        losses: Whose losses, with their weights (`weights.weights_of`).
        temperature: T.
        alpha: Share of the soft targets.
        squared: The soft loss is multiplied by T squared.
        peak: What the likeliest word of a target is brought to; 0 for what it is.
        hidden: Weight of the states' mean squared difference.
        attention: Weight of that of attention scores.
        projected: The student's states are mapped to the teacher's width.
        layer_map: Which of the teacher's layers each learns from (`weights.layer_map`).
        own_map: Those that were typed.
        start: Whose weights the student begins with.
        objective: Masked words, or the next piece.
        layers: The student's.
        width: Of the student's states.
        heads: In a layer of the student.
        path: A text file; "" for none.
    """

    kind: ClassVar = "distil"
    later: ClassVar = ("trained_on",)

    targets: TaughtBy = asked(options.TARGETS, made=TaughtBy)
    teacher: str = asked(options.TEACHER, made=str.strip)
    teacher_layers: int = asked(options.TEACHER_LAYERS)
    teacher_width: int = asked(options.TEACHER_WIDTH)
    teacher_steps: int = asked(options.TEACHER_STEPS)
    losses: NamedLosses = asked(options.LOSSES, made=NamedLosses)
    temperature: float = asked(options.TEMPERATURE)
    alpha: float = asked(options.ALPHA)
    squared: bool = asked(options.SQUARED)
    peak: float = asked(options.PEAK)
    hidden: float = asked(options.HIDDEN)
    attention: float = asked(options.ATTENTION)
    projected: bool = asked(options.PROJECTED)
    layer_map: LayerMapping = asked(options.LAYER_MAP, made=LayerMapping)
    own_map: str = asked(options.OWN_MAP)
    start: StudentStart = asked(options.START, made=StudentStart)
    objective: Objective = asked(options.OBJECTIVE, made=Objective)
    layers: int = asked(options.LAYERS)
    width: int = asked(options.WIDTH)
    heads: int = asked(options.HEADS)
    corpus: Corpus = asked(options.CORPUS, made=Corpus)
    path: str = asked(options.PATH)
    documents: int = asked(options.DOCUMENTS)
    vocabulary: int = asked(options.VOCABULARY)
    selected: float = asked(options.SELECTED)
    length: int = asked(options.LENGTH)
    batch: int = asked(options.BATCH)
    rate: float = asked(options.RATE)
    warmup: float = asked(options.WARMUP)
    steps: int = asked(options.STEPS)
    seed: int = asked(options.SEED)
    trained_on: TrainedOn = asked(options.TRAINED_ON, made=TrainedOn)

    @property
    def student_plan(self) -> TrainingPlan:
        """How the student would be trained alone; all that is masked is [MASK]."""
        return self._training(self.layers, self.width, self.steps, self.batch)

    @property
    def teacher_plan(self) -> TrainingPlan:
        """How the teacher is trained, where none is named."""
        return self._training(
            self.teacher_layers, self.teacher_width, self.teacher_steps, TEACHER_BATCH
        )

    def _training(self, layers: int, width: int, steps: int, batch: int) -> TrainingPlan:
        return TrainingPlan(
            objective=self.objective,
            corpus=self.corpus,
            path=self.path,
            documents=self.documents,
            vocabulary=self.vocabulary,
            selected=self.selected,
            fate=Fate.MASK,
            layers=layers,
            width=width,
            heads=self.heads,
            length=self.length,
            batch=batch,
            rate=self.rate,
            warmup=self.warmup,
            steps=steps,
            seed=self.seed,
            trained_on=self.trained_on,
        ).settled()

    @property
    def reads_teacher(self) -> bool:
        """Whether a model teaches, or lends its pieces."""
        return bool(self.teacher) or self.targets is TaughtBy.TEACHER

    @property
    def outline(self) -> TeacherOutline | None:
        """What is known of the teacher; None where there is none.

        Raises:
            UserMistake: There is no such teacher.
        """
        if self.teacher:
            return outline_of(self.teacher)
        if self.targets is not TaughtBy.TEACHER:
            return None
        made = self.teacher_plan
        return TeacherOutline(
            made.stem,
            None,
            made.of_family.value,
            made.layers,
            made.width,
            made.heads,
            made.length,
            made.vocabulary,
            made.objective,
        )

    @property
    def needs(self) -> Sequence[TrainingPlan]:
        """The teacher's plan, where it is trained first."""
        made = self.targets is TaughtBy.TEACHER and not self.teacher
        return (self.teacher_plan,) if made else ()

    @property
    def stem(self) -> str:
        """Runs are named after what teaches."""
        return f"distil-{self.targets.value}"

    @property
    def with_pieces(self) -> TrainingPlan:
        """The student's plan with as many pieces as the teacher has."""
        outline = self.outline
        pieces = self.vocabulary if outline is None else outline.pieces
        return replace(self.student_plan, vocabulary=pieces)

    def anchored(self) -> DistilPlan:
        """The teacher too, where it is a folder."""
        found = super().anchored()
        if not self.teacher:
            return found
        return replace(found, teacher=name_of(teacher_folder(self.teacher)))

    def check(self) -> None:
        """Refuse what can't be trained.

        Raises:
            UserMistake: A value is none of its option's, or two of them contradict each other.
        """
        super().check()
        self.student_plan.check()
        refuse(self, self.outline)
        for needed in self.needs:
            needed.check()
