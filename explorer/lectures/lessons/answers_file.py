"""One person's answers in a lesson, as a file for whoever teaches: no name unless one was typed."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

import msgspec

from explorer.api.question import UserMistake
from explorer.files.foreign import Unfit, clause_of, json_of, read_bytes
from explorer.files.typed_paths import unwritable
from explorer.given_answers import GivenAnswer
from explorer.lectures.lessons.ask import AskKind, told_answer
from explorer.lectures.scene import Scene
from explorer.text import N_, Phrase

ENDING = ".answers.json"
KIND = "plm-explorer answers"
VERSION = 1
LARGEST = 1 << 20
"""Bytes of a file; one of a lesson has some thousands."""
MOST_ANSWERS, LONGEST = 200, 2000


@dataclass(frozen=True)
class StepAnswer:
    """What was answered at one step.

    Attributes:
        step: Its number, from 1.
        question: What was asked, in the language of whoever answered.
        given: What was typed, or the place of the choice from 0; "" where something was done, or
            nothing was given.
        said: The same for people.
        right: Whether it is; None where the answer was shown, or nothing was given.
        hints: How many hints were taken.
        shown: The answer was shown.
        first: It was a guess.
        answer: What was right on the page of whoever answered, for people; "" where nobody knew.
        live: The same as it is given.
    """

    step: int
    question: str
    given: str = ""
    said: str = ""
    right: bool | None = None
    hints: int = 0
    shown: bool = False
    first: bool = False
    answer: str = ""
    live: str = ""


@dataclass(frozen=True)
class AnswerSheet:
    """One person's answers in one lesson.

    Attributes:
        lesson: The scene's name.
        title: What it is called.
        name: What was typed as a name; "" for none.
        answers: In the order of the steps.
    """

    lesson: str
    title: str
    name: str = ""
    answers: tuple[StepAnswer, ...] = field(default_factory=tuple)


def sheet_of(scene: Scene, given: dict[int, GivenAnswer], name: str = "") -> AnswerSheet:
    """The answers that were given in a lesson, by their steps from 0."""
    answers = []
    for number in scene.asks:
        ask, one = scene.steps[number].ask, given.get(number)
        if ask is None or one is None:
            continue
        is_said = bool(one.given) and ask.kind is not AskKind.DO
        answers.append(
            StepAnswer(
                number + 1,
                ask.said().question,
                one.given,
                told_answer(ask, one.given) if is_said else "",
                one.right,
                one.hints,
                one.shown,
                ask.first,
                told_answer(ask, one.live) if one.live else "",
                one.live,
            )
        )
    return AnswerSheet(scene.name, scene.title(), name.strip(), tuple(answers))


def write_sheet(sheet: AnswerSheet, path: Path) -> None:
    """Write answers into a file.

    Raises:
        MachineFault: It can't be written.
    """
    held = {"kind": KIND, "version": VERSION, **asdict(sheet)}
    try:
        path.write_text(json.dumps(held, ensure_ascii=False, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise unwritable(path, error) from error


def read_sheet(path: Path) -> AnswerSheet:
    """Answers from a file of somebody else.

    Raises:
        UserMistake: One sentence with the file and what is wrong with it.
    """
    try:
        held = json_of(read_bytes(path, LARGEST))
        if not isinstance(held, dict) or held.pop("kind", None) != KIND:
            raise Unfit(N_("it holds no answers of a lesson"))
        if held.pop("version", None) != VERSION:
            raise Unfit(N_("another version of the program wrote it"))
        sheet = msgspec.convert(held, AnswerSheet)
    except OSError as error:
        raise _broken(path, error.strerror or str(error)) from error
    except msgspec.ValidationError as error:
        raise _broken(path, str(error)) from error
    except ValueError as error:
        raise _broken(path, clause_of(error)) from error
    texts = (sheet.lesson, sheet.title, sheet.name, *(one.question for one in sheet.answers))
    given = (text for one in sheet.answers for text in (one.given, one.said, one.answer, one.live))
    if len(sheet.answers) > MOST_ANSWERS or any(len(one) > LONGEST for one in (*texts, *given)):
        raise _broken(path, Phrase(N_("it is longer than any lesson's")))
    return sheet


def _broken(path: Path, problem: object) -> UserMistake:
    return UserMistake(
        N_("{file} is left out: {problem}."),
        N_("Ask for the file again; lessons write it with “Save my answers”."),
        file=path.name,
        problem=problem,
    )
