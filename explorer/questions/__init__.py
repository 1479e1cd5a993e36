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
    all_operations.cache_clear()


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
    return MappingProxyType({one.operation.name: one for one in _finding[0]()})


def versions_of(operation: Question[Any, Any]) -> dict[str, str]:
    """What made a question, besides the program: the plugin that brings it."""
    one = brought().get(operation.name)
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


def own_operations() -> dict[str, Question[Any, Any]]:
    """The program's own questions by name: the folders whose question.py holds an QUESTION."""
    found: dict[str, Question[Any, Any]] = {}
    for folder in own_folders():
        operation = importlib.import_module(f"{folder}.question").QUESTION
        found[operation.name] = operation
    return found


@cache
def all_operations() -> Mapping[str, Question[Any, Any]]:
    """The questions by name, the program's own and those of plugins."""
    found = own_operations() | {name: one.operation for name, one in brought().items()}
    return MappingProxyType(dict(sorted(found.items())))


def answered_with(ports: Container[type]) -> tuple[str, ...]:
    """Names of the questions that a model with some ports answers, when it plays the first role."""
    return tuple(
        name
        for name, operation in all_operations().items()
        if missing_port(operation.first_needs, ports) is None
    )


def operation_of(request: object) -> Question[Any, Any]:
    """The operation a request belongs to.

    Raises:
        KeyError: No operation takes such a request.
    """
    for operation in all_operations().values():
        if operation.request is type(request):
            return operation
    raise KeyError(type(request).__name__)
