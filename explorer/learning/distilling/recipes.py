"""How a student is trained: its teacher's pieces, whole texts, and the losses of its plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.api.question import UserMistake
from explorer.learning.distilling.choices import StudentStart, TaughtBy
from explorer.learning.distilling.matching import (
    Matched,
    layer_losses,
    prediction_losses,
    sharpened,
)
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.distilling.students import (
    FITS,
    add_projections,
    begin_as,
    copied_layers,
    without_projections,
)
from explorer.learning.distilling.teachers.exact_targets import TARGETS, ExactBatches, WholeTexts
from explorer.learning.distilling.teachers.ported import PortedModel, refuse_other_cuts
from explorer.learning.distilling.teachers.teacher import (
    Scored,
    Teacher,
    goes_on,
    loaded_teacher,
    scored,
    trained_teacher,
)
from explorer.learning.distilling.weights import layer_map, weights_of
from explorer.learning.objectives.causal import CausalRecipe
from explorer.learning.objectives.masked import MaskedRecipe
from explorer.learning.objectives.planned import PlannedRecipe
from explorer.learning.plan.choices import Objective
from explorer.learning.texts.documents import WrittenDocument
from explorer.learning.texts.training_text import LearningText, WithoutGrammar
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.learning.runs.measuring import MeasuresFrames
    from explorer.learning.training import Between, TrainingRun


def begin(
    plan: DistilPlan, runs: Path | None = None, meanwhile: Between = goes_on
) -> TrainingRun[Any]:
    """A plan's student before its first step.

    Args:
        plan: Who learns from whom.
        runs: Where the teacher's run lies, if it was trained first; None to train it here.
        meanwhile: What is done after each step of a teacher that is trained here.

    Raises:
        UserMistake: It can't be trained as it is.
    """
    plan.check()
    return recipe_of(plan, teacher_of(plan, runs, meanwhile)).begin()


def recipe_of(plan: DistilPlan, teacher: Teacher | None) -> PlannedRecipe:
    """How a plan's student is trained.

    Args:
        plan: One that was checked.
        teacher: Its teacher; None where none is needed.

    Raises:
        UserMistake: Its exact answers are not known.
    """
    kinds = {Objective.MASKED: MaskedStudent, Objective.CAUSAL: CausalStudent}
    return kinds[plan.objective](plan, teacher)


def teacher_of(plan: DistilPlan, runs: Path | None, meanwhile: Between = goes_on) -> Teacher | None:
    """A plan's teacher, or who lends its pieces.

    Args:
        plan: One that was checked.
        runs: Where the teacher's run lies, if it was trained first; None to train it here.
        meanwhile: What is done after each step of it here.

    Raises:
        UserMistake: It can't be loaded, or its training did not come to its end.
    """
    outline = plan.outline
    if outline is None:
        return None
    if outline.folder is not None:
        return loaded_teacher(outline.name, outline.folder)
    if runs is None:
        return trained_teacher(plan.teacher_plan, meanwhile)
    from explorer.learning.runs.run_folder import finished_run

    found = finished_run(runs, plan.teacher_plan)
    if found is None or found.model is None:
        raise UserMistake(
            N_("The teacher was not trained to its end."),
            N_("Train it to its end, and continue then; the runs of “Train a model” have it."),
        )
    return loaded_teacher(found.name, found.model)


class _Taught(PlannedRecipe):
    """A student's recipe, whatever it predicts.

    Args:
        plan: One that was checked.
        teacher: None where none is needed.

    Attributes:
        distil: The plan, with what changes nothing at its default.
        weights: Of the losses.
    """

    def __init__(self, plan: DistilPlan, teacher: Teacher | None) -> None:
        super().__init__(plan.student_plan)
        self.distil = plan.settled()
        self.name = self.title = f"distil-{plan.fingerprint}"
        self.teacher = teacher
        if teacher is not None:
            teacher.model.to(self.device)
        self.weights = weights_of(plan)
        if teacher is not None and knows_more(teacher.tokenizer):
            if plan.targets is TaughtBy.EXACT:
                raise UserMistake(
                    N_(
                        "The pieces of {name} know spaces or capitals, and the exact answers are "
                        "taught in pieces that don't: choose another model's pieces."
                    ),
                    name=teacher.name,
                )
            self.text: LearningText = WithoutGrammar(self.text)
        many = 0 if teacher is None else teacher.model.config.num_hidden_layers
        self.layers = layer_map(plan, many) if self.weights.matches_layers else ()

    def make_tokenizer(self, documents: Sequence[Any] = ()) -> Any:
        """The teacher's; of the text where there is none."""
        teacher = self.teacher
        if teacher is None:
            return super().make_tokenizer(documents)
        if isinstance(teacher.model, PortedModel):
            texts = (one for document in self.documents() for one in document.sentences)
            own = teacher.model.loaded.tokenizer
            refuse_other_cuts(teacher.name, own, teacher.tokenizer, texts)
        return teacher.tokenizer

    def taught_model(self, student: Any) -> Any:
        """A fresh one, or with layers of its teacher; with projections where states are mapped."""
        plan, teacher = self.distil, self.teacher
        if teacher is None or plan.targets is not TaughtBy.TEACHER:
            return student
        config = teacher.model.config
        if plan.start is not StudentStart.RANDOM:
            begin_as(student, teacher.model, copied_layers(plan, config.num_hidden_layers))
        if self.weights.projected and self.weights.matches_layers:
            add_projections(student, plan.width, config.hidden_size, plan.layers)
        return student

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """What the plan's losses come to; the layers alone in the steps that are theirs."""
        import torch

        weights, objective = self.weights, self.distil.objective
        first = weights.layers_first and batch["stage"] == 0
        attends = weights.attention > 0
        student = scored(model, batch, objective, attends=attends)
        targets, taught = batch.get(TARGETS), None
        if self.distil.targets is TaughtBy.TEACHER:
            assert self.teacher is not None
            with torch.no_grad():
                taught = scored(
                    self.teacher.model,
                    batch,
                    objective,
                    attends=attends,
                    reads_states=weights.matches_layers or weights.cosine > 0,
                ).on(self.device)
            targets = taught.scores[:, : student.scores.shape[-1]]
        if targets is not None and self.distil.peak:
            targets = sharpened(targets, self.distil.peak)
        found = prediction_losses(student, targets, weights)
        if first:
            found = {name: value for name, value in found.items() if not name.startswith("loss")}
        if taught is not None and (first or not weights.layers_first):
            found |= self._between_layers(model, student, taught)
        return found

    def _between_layers(self, model: Any, student: Scored, taught: Scored) -> dict[str, Any]:
        matched = Matched(self.layers, getattr(model, FITS, None))
        return layer_losses(student, taught, self.weights, matched)

    def parts(self, model: Any) -> dict[str, Any]:
        """The student alone."""
        return {"": without_projections(model)}

    def measures(self, run: TrainingRun[Any]) -> MeasuresFrames:
        """Beside the exact floor, and beside the teacher."""
        from explorer.learning.distilling.measuring import StudentMeasures

        return StudentMeasures(run, self.teacher)


class MaskedStudent(_Taught, MaskedRecipe):
    """A BERT that fills masks as its teacher does."""

    def make_model(self, tokenizer: Any) -> Any:
        """As it begins."""
        return self.taught_model(super().make_model(tokenizer))

    def make_batches(self, tokenizer: Any, documents: Sequence[WrittenDocument], seed: int) -> Any:
        """Whole texts, with exact answers where they teach."""
        if self.distil.targets is not TaughtBy.EXACT:
            return self._staged(WholeTexts(tokenizer, documents, self.plan, seed))
        batches = ExactBatches(tokenizer, documents, self.plan, seed)
        batches.reader, batches.tokenizer = self.reader(tokenizer), tokenizer
        return batches

    def _staged(self, batches: Any) -> Any:
        from explorer.learning.batches.chunked import StagedBatches

        first = self.weights.layers_first
        return StagedBatches(batches, round(first * self.plan.steps)) if first else batches


class CausalStudent(_Taught, CausalRecipe):
    """A GPT-2 that predicts the next piece as its teacher does."""

    def make_model(self, tokenizer: Any) -> Any:
        """As it begins."""
        return self.taught_model(super().make_model(tokenizer))


def knows_more(tokenizer: Any) -> bool:
    """Whether a tokenizer's pieces know spaces or capitals, which the grammar does not."""
    apart = [*tokenizer.tokenize("the"), *tokenizer.tokenize("chef")]
    return bool(tokenizer.tokenize("The chef") != apart)
