"""Exact chances beside a model's of what is not a word: a class of pairs, a span of a text."""

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from explorer.api.question import Token
from explorer.exact_answers.answers import ExactPlace, ExactWord
from explorer.exact_answers.asking import About, ExactAnswersRequest

LEAST = 1e-300
"""Below what float32 can say of a probability; keeps a logarithm finite."""


@dataclass(frozen=True, slots=True)
class PossibleOutcome:
    """One of the things that can be.

    Attributes:
        name: What it is called.
        number: What it is told apart by.
        exact: Its exact probability.
        log: The logarithm of the model's.
    """

    name: str
    number: int
    exact: float
    log: float


def place_of(about: About, outcomes: Sequence[PossibleOutcome], most: int) -> ExactPlace:
    """Both distributions.

    Args:
        about: What they are of.
        outcomes: All there are.
        most: So many of the model's likeliest are told, beside those that can be.
    """
    logs = sorted(one.log for one in outcomes)
    masses = sorted(one.exact for one in outcomes)
    words = [
        ExactWord(
            one.name,
            one.number,
            one.name,
            one.exact,
            math.exp(one.log),
            len(logs) - bisect_right(logs, one.log) + 1,
            exact_rank=rank_among(masses, one.exact),
        )
        for one in outcomes
    ]
    told = [one for one in words if one.exact or one.rank <= most]
    told.sort(key=lambda one: (-one.exact, -one.model))
    return ExactPlace(
        0,
        tuple(told),
        max(0.0, -math.fsum(one.exact * math.log(one.exact) for one in outcomes if one.exact)),
        divergence((one.exact, one.log) for one in outcomes),
        about=about,
    )


def divergence(masses: Iterable[tuple[float, float]]) -> float:
    """KL(exact || model), in nats.

    Args:
        masses: Of each thing that can be, the exact probability and the logarithm of the model's.
    """
    terms = (
        mass * (math.log(mass) - max(log, math.log(LEAST))) for mass, log in masses if mass > 0.0
    )
    # What rounding leaves of nothing may be less.
    return max(0.0, math.fsum(terms))


def rank_among(masses: Sequence[float], mass: float) -> int:
    """How many are likelier, and one; 0 for what can't be.

    Args:
        masses: Of all that can be, the least likely first.
        mass: One of these, or 0.
    """
    return len(masses) - bisect_right(masses, mass) + 1 if mass > 0.0 else 0


def word_at(token: Token, request: ExactAnswersRequest) -> str:
    """The word of a token, as the text has it."""
    text = (request.pair or "") if token.part else request.text
    start, end = token.start, token.end
    if text[start:end].strip()[:1].isalnum():
        while start > 0 and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum():
            end += 1
    return text[start:end].strip() or token.text
