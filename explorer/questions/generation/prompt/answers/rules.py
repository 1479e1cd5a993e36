"""How one of several possible answers is chosen by its log-probability.

Brown et al. 2020 (GPT-3), section 2.4: the sum for most tasks, per token, or divided by the
probability behind a prompt that asks nothing. lm-evaluation-harness calls the largest sum ``acc``,
the largest sum per character ``acc_norm``, per byte ``acc_bytes``. Zhao et al. 2021: divided by
the probabilities behind the same examples and a question without content.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.numerics.distributions.temperature import log_softmax

Floats = NDArray[np.float64]


class Rule(enum.StrEnum):
    """What is greatest for the answer that is chosen."""

    SUM = "sum"
    TOKEN = "token"  # noqa: S105 - no secret
    CHARACTER = "character"
    BYTE = "byte"
    MUTUAL = "mutual_information"
    CALIBRATED = "calibrated"


@dataclass(frozen=True, slots=True)
class OptionScore:
    """A possible answer behind one prompt.

    Attributes:
        option: As it is written.
        log_probability: Of all its pieces, in nats.
        pieces: How many the model cuts it into here.
        neutral: Its log-probability behind the prompt that asks nothing.
        free: Its log-probability behind the same examples and the question without content.
    """

    option: str
    log_probability: float
    pieces: int
    neutral: float
    free: float

    def by(self, rule: Rule) -> float:
        """The score that a rule compares, in nats."""
        match rule:
            case Rule.SUM:
                return self.log_probability
            case Rule.TOKEN:
                return self.log_probability / self.pieces
            case Rule.CHARACTER:
                return self.log_probability / len(self.option)
            case Rule.BYTE:
                return self.log_probability / len(self.option.encode())
            case Rule.MUTUAL:
                return self.log_probability - self.neutral
            case Rule.CALIBRATED:
                return self.log_probability - self.free


def chosen(scores: Sequence[OptionScore], rule: Rule) -> int:
    """Number of the option that a rule takes; of equal ones the first."""
    return int(np.argmax([one.by(rule) for one in scores]))


def shares(scores: Sequence[OptionScore], rule: Rule) -> Floats:
    """The rule's scores as shares of one whole: their softmax."""
    values = np.array([one.by(rule) for one in scores])
    found: Floats = np.exp(log_softmax(values))
    return found
