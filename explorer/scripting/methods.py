"""The methods of a model, one a question.

What type checkers and editors see of them is methods.pyi, which `python -m
explorer.scripting.stubs` writes. Questions of plugins are methods at run time, too.
"""

import difflib
from inspect import Parameter, Signature
from typing import Any

from explorer.questions.former_names import question_named
from explorer.scripting.signatures import WHAT_ALL_TAKE, docstring, parameters_of


class Methods:
    """What a model has a method for: every question, by its name; its help has all options."""

    def ask(self, question: str, text: str | None = None, /, **options: Any) -> Any:
        """Ask a question by its name."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        operation = None if name.startswith("_") else question_named(name)
        if operation is None:
            message = f"{type(self).__name__!r} has no question {name!r}"
            near = difflib.get_close_matches(name, dir(self), 1, 0.6)
            raise AttributeError(f"{message}; did you mean {near[0]}?" if near else message)

        def method(text: str | None = None, /, **options: Any) -> Any:
            return self.ask(name, text, **options)

        method.__name__ = method.__qualname__ = name
        method.__doc__ = docstring(operation)
        vars(method)["__signature__"] = Signature(
            [
                Parameter(
                    one.name,
                    Parameter.POSITIONAL_OR_KEYWORD
                    if one.name == "text"
                    else Parameter.KEYWORD_ONLY,
                    default=_Shown(one.default) if one.default else Parameter.empty,
                )
                for one in (*parameters_of(operation), *WHAT_ALL_TAKE)
            ]
        )
        return method


class _Shown(str):
    """A default as it is written."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
