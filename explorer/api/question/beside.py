"""Functions of the files beside a question.py, which are imported when they are first called."""

import importlib
from collections.abc import Callable
from typing import Any


def beside(question: str, file: str, name: str) -> Callable[..., Any]:
    """A function of another file of a question's folder, so that it is not read before its time.

    Args:
        question: The question's module, as `__name__` in it.
        file: The other file, as modules are called.
        name: Of the function.
    """

    def call(*arguments: Any, **named: Any) -> Any:
        module = importlib.import_module(f"{question.rpartition('.')[0]}.{file}")
        return getattr(module, name)(*arguments, **named)

    return call
