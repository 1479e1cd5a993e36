"""What evaluating an expression may cost: nobody has vouched for the file that it comes from.

Work is counted by the size of what is worked on, and before it is done. What the standard library
does in C can't be ended from outside, and holds up every other thread meanwhile.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.text import N_, Phrase

MOST_WORK = 600_000
"""Items of lists that are gone through or made: a tenth of a second, and some 30 MB."""
PART = 8
"""What evaluating a part of an expression costs, in items."""
CHARACTERS = 8
"""Characters that cost as much as an item."""
MOST_BITS = 1000
"""Of a whole number: it has 300 digits then, and is told in them."""
MOST_PLACES = 300
"""Decimal places that a number is rounded to, before or behind its point."""


class NoValue(Exception):
    """An expression has no value.

    Attributes:
        problem: Why not, a clause.
    """

    def __init__(self, sentence: str, **values: object) -> None:
        self.problem = Phrase(sentence, **values)
        super().__init__(self.problem)


class EvaluationBudget:
    """What one evaluation may still do, in items."""

    def __init__(self) -> None:
        self._left = MOST_WORK

    def take(self, items: int) -> None:
        """Count work that is about to be done.

        Raises:
            Refused: It is more than is left.
        """
        self._left -= items
        if self._left < 0:
            raise NoValue(N_("it takes too long"))

    def take_characters(self, count: int) -> None:
        """Count a text that is about to be made or gone through."""
        self.take(count // CHARACTERS)

    def take_whole(self, *values: object, times: int = 1) -> None:
        """Count everything in some values, lists in lists as often as they are in them.

        Args:
            values: What is about to be gone through to the last number.
            times: How often.

        Raises:
            Refused: That is more than is left.
        """
        waiting: list[object] = list(values)
        while waiting:
            one = waiting.pop()
            if isinstance(one, str):
                self.take_characters(times * len(one))
            elif isinstance(one, Mapping | list | tuple):
                self.take(times * (len(one) + PART))
                held = one.values() if isinstance(one, Mapping) else one
                waiting.extend(item for item in held if not isinstance(item, int | float))

    def take_numbers(self, values: object, times: int = 1) -> Sequence[Any]:
        """Count a list that is about to be reckoned with; its numbers.

        Raises:
            Refused: There is something else in it, or they are more than is left.
        """
        if not isinstance(values, list | tuple):
            raise NoValue(N_("a list of numbers is wanted"))
        self.take(times * len(values))
        if not all(isinstance(one, int | float) for one in values):
            raise NoValue(N_("a list of numbers is wanted"))
        return values


def bounded(value: Any) -> Any:
    """A value, if it is no whole number beyond all measure.

    Raises:
        Refused: It is.
    """
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise NoValue(N_("a whole number in it has more than {most} digits"), most=MOST_PLACES)
    return value
