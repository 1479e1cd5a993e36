"""The answers of a class: many people's files as one table, and what was guessed how often."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.api.question import Failure, UserMistake
from explorer.files.typed_paths import typed_path
from explorer.lectures.answers_file import ENDING, AnswerSheet, StepAnswer, read_sheet
from explorer.text import N_, _

MOST = 1000
"""Files that are read at once."""


@dataclass(frozen=True)
class AskedQuestion:
    """A question of a lesson, and everybody's answers to it.

    Attributes:
        lesson: The lesson's name.
        title: What it is called.
        step: The step's number, from 1.
        question: What was asked.
        answers: One for each person, in order; None where somebody has none.
    """

    lesson: str
    title: str
    step: int
    question: str
    answers: tuple[StepAnswer | None, ...]

    @property
    def right(self) -> int:
        """How many are right."""
        return sum(one is not None and one.right is True for one in self.answers)

    @property
    def given(self) -> int:
        """How many answered it, or had it shown."""
        return sum(one is not None for one in self.answers)

    @property
    def distribution(self) -> tuple[tuple[str, int], ...]:
        """What was answered, and how often; numbers by size, everything else the most often first.

        What is the same choice counts as one, whatever language it was read in.
        """
        counts: dict[str, int] = {}
        said: dict[str, str] = {}
        for one in self.answers:
            if one is not None:
                key = one.given.casefold() or cell_said(one)
                counts[key] = counts.get(key, 0) + 1
                said.setdefault(key, one.said or cell_said(one))
        keys = sorted(counts, key=lambda key: (-counts[key], key))
        if keys and all(_is_number(key) for key in keys):
            keys.sort(key=float)
        return tuple((said[key], counts[key]) for key in keys)


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
        """All that somebody answered, lesson by lesson and step by step."""
        found: dict[tuple[str, int], tuple[str, str]] = {}
        for sheet in self.sheets:
            for one in sheet.answers:
                found.setdefault((sheet.lesson, one.step), (sheet.title, one.question))
        return tuple(
            AskedQuestion(
                lesson,
                title,
                step,
                question,
                tuple(_answer(sheet, lesson, step) for sheet in self.sheets),
            )
            for (lesson, step), (title, question) in sorted(found.items())
        )

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
        cells = [[cell_said(one) for one in question.answers] for question in questions]
        people = zip(self.names, *cells, strict=True) if cells else zip(self.names, strict=True)
        return [heading, *(list(row) for row in people)]

    def csv(self) -> str:
        """The table as CSV; what a spreadsheet would take for a formula is text."""
        stream = io.StringIO()
        csv.writer(stream).writerows([[_as_text(cell) for cell in row] for row in self.rows()])
        return stream.getvalue()


def cell_said(one: StepAnswer | None) -> str:
    """An answer on a line, with a sign of whether it is right."""
    if one is None:
        return ""
    if one.shown:
        return _("(shown)")
    sign = {True: "✓", False: "✗", None: ""}[one.right]
    return " ".join(filter(None, (sign, one.said)))


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


def _answer(sheet: AnswerSheet, lesson: str, step: int) -> StepAnswer | None:
    if sheet.lesson != lesson:
        return None
    return next((one for one in sheet.answers if one.step == step), None)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _as_text(cell: str) -> str:
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
