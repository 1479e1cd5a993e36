"""Two models' scores side by side: at the masks of a text, and for its classes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    STUDENT,
    TEACHER,
    BidirectionalPredictor,
    Context,
    Encoded,
    Predictor,
    Unavailable,
    UserMistake,
)
from explorer.api.question.parts.predictions.classes import matched_by_name
from explorer.document import Document, Mask
from explorer.hf.predict.guessing import rows_at_masks
from explorer.hf.predict.heads.classes import can_classify, class_logits
from explorer.hf.text.paired import TwoReadings, read_twice
from explorer.hf.text.vocabularies.overlap import same_vocabulary
from explorer.questions.distillation.soft_targets.question import LEAST_SHARE
from explorer.questions.distillation.soft_targets.rows import Aligned, Wanted, class_targets
from explorer.questions.distillation.soft_targets.targets import SharedVocabulary, Targets
from explorer.questions.distillation.soft_targets.word_by_word.compare_words import (
    JOINED,
    check_places,
)
from explorer.text import N_, NN_, Phrase

NUMBERED = Phrase(
    N_(
        "The models name their classes differently: they are compared by number, and a row has "
        "both names. Whether classes of one number mean the same, only their makers know."
    )
)


@dataclass(frozen=True)
class TextWithMasks:
    """What both models read.

    Attributes:
        text: A literal [MASK] in it counts as a mask.
        pair: The second text, or None.
        masks: What else is masked.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()

    @property
    def has_masks(self) -> bool:
        """Whether the user masked anything, or typed a mask."""
        return bool(self.masks or Document(self.text, self.pair).literal_masks())


@dataclass(frozen=True)
class ScoredByBoth:
    """Both models' scores over the classes that both know.

    Attributes:
        readings: What they read.
        targets: One a mask, or one for the text; one at least.
        vocabulary: What they share.
        notes: What must be known of that.
    """

    readings: TwoReadings
    targets: tuple[Targets, ...]
    vocabulary: SharedVocabulary
    notes: tuple[Phrase, ...]


def tell_classes(teacher: Any, student: Any, pair: str | None) -> bool:
    """Whether both models tell classes of texts apart, or of pairs of them."""
    return all(can_classify(one, pair=bool(pair)) for one in (teacher, student))


def scored_masks(
    teacher: Any,
    student: Any,
    text: TextWithMasks,
    context: Context,
    wanted: Wanted,
    least_share: float = LEAST_SHARE,
) -> ScoredByBoth:
    """Both models' scores at every mask.

    Args:
        teacher: A model that fills masks.
        student: Another one.
        text: What is masked in it.
        context: Of the run.
        wanted: Which classes are told one by one.
        least_share: The least part of its probability that either must have on shared words.

    Raises:
        Unavailable: A model has no masked-LM head.
        UserMistake: Nothing is masked, or the two vocabularies share too little.
    """
    check_fill(teacher, student)
    readings = read_twice(
        teacher,
        student,
        text.text,
        text.pair,
        text.masks,
        # A part of a word in one vocabulary has no counterpart in the other; a word may have.
        whole=not same_vocabulary(teacher.tokenizer, student.tokenizer),
    )
    check_places(readings)
    taught = _scores(teacher, readings.left, context)
    learnt = _scores(student, readings.right, context)
    aligned = Aligned(teacher.tokenizer, student.tokenizer, taught.shape[1], learnt.shape[1])
    masks: list[Targets] = []
    refused: list[Targets] = []
    for place in readings.places:
        targets = aligned.targets(taught[place.left], learnt[place.right], place, wanted)
        enough = len(targets.teacher) > 0 and _shared_by(targets) >= least_share
        (masks if aligned.same or enough else refused).append(targets)
    if not masks:
        raise _too_little(refused, least_share)
    rows = taught.shape[1], learnt.shape[1]
    notes = _said_of_vocabularies(aligned.same, rows, masks, refused, least_share)
    if readings.joined:
        notes.append(JOINED)
    shared = SharedVocabulary(
        aligned.same, *rows, len(masks[0].teacher), min(map(_shared_by, masks))
    )
    return ScoredByBoth(readings, tuple(masks), shared, tuple(notes))


def scored_classes(
    teacher: Any, student: Any, text: str, pair: str | None, context: Context, top_k: int = 1
) -> ScoredByBoth:
    """Both classifiers' scores for the text, classes of the same name beside each other.

    Args:
        teacher: A classifier.
        student: Another one.
        text: What it sorts.
        pair: The second text, or None.
        context: Of the run.
        top_k: How many classes of either are told one by one.

    Raises:
        Unavailable: A model is no classifier.
        UserMistake: They tell different numbers of classes apart.
    """
    readings = read_twice(teacher, student, text, pair)
    names, taught = class_logits(teacher, readings.left, context, pair=bool(pair))
    other_names, learnt = class_logits(student, readings.right, context, pair=bool(pair))
    if len(names) != len(other_names):
        raise UserMistake(
            N_("The teacher tells {count} classes apart and the student {others}."),
            N_("Compare two classifiers of the same classes."),
            count=len(names),
            others=len(other_names),
        )
    notes: tuple[Phrase, ...] = ()
    matched = matched_by_name(names, other_names)
    if matched is not None:
        learnt = learnt[list(matched)]
    else:
        names, notes = tuple(map("{} | {}".format, names, other_names)), (NUMBERED,)
    shared = SharedVocabulary(matched is not None, len(names), len(names), len(names))
    return ScoredByBoth(readings, (class_targets(names, taught, learnt, top_k),), shared, notes)


def check_fill(teacher: Any, student: Any) -> None:
    """Refuse a model that has no distribution of its own for what stands at a mask.

    Raises:
        Unavailable: It has no masked-LM head, or reads from the left only.
    """
    for model, role in ((teacher, TEACHER), (student, STUDENT)):
        if BidirectionalPredictor not in model.ports:
            raise Unavailable(
                N_(
                    "{model} can't be the {role} here: it has no masked-LM head that sees both "
                    "sides of a mask."
                ),
                N_(
                    "Choose two models that fill masks, such as BERT and DistilBERT, or compare "
                    "them word by word."
                ),
                model=model.title,
                role=role,
            )


def _scores(model: Any, encoded: Encoded, context: Context) -> NDArray[np.float32]:
    """At every mask (masks x vocabulary): log-probabilities, which are logits less a constant."""
    rows: NDArray[np.float32] = rows_at_masks(model.port(Predictor), encoded, context).cpu().numpy()
    return rows


def _shared_by(targets: Targets) -> float:
    return min(targets.teacher_mass, targets.student_mass)


def _too_little(refused: Sequence[Targets], least: float) -> UserMistake:
    found = max(refused, key=lambda one: min(one.teacher_mass, one.student_mass))
    mass = min(found.teacher_mass, found.student_mass)
    return UserMistake(
        N_(
            "The words that both vocabularies have as one piece hold {mass} of the teacher's "
            "probability; below {least} a comparison would say little."
        )
        if found.teacher_mass <= found.student_mass
        else N_(
            "The words that both vocabularies have as one piece hold {mass} of the student's "
            "probability; below {least} a comparison would say little."
        ),
        N_("Compare two models whose vocabularies have more in common."),
        mass=f"{mass:.0%}",
        least=f"{least:.0%}",
    )


def _said_of_vocabularies(
    same: bool,
    rows: tuple[int, int],
    masks: Sequence[Targets],
    refused: Sequence[Targets],
    least: float,
) -> list[Phrase]:
    if same and rows[0] == rows[1]:
        return []
    shared = len(masks[0].teacher)
    teacher, student = (
        min(masses)
        for masses in zip(*((one.teacher_mass, one.student_mass) for one in masks), strict=True)
    )
    if same:
        cut = Phrase(
            N_(
                "The pieces are the same, but the teacher's table has {teacher_rows} rows and the "
                "student's {student_rows}: both distributions are renormalised over the first "
                "{shared}. These hold {teacher} of the teacher's probability and {student} of the "
                "student's (T = 1)."
            ),
            teacher_rows=rows[0],
            student_rows=rows[1],
            shared=shared,
            teacher=f"{teacher:.2%}",
            student=f"{student:.2%}",
        )
        return [cut]
    first = Phrase(
        N_(
            "The vocabularies differ: the models are compared on the {shared} "
            "words that both have as one piece. These hold {teacher} of the "
            "teacher's probability and {student} of the student's (T = 1); both "
            "are renormalised over them."
        ),
        shared=shared,
        teacher=f"{teacher:.1%}",
        student=f"{student:.1%}",
    )
    said = [first]
    if refused:
        said.append(
            Phrase(
                NN_(
                    "{count} mask is left out: the shared words hold less than {least} there.",
                    "{count} masks are left out: the shared words hold less than {least} there.",
                ),
                count=len(refused),
                least=f"{least:.0%}",
            )
        )
    return said
