"""What to look at first in an answer, in one sentence; nothing where nothing stands out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.api.question.beside import beside
from explorer.text.phrase import NOTHING


@dataclass(frozen=True)
class Headline:
    """What to look at first in an answer: above it on its page, and in the list of runs.

    Attributes:
        sentence: One whole sentence with the numbers it was read from; "" where nothing stands
            out. A Phrase, so that it is said in the reader's language; a plugin may give plain
            words.
        position: The token in the model's input that it names, to be turned to; None for none.
        points_at: The head, layer or cell that it names, by options of the question that show it:
            their values by their keys. A choice of the sentence sets them all at once, instead of
            turning to a token.
        strength: How far what it tells is beyond the threshold below which nothing would be told,
            from 0 at it to 1, as `beyond` has it: the Overview tells the strongest first. What
            says nothing of it comes last.
    """

    sentence: str = NOTHING
    position: int | None = None
    points_at: Mapping[str, Any] = field(default_factory=dict)
    strength: float = 0.0


def stated(question: str) -> Callable[..., Headline]:
    """The function `headline` of the file of that name beside a question.py.

    Args:
        question: The question's module, as `__name__` in it.
    """
    return beside(question, "headline", "headline")


def told_by(question: str, file: str = "wording") -> Callable[[Any], Sequence[str]]:
    """The function `made_from` of a file beside a question.py, which imports no Qt.

    Args:
        question: The question's module, as `__name__` in it.
        file: The other file, as modules are called.
    """
    return beside(question, file, "made_from")
