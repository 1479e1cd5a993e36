"""What somebody answered to a question of a lesson, as the profile keeps it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GivenAnswer:
    """An answer, or that the answer was shown instead.

    Attributes:
        given: A number in digits, a word, or the place of a choice; "" where something was done,
            or nothing was given.
        right: Whether it is right; None where nobody knows yet, or the answer was shown.
        hints: How many hints were taken before.
        shown: The answer was shown without one.
        live: What was right on the page at that time, as it is given; "" while nobody knows.
    """

    given: str = ""
    right: bool | None = None
    hints: int = 0
    shown: bool = False
    live: str = ""

    @property
    def is_over(self) -> bool:
        """There is nothing left to answer: it is right, or was shown."""
        return self.shown or self.right is True
