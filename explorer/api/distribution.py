"""A whole vocabulary's probabilities on their way to the window, and how far two are apart."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Distribution:
    """Log-probabilities of every piece of a vocabulary.

    It lets the window compare two answers exactly. It crosses to the window and stays in memory;
    it is not written as JSON (as which it is null), so a log does not grow by a vocabulary a mask.

    Attributes:
        values: Natural logarithms, float32, one a piece, read-only.
        vocabulary: Hash of the pieces in order; numbers of two distributions mean the same pieces
            only where it is equal.
    """

    __slots__ = ("values", "vocabulary")

    def __init__(self, values: "NDArray[np.float32]", vocabulary: str) -> None:
        values.setflags(write=False)
        self.values = values
        self.vocabulary = vocabulary

    def __len__(self) -> int:
        return len(self.values)

    def is_comparable(self, other: "Distribution | None") -> bool:
        """Whether another one is of the same pieces."""
        return (
            other is not None
            and other.vocabulary == self.vocabulary
            and len(other.values) == len(self.values)
        )

    def probability(self, piece: int) -> float:
        """Of a piece, by its number."""
        import math

        return math.exp(float(self.values[piece]))

    def rank(self, piece: int) -> int:
        """One more than the number of pieces that are more probable."""
        return int((self.values > self.values[piece]).sum()) + 1

    def divergence(self, other: "Distribution") -> float:
        """KL(this || the other), in nats, summed in float64.

        Raises:
            ValueError: They are of different vocabularies.
        """
        from explorer.numerics.losses import kl

        self._check(other)
        return float(kl(self.values, other.values))

    def total_variation(self, other: "Distribution") -> float:
        """Half the sum of the differences' sizes: the share of the probability that moved, 0 to 1.

        Raises:
            ValueError: They are of different vocabularies.
        """
        from explorer.numerics.distributions.comparing import total_variation
        from explorer.numerics.distributions.temperature import softmax

        self._check(other)
        return total_variation(softmax(self.values), softmax(other.values))

    def _check(self, other: "Distribution") -> None:
        if not self.is_comparable(other):
            raise ValueError("Distributions over different vocabularies can't be compared.")
