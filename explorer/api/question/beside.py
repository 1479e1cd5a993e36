"""Functions of the files beside a question.py, which are imported when they are first called."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from inspect import Signature, signature
from typing import Any


@dataclass(frozen=True)
class Deferred:
    """A function of another file, which is not read before its time.

    Attributes:
        module: The file, as it is imported.
        name: Of the function.
    """

    module: str
    name: str

    @property
    def function(self) -> Callable[..., Any]:
        """The function itself: its file is read now."""
        found: Callable[..., Any] = getattr(importlib.import_module(self.module), self.name)
        return found

    @property
    def __signature__(self) -> Signature:
        """What it takes, for whoever asks `inspect`."""
        return signature(self.function)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """What the function returns."""
        return self.function(*arguments, **named)


def is_beside(question: str, file: str) -> bool:
    """Whether a question's folder has a file, as modules are called."""
    folder = question.rpartition(".")[0]
    return bool(folder) and find_spec(f"{folder}.{file}") is not None


def beside(question: str, file: str, name: str) -> Deferred:
    """A function of another file of a question's folder.

    Args:
        question: The question's module, as `__name__` in it.
        file: The other file, as modules are called.
        name: Of the function.
    """
    return Deferred(f"{question.rpartition('.')[0]}.{file}", name)


def computed(question: str, name: str = "run") -> Deferred:
    """A function of the compute.py beside a question.py, imported when it is first called.

    The window and the command line read questions without what answers them.

    Args:
        question: The question's module, as `__name__` in it.
        name: Of the function.
    """
    return beside(question, "compute", name)
