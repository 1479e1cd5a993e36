"""What to look at first in an answer: its largest effect, in one sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.question.beside import beside


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


def stated(question: str) -> Callable[..., Effect]:
    """The function `largest_effect` of the file of that name beside a question.py.

    Args:
        question: The question's module, as `__name__` in it.
    """
    return beside(question, "largest_effect", "largest_effect")


def told_by(question: str, file: str = "wording") -> Callable[[Any], Sequence[str]]:
    """The function `made_from` of a file beside a question.py, which imports no Qt.

    Args:
        question: The question's module, as `__name__` in it.
        file: The other file, as modules are called.
    """
    return beside(question, file, "made_from")
