"""How the loss of a series fell while it was trained, as somebody wrote it down."""

from bisect import bisect_right
from dataclasses import dataclass

from explorer.text.phrase import NOTHING, Phrase


@dataclass(frozen=True)
class LossCurve:
    """A loss at the steps at which it was written down.

    Attributes:
        steps: In rising order; at least one.
        values: As many, finite; in nats.
        of: What is predicted: "masked words"; "" where nobody says.
        floor: The least that there can be, in nats; None where that is not known.
        is_held_out: Measured on texts that were not trained on.
    """

    steps: tuple[float, ...]
    values: tuple[float, ...]
    of: Phrase = NOTHING
    floor: float | None = None
    is_held_out: bool = False

    def at(self, step: float) -> tuple[float, float] | None:
        """The last that was written down by a step: when, and the loss; None before the first.

        Nothing between two of them is ever made up.
        """
        place = bisect_right(self.steps, step) - 1
        return None if place < 0 else (self.steps[place], self.values[place])
