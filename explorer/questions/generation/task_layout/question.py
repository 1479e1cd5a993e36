"""How does each family lay out the input of a task, and what does the model say to it?"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from explorer.api.question import (
    Asks,
    Cell,
    Choice,
    Condition,
    Entry,
    LeftOut,
    Listing,
    ModelStamp,
    Part,
    Question,
    Table,
    Topic,
    a_text,
    asked,
    column,
)
from explorer.questions.generation.task_layout.layouts import LayoutStyle
from explorer.questions.generation.task_layout.options import (
    CHOICES,
    MAX_NEW_TOKENS,
    TASK,
    has_choices,
    has_second,
    task_of,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits
from explorer.text.phrase import NOTHING


@dataclass(frozen=True)
class TaskLayoutRequest(Asks):
    """Ask how a task's input is laid out.

    The text is the sentence, the premise, the passage or the context.
    """

    text: str
    pair: str | None = None
    task: str = asked(TASK)
    choices: str = asked(CHOICES)
    asks: str = asked(
        Choice(
            N_("Asked for"),
            "effect",
            N_(
                "COPA’s question: what follows from the context, or where it comes from. Only"
                " T5 reads it."
            ),
            entries=(
                Entry("effect", N_("Asked for the effect"), N_("What happened then?")),
                Entry("cause", N_("Asked for the cause"), N_("Why did it happen?")),
            ),
            when=lambda document: "{asks}" in task_of(document).prompt,
        )
    )
    max_new_tokens: int = asked(MAX_NEW_TOKENS)


@dataclass(frozen=True)
class LaidPiece:
    """One piece of a sequence.

    Attributes:
        text: As a person reads it.
        token: As the tokenizer writes it; of a special piece that the vocabulary lacks, what it is
            for.
        id: Its number in the vocabulary; None where the vocabulary has none.
        field: Which of the task's texts it is of: "first", "second", "choice 1"; "" for what a
            layout adds.
        special: It is a special piece.
        segment: Its token type; None where the layout has none.
        joined: It continues the word of the piece before it.
    """

    text: str
    token: str
    id: int | None
    field: str = ""
    special: bool = False
    segment: int | None = None
    joined: bool = False


@dataclass(frozen=True)
class LaidSequence:
    """What is read at once.

    Attributes:
        pieces: In order; their numbers are their positions.
        read_out: The positions whose states feed a head; none where a decoder writes.
    """

    pieces: tuple[LaidPiece, ...]
    read_out: tuple[int, ...] = ()


@dataclass(frozen=True)
class FamilyLayout:
    """How one family lays out the task.

    Attributes:
        style: Which family.
        sequences: One, both orders, or one a choice; none where no layout was published.
        own: The model that is asked is of this family, and these are its own pieces.
        missing: Names of special pieces that the model's vocabulary lacks.
        written: The text that a text-to-text model reads; "" for the others.
        targets: What it may write; empty where it is any text.
    """

    style: LayoutStyle
    sequences: tuple[LaidSequence, ...]
    own: bool
    missing: tuple[str, ...] = ()
    written: str = ""
    targets: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlacedSequence(Part):
    """A sequence with the positions of its pieces, as the page draws it.

    Attributes:
        task: The data set's name.
        layout: Whose it is.
        sequence: Its pieces.
        name: Of what is drawn: the layout's, or "read".
        number: Which of these sequences it is.
    """

    DRAWN_BY: ClassVar[str] = f"{__package__}.sequence"

    task: str
    layout: FamilyLayout
    sequence: LaidSequence
    name: str
    number: int


@dataclass(frozen=True)
class HeadOutput:
    """What a head said whose weights were in the checkpoint's files.

    Attributes:
        labels: Its classes, or the choices.
        logits: A raw score each.
        probabilities: Of each, whose sum is 1; each apart where several classes may be right;
            empty where one number is the answer, as of a similarity.
        several: Several classes may be right: each has a probability of its own.
        read: What it read, where that is not the model's own layout as it is drawn; else empty.
    """

    labels: tuple[str, ...]
    logits: tuple[float, ...]
    probabilities: tuple[float, ...]
    several: bool = False
    read: tuple[LaidSequence, ...] = ()

    @property
    def best(self) -> int:
        """The number of the class, or choice, with the highest score."""
        return max(range(len(self.logits)), key=self.logits.__getitem__)


@dataclass(frozen=True)
class WrittenPiece:
    """A piece that the decoder wrote.

    Attributes:
        text: As a person reads it; "" for the end.
        id: Its number in the vocabulary.
        probability: After all pieces before it.
        ends: It ends the text.
    """

    text: str
    id: int
    probability: float
    ends: bool = False


@dataclass(frozen=True)
class TargetScore:
    """One of the texts that the task has the decoder write.

    Attributes:
        text: That text.
        log_probability: Of exactly this text and its end, in nats; None where the vocabulary can't
            spell it.
    """

    text: str
    log_probability: float | None


@dataclass(frozen=True)
class WrittenAnswer:
    """What the decoder wrote, greedily.

    Attributes:
        text: Without special pieces.
        pieces: One by one, the end too.
        ended: It ended the text itself.
        targets: How probable each text is that the task has it write; empty where it is any text.
        prefixed: The checkpoint's config names the prefix of this task: it was trained with it.
    """

    text: str
    pieces: tuple[WrittenPiece, ...]
    ended: bool
    targets: tuple[TargetScore, ...] = ()
    prefixed: bool = False

    @property
    def log_probability(self) -> float:
        """Of all pieces, in nats."""
        return sum(math.log(max(one.probability, 1e-300)) for one in self.pieces)


@dataclass(frozen=True)
class TaskLayoutResult:
    """A task's layouts, and the model's answer where it has a head for it or writes.

    Attributes:
        model: Whose tokenizer cut the texts, and who answered.
        task: The data set's name.
        layouts: Of each family; the model's own first.
        judged: What its head said; None without one.
        written: What its decoder wrote; None without one.
        why: Why there is neither.
        notes: What must be known, a sentence each.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    task: str
    layouts: tuple[FamilyLayout, ...]
    judged: HeadOutput | None = None
    written: WrittenAnswer | None = None
    why: Phrase = NOTHING
    notes: tuple[Phrase, ...] = ()
    left_out: LeftOut | None = None

    @property
    def said(self) -> tuple[str, float | None]:
        """The answer, and its probability where it has one; "" without an answer."""
        if self.judged is not None:
            best = self.judged.best
            chances = self.judged.probabilities
            if not chances:
                # Files have it as well, and programs read those.
                return f"{self.judged.logits[0]:.4g}", None
            return self.judged.labels[best], chances[best]
        if self.written is not None:
            return self.written.text, math.exp(self.written.log_probability)
        return "", None


@dataclass(frozen=True)
class HeadOutputRow:
    """A class, a choice or a text with its score; or a sequence, which has none."""

    what: str = column(N_("what"), key=True)
    text: str = column(N_("text"), key=True)
    score: float | None = column(N_("score"), digits=2)
    probability: float | None = column(N_("probability"), written=in_digits)


def table(result: TaskLayoutResult) -> Table:
    """The answer, a row a class, a choice or a text; then one row a sequence."""
    rows: list[HeadOutputRow] = []
    if result.judged is not None:
        chances = result.judged.probabilities or (None,) * len(result.judged.labels)
        told = zip(result.judged.labels, result.judged.logits, chances, strict=True)
        rows += [HeadOutputRow("answer", *one) for one in told]
    if result.written is not None:
        log = result.written.log_probability
        rows.append(HeadOutputRow("written", result.written.text, log, math.exp(log)))
        for one in result.written.targets:
            share = None if one.log_probability is None else math.exp(one.log_probability)
            rows.append(HeadOutputRow("target", one.text, one.log_probability, share))
    for layout in result.layouts:
        for sequence in layout.sequences:
            line = " ".join(one.token if one.special else one.text for one in sequence.pieces)
            rows.append(HeadOutputRow(layout.style.value, line, None, None))
    return Table.of(HeadOutputRow, rows)


@dataclass(frozen=True)
class SequencePieceRow:
    """A piece of a sequence."""

    layout: str
    own: int
    sequence: int
    position: int
    text: str
    token: str
    id: int | None
    field: str
    special: int
    segment: int | None
    read_out: int


def pieces(result: TaskLayoutResult) -> Table:
    """One row a piece of a sequence."""
    rows = (
        SequencePieceRow(
            *(layout.style.value, int(layout.own), number, position, one.text, one.token, one.id),
            *(one.field, int(one.special), one.segment, int(position in sequence.read_out)),
        )
        for layout in result.layouts
        for number, sequence in enumerate(layout.sequences, start=1)
        for position, one in enumerate(sequence.pieces)
    )
    return Table.of(SequencePieceRow, rows)


COLUMN_TITLES = {
    "task": N_("task"),
    "answer": N_("answer"),
    "probability": N_("probability"),
    "tokens": N_("tokens"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: TaskLayoutResult) -> Mapping[str, Cell]:
    """The answer, and how long the model's own layout is."""
    answer, probability = result.said
    own = next((one for one in result.layouts if one.own), None)
    longest = max((len(one.pieces) for one in own.sequences), default=0) if own else 0
    return {
        "task": result.task,
        "answer": answer,
        "probability": probability,
        "tokens": longest,
    }


QUESTION = Question(
    name="task_layout",
    title=N_("Task layouts"),
    asks=N_(
        "How does each family lay out the input of a task, where is the answer read out, and what "
        "does this model answer?"
    ),
    listing=Listing(Topic.TASKS, 4, "table-headers-eye"),
    found_by=(
        "input format",
        "fine-tuning",
        "GLUE",
        "text-to-text",
        "translate",
        "translation",
        "파인튜닝",
        "미세 조정",
        "입력 형식",
        "번역",
    ),
    request=TaskLayoutRequest,
    result=TaskLayoutResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    conditions=(
        a_text(N_("Type a sentence to see how each family lays it out for a task.")),
        Condition(
            has_second, N_("This task is asked of two texts: add the second one below the first.")
        ),
        Condition(
            has_choices,
            N_("Type two choices at least into the bar above, with | between them."),
        ),
    ),
)
