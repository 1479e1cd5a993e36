"""The answers of a class: many people's files as one table, and what was guessed how often."""

import csv
import io
import math
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.api.question import Failure, UserMistake
from explorer.files.typed_paths import typed_path
from explorer.lectures.lecture import lessons
from explorer.lectures.lessons.answers_file import ENDING, AnswerSheet, StepAnswer, read_sheet
from explorer.lectures.lessons.ask import (
    AskKind,
    LessonAsk,
    told_answer,
    typed_answer,
    within_quotes,
)
from explorer.lectures.scene import Scene
from explorer.text import N_, _

SIGNS_OF_ANSWERS = {True: "✓", False: "✗", None: ""}
"""Of what is right, what is not, and what nobody knows of."""
MOST = 1000
"""Files that are read at once."""


@dataclass(frozen=True)
class GivenCount:
    """What was answered, by how many.

    Attributes:
        said: The answer, for people.
        count: How many gave it; 0 of a choice that nobody took.
        right: Whether it is right; None where it was shown, or nobody knows.
    """

    said: str
    count: int
    right: bool | None = None


@dataclass(frozen=True)
class AskedQuestion:
    """A question of a lesson, and everybody's answers to it.

    Attributes:
        lesson: The lesson's name.
        title: What it is called.
        step: The step's number, from 1.
        question: What was asked.
        answers: One for each person, in order; None where somebody has none.
        ask: The same question in the bundled lesson, which has it in every language; None where
            none asks so.
    """

    lesson: str
    title: str
    step: int
    question: str
    answers: tuple[StepAnswer | None, ...]
    ask: LessonAsk | None = None

    @property
    def right(self) -> int:
        """How many are right."""
        return sum(one is not None and one.right is True for one in self.answers)

    @property
    def given(self) -> int:
        """How many answered it, or had it shown."""
        return sum(one is not None for one in self.answers)

    @property
    def answer(self) -> str:
        """What is right, for people; "" where nobody's page had told.

        Pages that somebody has changed may have others: it is what most of them say.
        """
        found = Counter(one.live for one in self.answers if one is not None and one.live)
        live = max(found, key=lambda key: found[key], default="")
        told = (one for one in self.answers if one is not None and one.live == live)
        return next((self._told(one.live) or one.answer for one in told), "") if live else ""

    @property
    def distribution(self) -> tuple[GivenCount, ...]:
        """What was answered; numbers by size, everything else the most often first.

        What is the same choice counts as one, whatever language it was read in, and choices that
        nobody took are there, too. What was shown or done stands below numbers.
        """
        found: dict[str, list[StepAnswer]] = {}
        for one in self.answers:
            if one is not None:
                found.setdefault(one.given.casefold() or cell_said(one), []).append(one)
        keys = sorted(found, key=lambda key: (-len(found[key]), key))
        given = {one.given.casefold() for one in self.answers if one is not None and one.given}
        if all(map(_is_number, given)):
            keys.sort(key=lambda key: float(key) if key in given else math.inf)
        counts = [
            GivenCount(self._said(some[0]) or cell_said(some[0]), len(some), _are_right(some))
            for some in map(found.__getitem__, keys)
        ]
        return (*counts, *self._untaken(found))

    def _untaken(self, taken: Container[str]) -> Iterator[GivenCount]:
        """The choices that nobody took."""
        if self.ask is not None and self.ask.kind is AskKind.CHOICE:
            lives = {one.live for one in self.answers if one is not None and one.live}
            for number, said in enumerate(self.ask.said().choices):
                if str(number) not in taken:
                    yield GivenCount(said, 0, str(number) in lives if lives else None)

    @property
    def told(self) -> str:
        """How many were right, and what is right where anybody's page had told."""
        right = _("{right} of {count} were right.", right=self.right, count=self.given)
        answer = self.answer
        if not answer:
            return right
        if self.ask is not None and self.ask.kind is AskKind.CHOICE:
            said = _("The answer is “{answer}”.", answer=within_quotes(answer))
        else:
            said = _("It is {answer}.", answer=answer)
        return f"{right} {said}"

    @property
    def cells(self) -> list[str]:
        """Everybody's answer on a line."""
        return ["" if one is None else cell_said(one, self._said(one)) for one in self.answers]

    def _said(self, one: StepAnswer) -> str:
        """What was given, in the language in use where the lesson is known."""
        return self._told(one.given) or one.said

    def _told(self, given: str) -> str:
        """An answer in words; "" where there is none, or the lesson is not known."""
        if self.ask is None or self.ask.kind is AskKind.DO or not given:
            return ""
        try:
            return told_answer(self.ask, typed_answer(self.ask, given))
        except UserMistake:
            return ""  # somebody wrote it into the file by hand


@dataclass(frozen=True)
class ClassAnswers:
    """What a class answered.

    Attributes:
        sheets: One for each file that could be read.
        broken: A sentence for each that could not.
    """

    sheets: tuple[AnswerSheet, ...]
    broken: tuple[str, ...] = ()

    @property
    def questions(self) -> tuple[AskedQuestion, ...]:
        """All that somebody answered, lesson by lesson and step by step.

        Questions of bundled lessons are in the language in use, whatever language they were
        answered in.
        """
        bundled = {scene.name: scene for scene in lessons().scenes}
        found: dict[tuple[str, int], tuple[str, str]] = {}
        for sheet in self.sheets:
            for one in sheet.answers:
                found.setdefault((sheet.lesson, one.step), (sheet.title, one.question))
        asked = []
        for (lesson, step), (title, question) in sorted(found.items()):
            answers = tuple(_answer(sheet, lesson, step) for sheet in self.sheets)
            scene = bundled.get(lesson)
            ask = _ask_of(scene, step, question)
            words = (title, question)
            if scene is not None and ask is not None:
                words = (scene.title(), ask.said().question)
            named, said = words
            asked.append(AskedQuestion(lesson, named, step, said, answers, ask))
        return tuple(asked)

    @property
    def names(self) -> tuple[str, ...]:
        """Who answered: the typed name, or a number."""
        return tuple(
            sheet.name or _("Nr. {number}", number=number)
            for number, sheet in enumerate(self.sheets, 1)
        )

    def rows(self) -> list[list[str]]:
        """A table: who, and the answer to each question; the first row has the headings."""
        questions = self.questions
        heading = [_("Name"), *(f"{one.lesson} {one.step}" for one in questions)]
        cells = [question.cells for question in questions]
        people = zip(self.names, *cells, strict=True) if cells else zip(self.names, strict=True)
        return [heading, *(list(row) for row in people)]

    def csv(self) -> str:
        """The table as CSV; what a spreadsheet would take for a formula is text."""
        stream = io.StringIO()
        csv.writer(stream).writerows([[_as_text(cell) for cell in row] for row in self.rows()])
        return stream.getvalue()


def cell_said(one: StepAnswer, said: str = "") -> str:
    """An answer on a line, with a sign of whether it is right.

    Args:
        one: The answer.
        said: What was given, in words; "" as whoever answered read it.
    """
    if one.shown:
        return _("(shown)")
    sign = SIGNS_OF_ANSWERS[one.right]
    return " ".join(filter(None, (sign, said or one.said)))


def answers_among(places: Sequence[Path]) -> list[Path]:
    """The files of answers among some files and folders, and the folders that hold such."""
    return [place for place in places if place.name.endswith(ENDING) or _holds_answers(place)]


def _holds_answers(place: Path) -> bool:
    try:
        return place.is_dir() and next(place.glob(f"*{ENDING}"), None) is not None
    except (OSError, ValueError):
        return False


def read_class(places: Sequence[Path | str]) -> ClassAnswers:
    """The answers in some files, and in those of some folders; broken ones are told, not fatal.

    Raises:
        UserMistake: There is no such file at all, or there are too many.
    """
    paths: list[Path] = []
    for place in map(typed_path, places):
        paths += sorted(place.glob(f"*{ENDING}")) if place.is_dir() else [place]
    if not paths:
        raise UserMistake(
            N_("There are no answers there."), N_("They are files that end in {end}."), end=ENDING
        )
    if len(paths) > MOST:
        raise UserMistake(
            N_("There are {count} files of answers, and at most {most} are read at once."),
            count=len(paths),
            most=MOST,
        )
    sheets, broken = [], []
    for path in paths:
        try:
            sheets.append(read_sheet(path))
        except UserMistake as error:
            broken.append(Failure.of(error).said)
    return ClassAnswers(tuple(sheets), tuple(broken))


def _are_right(some: Sequence[StepAnswer]) -> bool | None:
    """Whether an answer is right: on somebody's page at least, where they differ."""
    known = [one.right for one in some if one.right is not None]
    return any(known) if known else None


def _ask_of(scene: Scene | None, step: int, question: str) -> LessonAsk | None:
    """What a bundled lesson asks at a step, where it asks this in some language."""
    if scene is None or not 1 <= step <= len(scene.steps):
        return None
    ask = scene.steps[step - 1].ask
    is_so = ask is not None and question in {one.question for one in ask.words.values()}
    return ask if is_so else None


def _answer(sheet: AnswerSheet, lesson: str, step: int) -> StepAnswer | None:
    if sheet.lesson != lesson:
        return None
    return next((one for one in sheet.answers if one.step == step), None)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _as_text(cell: str) -> str:
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
