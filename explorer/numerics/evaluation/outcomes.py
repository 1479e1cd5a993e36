"""What a detector gets right and wrong at a threshold.

A token is called replaced where its probability is above the threshold. The four outcomes have
the names of signal detection theory; precision and recall are those of information retrieval.
"""

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass

DEFAULT_THRESHOLD = 0.5
"""A logit above zero: what ElectraForPreTraining's users round at."""


class Outcome(enum.StrEnum):
    """A verdict beside the truth."""

    HIT = "hit"
    MISS = "miss"
    FALSE_ALARM = "false alarm"
    CORRECT_REJECTION = "correct rejection"


@dataclass(frozen=True)
class Counts:
    """How many tokens had each outcome.

    Attributes:
        hits: Replaced, and called so.
        misses: Replaced, and not called so.
        false_alarms: Original, and called replaced.
        correct_rejections: Original, and not called replaced.
    """

    hits: int = 0
    misses: int = 0
    false_alarms: int = 0
    correct_rejections: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.hits + other.hits,
            self.misses + other.misses,
            self.false_alarms + other.false_alarms,
            self.correct_rejections + other.correct_rejections,
        )

    @property
    def replaced(self) -> int:
        """Tokens that were."""
        return self.hits + self.misses

    @property
    def original(self) -> int:
        """Tokens that were not."""
        return self.false_alarms + self.correct_rejections

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.replaced + self.original

    @property
    def precision(self) -> float | None:
        """Share of those called replaced that were; None where none was called so."""
        return _share(self.hits, self.hits + self.false_alarms)

    @property
    def recall(self) -> float | None:
        """Share of the replaced that were called so; None where none was replaced."""
        return _share(self.hits, self.replaced)

    @property
    def false_alarm_rate(self) -> float | None:
        """Share of the originals that were called replaced; None where there is no original."""
        return _share(self.false_alarms, self.original)

    @property
    def accuracy(self) -> float | None:
        """Share judged rightly; None without any token."""
        return _share(self.hits + self.correct_rejections, self.tokens)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def outcome(probability: float, replaced: bool, threshold: float = DEFAULT_THRESHOLD) -> Outcome:
    """One token's outcome."""
    if probability > threshold:
        return Outcome.HIT if replaced else Outcome.FALSE_ALARM
    return Outcome.MISS if replaced else Outcome.CORRECT_REJECTION


def count(
    probabilities: Sequence[float],
    replaced: Sequence[bool],
    threshold: float = DEFAULT_THRESHOLD,
) -> Counts:
    """Count the outcomes of tokens with their probabilities and what is true of each."""
    found = [
        outcome(chance, truth, threshold)
        for chance, truth in zip(probabilities, replaced, strict=True)
    ]
    return Counts(
        found.count(Outcome.HIT),
        found.count(Outcome.MISS),
        found.count(Outcome.FALSE_ALARM),
        found.count(Outcome.CORRECT_REJECTION),
    )


def binary_cross_entropy(logits: Sequence[float], replaced: Sequence[bool]) -> float:
    """The discriminator's loss in nats, averaged over all tokens (Clark et al. 2020, section 2).

    Args:
        logits: Above zero means replaced.
        replaced: What is true.
    """
    losses = [
        # -log sigmoid(z) of a replaced token, -log sigmoid(-z) of an original, without overflow.
        max(-z, 0.0) + math.log1p(math.exp(-abs(z)))
        for logit, truth in zip(logits, replaced, strict=True)
        for z in [logit if truth else -logit]
    ]
    return sum(losses) / len(losses)


def sigmoid(logit: float) -> float:
    """The probability of a logit, without overflow."""
    if logit >= 0:
        return 1.0 / (1.0 + math.exp(-logit))
    grown = math.exp(logit)
    return grown / (1.0 + grown)
