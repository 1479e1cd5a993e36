"""Every question a user can ask of a model: one folder each, registered by being here.

A folder of this one is a topic, and a heading in the window; a folder in that is a question:
`question.py` has the request, the result and the table (standard library and numpy), `compute.py`
the answer, `page.py` how it looks.
"""

import importlib
import pkgutil
from collections.abc import Container, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from explorer.api import Operation, missing_port


def question_folders() -> Iterator[str]:
    """Names of the packages that are questions, topic by topic: "explorer.questions.many.x"."""
    for topic in pkgutil.iter_modules(__path__, f"{__name__}."):
        if topic.ispkg:
            package = importlib.import_module(topic.name)
            for found in pkgutil.iter_modules(package.__path__, f"{topic.name}."):
                if found.ispkg:
                    yield found.name


@cache
def all_operations() -> Mapping[str, Operation[Any, Any]]:
    """The questions by name, found as the folders whose question.py holds an OPERATION."""
    found: dict[str, Operation[Any, Any]] = {}
    for folder in question_folders():
        operation = importlib.import_module(f"{folder}.question").OPERATION
        found[operation.name] = operation
    return MappingProxyType(dict(sorted(found.items())))


def answered_with(ports: Container[type]) -> tuple[str, ...]:
    """Names of the questions that a model with some ports answers, when it plays the first role."""
    return tuple(
        name
        for name, operation in all_operations().items()
        if missing_port(operation.first_needs, ports) is None
    )


def operation_of(request: object) -> Operation[Any, Any]:
    """The operation a request belongs to.

    Raises:
        KeyError: No operation takes such a request.
    """
    for operation in all_operations().values():
        if operation.request is type(request):
            return operation
    raise KeyError(type(request).__name__)
