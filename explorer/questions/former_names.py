"""What questions were called once: everything that is stored under such a name is found by it.

Logs, remembered options, files of results and what a person types may name a question as an older
program did, or one that another question answers today. This is the one place that knows.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import Absorbed, Question, UserMistake
from explorer.document import Document
from explorer.files.foreign import json_of
from explorer.questions import all_questions
from explorer.text import N_


def name_today(name: str) -> str:
    """What a question is called today; a name that no question has or had stays as it is."""
    question = question_named(name)
    return name if question is None else question.name


def question_named(name: str) -> Question[Any, Any] | None:
    """The question of a name that it has or had, or that answers one of this name too."""
    known = all_questions()
    if name in known:
        return known[name]
    return next((one for one in known.values() if name in _former(one)), None)


def typed_question(name: str) -> Question[Any, Any]:
    """The question that somebody named on a command line or in a line of a file.

    Raises:
        UserMistake: There is none of this name.
    """
    question = question_named(name.replace("-", "_"))
    if question is None:
        raise UserMistake(
            N_('There is no question "{operation}".'),
            N_("ask --list names them all."),
            operation=name,
        )
    return question


def names_of(name: str) -> tuple[str, ...]:
    """Every name under which what is today's question is stored, the one of today first."""
    question = question_named(name)
    return (name,) if question is None else (question.name, *_former(question))


def absorbed(name: str) -> Absorbed | None:
    """How a question that another one answers today becomes that one; None for all others."""
    if name in all_questions():
        return None
    question = question_named(name)
    return None if question is None else question.replaces.get(name)


def role_today(name: str, role: str) -> str:
    """What a model does in today's question that did something in the one of a name."""
    gone = absorbed(name)
    return role if gone is None else gone.roles.get(role, role)


def means_today(name: str) -> Mapping[str, Any]:
    """What asking a question by a name is, beside what is asked: fields of today's request."""
    gone = absorbed(name)
    return {} if gone is None else gone.implies


def document_asking(name: str, document: Document) -> Document:
    """A document of a run of a name, whose options are of today and ask the same."""
    document = document_today(document)
    for option, value in means_today(name).items():
        document = document.with_option(f"{name_today(name)}.{option}", value)
    return document


def request_today(name: str, request: str) -> str:
    """A question's request as JSON, as today's question has it.

    Raises:
        ValueError: It can't be changed.
    """
    gone = absorbed(name)
    return request if gone is None else become(gone, 1, request, None)[0]


def become(gone: Absorbed, schema: int, request: str, result: str | None) -> tuple[str, str | None]:
    """A request and a result of an absorbed question, both JSON, as the other question's.

    Args:
        gone: How it becomes the other.
        schema: The one that they were stored in.
        request: Its request.
        result: Its result; None for a failure.

    Raises:
        ValueError: They can't be changed.
    """
    asked, answered = json_of(request), None if result is None else json_of(result)
    try:
        for upgrade in (*gone.upgrades[schema - 1 :], gone.become):
            upgrade(asked, answered)
    except Exception as error:
        raise ValueError(f"another question answers it today: {error}") from error
    return json.dumps(asked), None if answered is None else json.dumps(answered)


def document_today(document: Document) -> Document:
    """A document whose options have the names of today."""
    options = dict(_options_today(document))
    return replace(document, options=tuple(sorted(options.items())))


def _options_today(document: Document) -> Iterator[tuple[str, str]]:
    there = {key for key, _ in document.options}
    for key, value in document.options:
        today = option_today(key)
        if today.key == key or today.key not in there:
            try:
                yield today.key, today.written(value)
            except (ValueError, TypeError):
                # What can't be read is the default, as it always was.
                yield today.key, value


def option_today(key: str) -> "OptionToday":
    """What an option is today that an older program kept under a key, "question.option"."""
    name, dot, option = key.partition(".")
    question, gone = question_named(name), absorbed(name)
    if question is None:
        return OptionToday(key)
    option = option if gone is None else gone.options.get(option, option)
    former = question.former_options.get(option)
    if former is None:
        return OptionToday(f"{question.name}{dot}{option}")
    return OptionToday(f"{question.name}{dot}{former.name}", former.become)


@dataclass(frozen=True)
class OptionToday:
    """An option as it is called today.

    Attributes:
        key: "question.option".
        become: Of a value that was kept what is kept today.
    """

    key: str
    become: Callable[[Any], Any] | None = None

    def written(self, value: str) -> str:
        """A value as documents hold it, in JSON.

        Raises:
            ValueError: It is no JSON.
            TypeError: It is nothing that this option ever was.
        """
        if self.become is None:
            return value
        return json.dumps(self.become(json_of(value)), ensure_ascii=False, sort_keys=True)


def _former(question: Question[Any, Any]) -> tuple[str, ...]:
    return (*question.formerly, *question.replaces)
