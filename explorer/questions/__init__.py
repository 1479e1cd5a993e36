"""Every question a user can ask of a model: one folder each, registered by being here.

A folder of this one is a topic, and a heading in the window; a folder in that is a question:
`question.py` has the request, the result and the table (standard library and numpy), `compute.py`
the answer, `page.py` how it looks. A plugin may bring such folders too (`brought.py`).
"""

import contextlib
import importlib
import pkgutil
from collections.abc import Container, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from explorer.api.question import Question, missing_port
from explorer.questions.brought import Brought, Finding, as_version, none_brought

_finding: list[Finding] = [none_brought]
"""The one way that questions of plugins are found in this process."""


def bring(find: Finding) -> None:
    """Let this process know the questions of its plugins, in the place of those it knew before.

    Args:
        find: Called when a question is first named, and not before: it reads folders.
    """
    if find is none_brought is _finding[0]:
        return
    _finding[0] = find
    brought.cache_clear()
    all_questions.cache_clear()


@contextlib.contextmanager
def only(find: Finding) -> Iterator[None]:
    """For a while, know no questions of plugins but some."""
    before = _finding[0]
    bring(find)
    try:
        yield
    finally:
        bring(before)


@cache
def brought() -> Mapping[str, Brought]:
    """The questions of plugins, by name."""
    return MappingProxyType({one.question.name: one for one in _finding[0]()})


def versions_of(question: Question[Any, Any]) -> dict[str, str]:
    """What made a question, besides the program: the plugin that brings it."""
    one = brought().get(question.name)
    return {} if one is None else as_version(one)


def question_folders() -> Iterator[str]:
    """Names of the packages that are questions: "explorer.questions.many.x", then the plugins'."""
    yield from own_folders()
    yield from (one.folder for one in brought().values())


@cache
def own_folders() -> tuple[str, ...]:
    """Names of the packages that are the program's own questions."""
    topics = (one.name for one in pkgutil.iter_modules(__path__, f"{__name__}.") if one.ispkg)
    return tuple(
        found.name
        for topic in topics
        for found in pkgutil.iter_modules(importlib.import_module(topic).__path__, f"{topic}.")
        if found.ispkg
    )


def own_questions() -> dict[str, Question[Any, Any]]:
    """The program's own questions by name: the folders whose question.py holds an QUESTION."""
    found: dict[str, Question[Any, Any]] = {}
    for folder in own_folders():
        question = importlib.import_module(f"{folder}.question").QUESTION
        found[question.name] = question
    return found


@cache
def all_questions() -> Mapping[str, Question[Any, Any]]:
    """The questions by name, the program's own and those of plugins."""
    found = own_questions() | {name: one.question for name, one in brought().items()}
    return MappingProxyType(dict(sorted(found.items())))


def answered_with(ports: Container[type]) -> tuple[str, ...]:
    """Names of the questions that a model with some ports answers, when it plays the first role."""
    return tuple(
        name
        for name, question in all_questions().items()
        if missing_port(question.first_needs, ports) is None
    )


def question_of(request: object) -> Question[Any, Any]:
    """The question a request belongs to.

    Raises:
        KeyError: No question takes such a request.
    """
    for question in all_questions().values():
        if question.request is type(request):
            return question
    raise KeyError(type(request).__name__)
