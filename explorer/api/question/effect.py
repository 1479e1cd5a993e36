"""What to look at first in an answer: its largest effect, in one sentence."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Effect:
    """The largest effect that an answer shows.

    Attributes:
        sentence: One whole sentence with the numbers it was read from; where nothing stands out it
            says that. A Phrase, so that it is said in the reader's language; a plugin may give
            plain words.
        position: The token in the model's input that it names, to be turned to; None for none.
    """

    sentence: str
    position: int | None = None


def stated(question: str) -> Callable[[Any], Effect]:
    """The function `largest_effect` of the file of that name beside a question.py.

    It is imported when it is first called, as what answers the question is.

    Args:
        question: The question's module, as `__name__` in it.
    """

    def call(result: Any) -> Effect:
        module = importlib.import_module(f"{question.rpartition('.')[0]}.largest_effect")
        effect: Effect = module.largest_effect(result)
        return effect

    return call
