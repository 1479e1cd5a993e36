"""What the recipes of students share: a bundled teacher, its tokenizer, and a rival on its own.

A student is compared with a model of its own size that trained alone: same architecture, text,
masks, steps and rates, fresh weights, and only the losses that a model has without a teacher.
"""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.training import CheckpointError
from explorer.paths import Paths
from explorer.pretraining.miniature import MiniatureRecipe
from explorer.world.corpus import CorpusDocument

TOKENIZER: Final = "WordPiece, uncased, that of bert-miniature"


def teacher_folder(name: str) -> Path:
    """Where a bundled teacher is.

    Raises:
        CheckpointError: it has not been trained.
    """
    folder = Paths.standard().bundled_models / name
    if not (folder / "model.safetensors").is_file():
        raise CheckpointError(
            f"The teacher {name} is not in {folder.parent}. Train it before its students."
        )
    return folder


@functools.lru_cache(maxsize=2)
def load_teacher(name: str) -> Any:
    """A bundled miniature with its pretraining heads, in float32, that learns no more."""
    from transformers import AutoModelForPreTraining

    model = AutoModelForPreTraining.from_pretrained(teacher_folder(name), dtype="float32")
    return model.eval().requires_grad_(False)


@functools.lru_cache(maxsize=2)
def load_answering_teacher(name: str) -> Any:
    """A bundled miniature with its head for answers, in float32, that learns no more."""
    from transformers import AutoModelForQuestionAnswering

    model = AutoModelForQuestionAnswering.from_pretrained(teacher_folder(name), dtype="float32")
    return model.eval().requires_grad_(False)


def bundled_tokenizer(name: str) -> Any:
    """The tokenizer of a bundled teacher."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(teacher_folder(name))


class StudentRecipe(MiniatureRecipe):
    """A miniature that learns from another one."""

    @property
    def teacher_name(self) -> str:
        """The miniature it learns from."""
        return self.needs[0]

    @property
    def teacher(self) -> Any:
        """The teacher, loaded when it is first asked for."""
        return load_teacher(self.teacher_name)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """The teacher's very vocabulary."""
        return bundled_tokenizer(self.teacher_name)

    @abstractmethod
    def make_student(self, tokenizer: Any) -> Any:
        """The architecture with fresh weights."""

    def make_model(self, tokenizer: Any) -> Any:
        """The student as it starts."""
        model = self.make_student(tokenizer)
        self.copy_from_teacher(model)
        return model

    @abstractmethod
    def copy_from_teacher(self, model: Any) -> None:
        """Give a fresh student the teacher's weights that its family starts with."""

    @abstractmethod
    def losses_alone(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The losses that need no teacher."""

    def finish(self, model: Any, tokenizer: Any, out: Path) -> None:
        """Measure how near the student as it was written is to its teacher."""
        from explorer.pretraining.measures import comparison

        written = type(model).from_pretrained(out, dtype="float32").eval()
        teacher, folder = self.teacher, teacher_folder(self.teacher_name)
        comparison.note(out, "teacher", teacher, teacher, tokenizer, folder)
        comparison.note(out, "student", written, teacher, tokenizer, out)


class AloneRecipe(MiniatureRecipe):
    """The rival: trained as a student of its size is, without the teacher. It is not kept.

    What is left of it is its figures, in the student's folder and card.
    """

    def __init__(self, student: StudentRecipe) -> None:
        self.student = student
        self.name = f"{student.about.recipe}-alone"
        self.title = f"{student.title}'s size without a teacher"
        self.schedule = student.schedule
        # The student first: its card shows the rival's figures.
        self.needs = (student.name,)

    @property
    def folder(self) -> str:
        """The student's."""
        return self.student.name

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:
        """The student's."""
        return self.student.make_tokenizer(documents)

    def make_model(self, tokenizer: Any) -> Any:
        """The student's architecture, nothing copied."""
        return self.student.make_student(tokenizer)

    def make_batches(
        self, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
    ) -> TrainingBatches:
        """The student's."""
        return self.student.make_batches(tokenizer, documents, seed)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Nothing from a teacher."""
        return self.student.losses_alone(model, batch)

    def parts(self, model: Any) -> dict[str, Any]:  # noqa: ARG002
        """Nothing is written."""
        return {}

    def finish(self, model: Any, tokenizer: Any, out: Path) -> None:
        """Measure it, rounded as the student was when it was written."""
        import copy

        from explorer.pretraining.measures import comparison

        rounded = copy.deepcopy(model).half().float().eval()
        comparison.note(out, "alone", rounded, self.student.teacher, tokenizer)
