"""How does an answer change over the steps of a model's training?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    NOTHING_LOADED,
    Asks,
    Cell,
    Condition,
    Listing,
    Loaded,
    ModelStamp,
    Question,
    Switch,
    Table,
    Topic,
    UserMistake,
    Words,
    asked,
    column,
)
from explorer.over_steps.numbers import (
    FollowedNumber,
    NumberTable,
    followed,
    is_word,
    named,
    without_constant,
)
from explorer.questions.learning.over_steps.casting import asked_of, casting, question_asked
from explorer.questions.learning.over_steps.options import (
    ALIKE,
    ASKED_QUESTION,
    AXIS,
    BAND,
    FIND,
    MOST_SHOWN,
    OPTIONS,
    SERIES,
    SHOWN,
    STEPS,
)
from explorer.serialise import from_json, to_json
from explorer.text import N_, Phrase

FEW = 4
"""Numbers that are drawn where nobody chose."""


@dataclass(frozen=True)
class OverStepsRequest(Asks):
    """Ask one question at every step of a model's training.

    Attributes:
        operation: Name of the question that is asked.
        series: Further series that are asked the same.
        steps: Which steps: "all", or as in "10,100,1000-4000".
    """

    operation: str = asked(ASKED_QUESTION, required=True)
    request: str = asked(
        Words(N_("Settings"), "", N_("The question as JSON; empty for its usual settings.")),
        is_held=False,
    )
    series: tuple[str, ...] = asked(SERIES)
    steps: str = asked(STEPS, made=str.strip)
    start: bool = asked(
        Switch(N_("Start"), True, N_("Ask what was not asked yet; without, only what was before.")),
        is_held=False,
    )

    def __post_init__(self) -> None:
        """Whatever name the question came by, it has the one of today."""
        from explorer.questions.former_names import name_today, request_today

        if self.request and name_today(self.operation) != self.operation:
            object.__setattr__(self, "request", request_today(self.operation, self.request))
        object.__setattr__(self, "operation", name_today(self.operation))

    @classmethod
    def of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> "OverStepsRequest":
        """What the question's own page would ask of a document."""
        found = cls(ASKED_QUESTION.of(document), "", SERIES.of(document), STEPS.of(document))
        question = asked_of(document)
        if question is None:
            return found
        cast = question.cast(loaded.cards, loaded.active or "", document)
        playing = [loaded.cards[slot] for slot in cast.values() if slot in loaded.cards]
        mine = replace(loaded, playing=playing) if playing else loaded
        request = question.asked_of(document, mine)
        return found if request is None else found.about(request)

    def about(self, request: Any) -> "OverStepsRequest":
        """The same of a request."""
        return replace(self, request=to_json(request.for_steps()))

    @property
    def is_whole(self) -> bool:
        """There is a question that can be asked."""
        return bool(self.request) and question_asked(self.operation) is not None

    def check(self) -> None:
        """Refuse settings that the question would refuse."""
        super().check()
        request_of(self).check()


@dataclass(frozen=True)
class LeftOutStep:
    """A frame that could not be asked.

    Attributes:
        name: Of the frame: "checkpoint-500".
        why: In a sentence.
    """

    name: str
    why: Phrase


@dataclass(frozen=True)
class AskedSeries:
    """A series, and how far it is asked.

    Attributes:
        id: What a user types for it.
        title: What people read.
        steps: Of the frames that can be shown, ascending.
        ids: Their checkpoints.
        seed: Of a run that was made here; None elsewhere.
        plan: All else that the run follows from, as JSON; "" elsewhere.
        left_out: Frames that could not be asked.
        waiting: Frames that were not asked yet.
    """

    id: str
    title: str
    steps: tuple[int, ...]
    ids: tuple[str, ...]
    seed: int | None = None
    plan: str = ""
    left_out: tuple[LeftOutStep, ...] = ()
    waiting: int = 0


@dataclass(frozen=True)
class OverStepsResult:
    """The numbers of the answers, step by step.

    Attributes:
        model: Who was loaded: a frame of the first series.
        question: Name of the one that was asked.
        series: The model's own, and further ones.
        tables: All numbers; their values are frames x rows x columns, the frames of the first
            series first. Not a number where a frame has none.
        offered: Names of runs that were made here and could be laid beside.
        notes: What must be known.
    """

    undefined: ClassVar = frozenset({"tables"})

    model: ModelStamp
    question: str
    series: tuple[AskedSeries, ...]
    tables: tuple[NumberTable, ...]
    offered: tuple[str, ...] = ()
    notes: tuple[Phrase, ...] = ()

    def __post_init__(self) -> None:
        """Whatever name the question had, it has the one of today."""
        from explorer.questions.former_names import name_today

        object.__setattr__(self, "question", name_today(self.question))

    @property
    def asked(self) -> int:
        """Frames that were asked."""
        return sum(len(one.steps) - one.waiting for one in self.series)

    @property
    def waiting(self) -> int:
        """Frames that were not asked yet."""
        return sum(one.waiting for one in self.series)

    @property
    def numbers(self) -> Mapping[str, FollowedNumber]:
        """All of them by their names, over the frames of all series."""
        return named(followed(self.tables))

    def of_series(self, number: FollowedNumber, place: int) -> NDArray[np.float64]:
        """A number's values over the steps of one series."""
        first = sum(len(one.steps) for one in self.series[:place])
        return number.values[first : first + len(self.series[place].steps)]

    def shown(self, chosen: Sequence[str] = ()) -> list[FollowedNumber]:
        """The numbers that are drawn: the chosen ones, or those that say most.

        Those are all that fall to nothing as they are learnt; else of a table of words the
        likeliest ones at the end; else what the question tells in short.
        """
        known = self.numbers
        every = [number for words in chosen for number in self.found(words)]
        if every:
            return [*{one.name: one for one in every}.values()][:MOST_SHOWN]
        differing = [*without_constant(known.values())]
        learnt = [one for one in differing if one.column.least is not None]
        if learnt:
            return learnt
        in_short = [one for one in differing if not one.row]
        return self._words() or (in_short or differing)[:FEW]

    def found(self, words: str) -> list[FollowedNumber]:
        """The number of a name, or those that differ and have some words in theirs."""
        known = self.numbers
        if words in known:
            return [known[words]]
        return [one for one in without_constant(known.values()) if one.has(words)]

    def _words(self) -> list[FollowedNumber]:
        """Of the first table that has words for its rows: the largest shares at the last step."""
        for one in self.tables:
            if not any(is_word(cell) for row in one.rows for cell in row):
                continue
            with np.errstate(invalid="ignore"):
                is_share = [
                    bool(np.isfinite(each).any() and np.nanmin(each) >= 0 and np.nanmax(each) <= 1)
                    for each in np.moveaxis(one.values, 2, 0)
                ]
            if True in is_share:
                name = one.columns[is_share.index(True)].name
                mine = (each for each in followed((one,)) if each.column.name == name)
                return sorted(mine, key=at_the_end, reverse=True)[:FEW]
        return []


def at_the_end(number: FollowedNumber) -> float:
    """A number at the last step; less than any share where it is not there."""
    known = number.values[np.isfinite(number.values)]
    is_there = bool(len(known)) and bool(np.isfinite(number.values[-1]))
    return float(known[-1]) if is_there else -1.0


@dataclass(frozen=True)
class StepNumberRow:
    """A number of an answer at a step."""

    series: str = column(N_("series"), key=True)
    seed: int | None = column(N_("seed"), compared=False)
    step: int = column(N_("training step"), key=True)
    measured: str = column(N_("measured"), key=True)
    row: str = column(N_("of"), key=True)
    value: float = column(N_("value"))


def table(result: OverStepsResult, shown: Sequence[str] = ()) -> Table:
    """One row a series, a step and a number that is drawn."""
    return Table.of(StepNumberRow, _rows(result, result.shown(shown)))


def _rows(result: OverStepsResult, numbers: Sequence[FollowedNumber]) -> Iterator[StepNumberRow]:
    for place, series in enumerate(result.series):
        for one in numbers:
            values = result.of_series(one, place)
            for step, value in zip(series.steps, values.tolist(), strict=True):
                if np.isfinite(value):
                    name = one.column.name
                    yield StepNumberRow(series.title, series.seed, step, name, one.row, value)


def summary(result: OverStepsResult) -> Mapping[str, Cell]:
    """How far it is, and what the first number came to."""
    found: dict[str, Cell] = {
        "question": result.question,
        "series": len(result.series),
        "steps": result.asked,
    }
    for one in result.shown()[:1]:
        values = result.of_series(one, 0)
        known = values[np.isfinite(values)]
        if len(known):
            found |= {"number": one.title, "first": float(known[0]), "last": float(known[-1])}
    return found


def question_of(request: OverStepsRequest) -> Question[Any, Any]:
    """The question that is asked at every step.

    Raises:
        UserMistake: There is none of this name, or its answer does not depend on weights.
    """
    question = question_asked(request.operation)
    if question is None:
        raise UserMistake(
            N_('There is no question "{operation}" to ask at every step.'),
            N_("Choose one of the list."),
            operation=request.operation,
        )
    return question


def request_of(request: OverStepsRequest) -> Any:
    """What is asked at every step.

    Raises:
        UserMistake: The question is unknown, or its settings can't be read.
    """
    question = question_of(request)
    try:
        written = request.request or "{}"
        return from_json(question.request, written)
    except ValueError as error:
        raise UserMistake(
            N_('The settings of "{title}" can\'t be read ({error}).'),
            N_("Choose them again."),
            title=question.title,
            error=error,
        ) from error


def only_look(request: OverStepsRequest) -> OverStepsRequest:
    """What was asked before; nothing is asked anew."""
    return replace(request, start=False)


def _there_is_a_question(document: Any) -> bool:
    question = asked_of(document)
    return question is not None and not question.hint(document)


QUESTION = Question(
    name="over_steps",
    title=N_("Over steps"),
    asks=N_("How does an answer change over the steps of a model's training?"),
    listing=Listing(Topic.LEARNING, 5, "chart-timeline-variant"),
    found_by=(
        *("ask at every step", "checkpoints over training", "training dynamics", "emergence"),
        *("phase transition", "learnt first", "film", "trajectory", "acquisition"),
        *("학습 과정", "단계별", "체크포인트", "학습 동역학", "모든 단계"),
    ),
    request=OverStepsRequest,
    result=OverStepsResult,
    table=table,
    summary=summary,
    column_titles={
        "question": N_("question"),
        "series": N_("series"),
        "steps": N_("steps"),
        "number": N_("number"),
        "first": N_("first"),
        "last": N_("last"),
    },
    follows={
        "shown": SHOWN,
        "find": FIND,
        "axis": AXIS,
        "alike": ALIKE,
        "band": BAND,
    },
    waiting_hint=N_("Load a model of which several steps are here."),
    roles={},
    binding=casting,
    delegates_to=question_of,
    delegates_with=request_of,
    options=OPTIONS,
    conditions=(
        Condition(
            _there_is_a_question,
            N_(
                "What is asked at every step lacks something: open its own page, and see that it "
                "is answered there."
            ),
        ),
    ),
    cheap_variant=only_look,
    needs_steps=True,
    # Until Run is chosen there is only what was asked before.
    is_provisional=lambda result: not result.asked or bool(result.waiting),
)
