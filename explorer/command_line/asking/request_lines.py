"""Many questions in one process: requests as lines of JSON, answers as lines of JSON.

A line is an object with the question's name, the fields of its request and who plays its roles,
under the names that `ask --list --json` has. It is read as the words that a person would type, so
that what is refused there is refused here, in the same sentence.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from typing import IO, Any, NoReturn, Self

from explorer import headless
from explorer.api.question import Blame, Failure, Question, UserMistake
from explorer.command_line.asking.loaded_once import ModelsLoadedOnce
from explorer.command_line.asking.question_arguments import TypedQuestion, add_question
from explorer.command_line.asking.request_arguments import (
    ENTITIES,
    MASKS,
    TEXT,
    Argument,
    arguments_of,
)
from explorer.command_line.options.global_options import add_global_options
from explorer.command_line.options.shared_options import add_consent
from explorer.command_line.parsing import DONE, MISTAKE, Parser
from explorer.files.foreign import json_of
from explorer.program import Program
from explorer.text import N_, _, ngettext

EVERY_LINE = "-"
"""What stands in the place of a question."""
LINES_SAID = N_(
    "Asks what every line of standard input says: an object of JSON with the question's name "
    "(question), the fields of its request and the checkpoints of its roles as ask --list --json "
    "names them, and an id if you like. A line of JSON comes out for each, in the same order: the "
    "answer, or error and advice. Models are loaded once."
)
LONGEST = 1_000_000
"""Characters of a line."""
_EXAMPLE = '{"question": "tokens", "text": "the cat"}'
_QUESTION, _ID, _EXACT = "question", "id", "exact"


def add_lines_options(parser: argparse.ArgumentParser) -> None:
    """What is said of all lines together."""
    add_consent(parser)
    parser.add_argument("--no-log", action="store_true", help=_("keep it out of the session log"))
    add_global_options(parser)


def answer_lines(args: argparse.Namespace, program: Program, lines: IO[str]) -> int:
    """Answer every line; returns the exit status.

    A line that can't be answered costs no other its answer. None answered at all is a mistake.

    Raises:
        UserMistake: There is no line.
    """
    asking = _Asking(args, program)
    count = failed = 0
    with asking:
        for number, line in _lines(lines):
            count += 1
            told = asking.answer(number, line)
            failed += "error" in told
            headless.print_json(told)
            sys.stdout.flush()
    if not count:
        raise UserMistake(
            N_("No request came on standard input."),
            N_("Write one a line, as {example}"),
            example=_EXAMPLE,
        )
    if failed:
        sys.stderr.write(
            ngettext(
                "{count} request was not answered.\n",
                "{count} requests were not answered.\n",
                failed,
            )
        )
    return MISTAKE if failed == count else DONE


def _lines(lines: IO[str]) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers from 1; no more of one than is read."""
    number = 0
    while line := lines.readline(LONGEST + 1):
        number += 1
        whole = line
        while not whole.endswith("\n") and (whole := lines.readline(LONGEST + 1)):
            pass  # the rest of a line that is too long
        if line.strip():
            yield number, line


class _Asking:
    """Asks with the models that are loaded, and loads those that are not.

    Args:
        args: With the options of `add_lines_options`.
        program: Where everything is.
    """

    def __init__(self, args: argparse.Namespace, program: Program) -> None:
        self._args, self._program = args, program
        self._models = ModelsLoadedOnce(program, allow_pickle=args.allow_pickle)
        self._parsers: dict[str, Parser] = {}
        self._log = None if args.no_log else headless.Log(program)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._log is not None:
            self._log.close()

    def answer(self, number: int, line: str) -> dict[str, Any]:
        """A line's answer, or why there is none."""
        told: dict[str, Any] = {"line": number}
        try:
            fields = _object(line)
            if _ID in fields:
                told[_ID] = fields.pop(_ID)
            typed = self._typed(fields)
            models = self._models.playing(typed.named)
            log: headless.Log | bool = self._log if self._log is not None else False
            answered = models.ask(typed.request, typed.document, log=log)
            answered = models.with_beside(answered) if typed.beside else answered
            return {**told, **headless.as_json(answered)}
        except Exception as error:  # noqa: BLE001 - what comes after it is asked all the same
            failure = Failure.of(error)
            if failure.blame is Blame.BUG:
                sys.stderr.write(failure.traceback)
            return {**told, "error": failure.message, "advice": failure.hint}

    def _typed(self, fields: dict[str, Any]) -> TypedQuestion:
        name = fields.pop(_QUESTION, None)
        question = _question(name)
        if question.name not in self._parsers:
            self._parsers[question.name] = _parser(question.name)
        args = self._parsers[question.name].parse_args([*words_of(question, fields)])
        return TypedQuestion.of(str(name), args, self._program)


class _LineParser(Parser):
    """Refuses as a parser of the command line does, and ends nothing."""

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong.

        Raises:
            UserMistake: It always is.
        """
        raise UserMistake("{why}", N_("ask --list --json names the fields."), why=message)


def _parser(name: str) -> Parser:
    question = _question(name)
    return _LineParser(prog=name, add_help=False, declare=partial(add_question, question=question))


def _object(line: str) -> dict[str, Any]:
    if len(line) > LONGEST:
        raise UserMistake(
            N_("The line is longer than {longest} characters."),
            N_("Ask it with a shorter text."),
            longest=LONGEST,
        )
    try:
        found = json_of(line)
    except ValueError as error:
        raise UserMistake(
            N_("The line is no JSON ({error})."), N_("Write an object on one line."), error=error
        ) from error
    if not isinstance(found, dict):
        raise UserMistake(N_("The line is no object of JSON."), N_("Write one in braces."))
    return found


def _question(name: object) -> Question[Any, Any]:
    from explorer.questions.former_names import typed_question

    if not isinstance(name, str):
        raise UserMistake(
            N_("The line names no question."), N_("Name one, as {example}"), example=_EXAMPLE
        )
    return typed_question(name)


def words_of(question: Question[Any, Any], fields: Mapping[str, Any]) -> Iterator[str]:
    """The fields of a line as a person types them.

    Args:
        question: The question.
        fields: Of its request, by their names; roles with their checkpoints; "exact".

    Raises:
        UserMistake: There is no such field, or a value is of no kind that can be typed.
    """
    known = {one.name: one for one in arguments_of(question)}
    roles = question.roles if question.delegates_to is None else headless.USUAL
    behind: list[str] = []
    for name, value in fields.items():
        if value is None:
            continue
        if name == _EXACT and name not in known:
            if question.beside is not None and value:
                yield "--exact"
            continue
        if name in known:
            argument = known[name]
            if argument.flag or name in (MASKS, ENTITIES):
                yield from _flagged(argument, value)
            else:
                behind.append(_positional(name, value))
        elif name in roles:
            yield f"--{name}={value}"
        else:
            raise UserMistake(
                N_("{title} has no field {name}."),
                N_("It has {fields}."),
                title=question.name,
                name=name,
                fields=", ".join((*known, *roles)),
            )
    yield from ("--", *behind) if behind else ()


def _positional(name: str, value: Any) -> str:
    if name == TEXT and value == "-":
        raise UserMistake(
            N_("A text can't be a hyphen alone here."), N_("It would stand for standard input.")
        )
    return value if isinstance(value, str) else json.dumps(value)


def _flagged(argument: Argument, value: Any) -> Iterator[str]:
    if argument.name in (MASKS, ENTITIES):
        flag = "--mask" if argument.name == MASKS else "--entity"
        for one in value if isinstance(value, list) else [value]:
            yield f"{flag}={_place(one)}"
    elif isinstance(value, bool):
        if argument.flag.startswith("--no-"):
            if value:
                yield argument.flag
        else:
            yield argument.flag if value else f"--no-{argument.flag.removeprefix('--')}"
    else:
        yield f"{argument.flag}={value if isinstance(value, str) else json.dumps(value)}"


def _place(value: Any) -> str:
    """A place of a text as it is typed: words, or characters as [4, 8]."""
    if isinstance(value, list) and len(value) == 2 and all(type(one) is int for one in value):
        return f"{value[0]}-{value[1]}"
    return value if isinstance(value, str) else json.dumps(value)
