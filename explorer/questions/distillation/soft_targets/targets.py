"""What both models say at a mask, over the words that both know."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    LeftOut,
    ModelStamp,
    Token,
)
from explorer.numerics.distributions.comparing import (
    Comparison,
    OverTemperatures,
    compare,
    over_temperatures,
)
from explorer.numerics.distributions.temperature import (
    COOLEST,
    HOTTEST,
    Logits,
    temperatures_between,
)
from explorer.questions.distillation.soft_targets.word_by_word.by_word import ComparedMask
from explorer.text import Phrase
from explorer.text.phrase import NOTHING

MASKS = "masks"
CLASSES = "classes"
TEMPERATURES = (1.0, 2.0, 4.0, 8.0)
CURVE_POINTS = 61


@dataclass(frozen=True)
class SharedClass:
    """One class that both models know.

    Attributes:
        word: As a person writes it.
        token: The teacher's piece.
        index: Its place in both arrays of logits.
        teacher_rank: 1 for the teacher's likeliest; a temperature does not change it.
        student_rank: 1 for the student's likeliest.
        glue: "before" for a piece that only continues the word before it, "after" for one that
            only begins a word, "" for a whole word.
    """

    word: str
    token: str
    index: int
    teacher_rank: int
    student_rank: int
    glue: str = ""


@dataclass(frozen=True)
class WantedWord:
    """A word that the user restricts the distributions to.

    Attributes:
        word: As it was asked for.
        target: What it is, or None.
        why: Why it is nothing; "" where it is something.
    """

    word: str
    target: SharedClass | None
    why: Phrase = NOTHING


@dataclass(frozen=True)
class Targets:
    """Both models' raw scores at one mask, or for the text as a whole.

    Attributes:
        position: Index of the masked token; -1 for the text as a whole.
        teacher: Logits, one a class that both models know; float32.
        student: The student's logits of the same classes.
        rows: The likeliest classes of either model, the teacher's first.
        original: What is masked (the hard label); None where nobody knows.
        words: The words asked for.
        teacher_mass: Share of the teacher's probability (T = 1) that the classes hold.
        student_mass: Share of the student's.
    """

    position: int
    teacher: NDArray[np.float32]
    student: NDArray[np.float32]
    rows: tuple[SharedClass, ...]
    original: SharedClass | None = None
    words: tuple[WantedWord, ...] = ()
    teacher_mass: float = 1.0
    student_mass: float = 1.0

    @property
    def only(self) -> tuple[int, ...] | None:
        """Indices of the words asked for; None where the whole vocabulary counts."""
        found = tuple(one.target.index for one in self.words if one.target is not None)
        return found or None

    @property
    def is_of_text(self) -> bool:
        """Whether these are classes of the text as a whole."""
        return self.position < 0

    @property
    def counted(self) -> tuple[Logits, Logits]:
        """Both models' logits of the classes that count."""
        if self.only is None:
            return self.teacher, self.student
        chosen = list(self.only)
        return self.teacher[chosen], self.student[chosen]

    @cached_property
    def fixed(self) -> dict[float, Comparison]:
        """Both distributions at the temperatures that are always drawn, whatever one is chosen."""
        always = {COOLEST, 1.0, HOTTEST, *TEMPERATURES}
        return {t: compare(*self.counted, t) for t in always}

    def at(self, temperature: float) -> Comparison:
        """Both distributions over the classes that count."""
        return self.fixed.get(temperature) or compare(*self.counted, temperature)

    def places(self) -> tuple[int, ...]:
        """Where the classes of `shown` stand among those that count."""
        if self.only is None:
            return tuple(one.index for one in self.rows)
        return tuple(range(len(self.only)))

    @cached_property
    def over_temperatures(self) -> OverTemperatures:
        """What a temperature does to both, from the coolest to the hottest."""
        return over_temperatures(*self.counted, temperatures_between(count=CURVE_POINTS))

    def shown(self) -> tuple[SharedClass, ...]:
        """The rows that count: those of the words asked for, or the likeliest."""
        if self.only is None:
            return self.rows
        return tuple(one.target for one in self.words if one.target is not None)


@dataclass(frozen=True)
class SharedVocabulary:
    """What the two vocabularies have in common.

    Attributes:
        same: The same pieces have the same numbers; of classes, both have the same names for
            them, in whatever order.
        teacher_size: Number of the teacher's pieces (or classes).
        student_size: Number of the student's.
        shared: How many both have as one piece.
        shared_mass: The least share of probability they hold, of either model at any mask.
        folded: Words were matched without regard to capital letters.
    """

    same: bool
    teacher_size: int
    student_size: int
    shared: int
    shared_mass: float = 1.0
    folded: bool = False


@dataclass(frozen=True)
class SoftTargetsResult:
    """Raw scores of both models; any temperature can be drawn from them.

    Attributes:
        model: The teacher.
        other: The student.
        tokens: The text as the teacher saw it.
        masks: One a mask, in the order of the text; one alone for classes; none where words are
            compared.
        vocabulary: What both have in common.
        what: "masks", "classes" or "words".
        temperatures: Those that were asked for.
        left_out: What did not fit into the teacher, or None.
        notes: What must be known before the numbers are believed.
        by_word: One a mask where words are compared.
    """

    model: ModelStamp
    other: ModelStamp
    tokens: tuple[Token, ...]
    masks: tuple[Targets, ...]
    vocabulary: SharedVocabulary
    what: str = MASKS
    temperatures: tuple[float, ...] = TEMPERATURES
    left_out: LeftOut | None = None
    notes: tuple[Phrase, ...] = field(default=())
    by_word: tuple[ComparedMask, ...] = ()

    @property
    def are_classes(self) -> bool:
        """Whether the classes that two classifiers tell apart are compared."""
        return self.what == CLASSES

    @property
    def is_by_number(self) -> bool:
        """Whether classes of different names are compared because they have the same number."""
        return self.are_classes and not self.vocabulary.same

    @property
    def is_restricted(self) -> bool:
        """Whether both distributions are renormalised over words that were asked for."""
        return any(one.only is not None for one in self.masks)
