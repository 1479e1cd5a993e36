"""The functions that an expression may call; each counts its work before it does it."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from explorer.lectures.claims.work import MOST_PLACES, EvaluationBudget, NoValue, bounded
from explorer.text import N_

LONGEST_RANGE = 100_000
ARRAY = 100
"""What it costs to begin with numpy, in items."""


def _through(function: Callable[[Any], Any]) -> Callable[..., Any]:
    """One that goes through a list, not into its items."""

    def counted(work: EvaluationBudget, values: Any) -> Any:
        work.take(len(values))
        return function(values)

    return counted


def _comparing(function: Callable[..., Any]) -> Callable[..., Any]:
    """One that compares items, to the last number where these are lists."""

    def counted(work: EvaluationBudget, *values: Any) -> Any:
        items = len(values[0]) if len(values) == 1 else len(values)
        # So often is an item compared by what sorts; the others stay below.
        work.take_whole(*values, times=max(1, items.bit_length()))
        return function(*values)

    return counted


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """One that takes the same time whatever it is given."""

    def counted(_work: EvaluationBudget, *values: Any) -> Any:
        return function(*values)

    return counted


def _argmax(values: Any) -> int:
    """The place of the greatest, the first of equals."""
    numbers = list(values)
    return numbers.index(max(numbers))


def _sum(work: EvaluationBudget, values: Any, start: Any = 0) -> Any:
    return bounded(sum(work.take_numbers(values), *work.take_numbers([start])))


def _mean(work: EvaluationBudget, values: Any) -> float:
    numbers = work.take_numbers(values)
    return float(sum(numbers) / len(numbers))


def _range(work: EvaluationBudget, *ends: int) -> list[int]:
    places = range(*ends)
    # Its length may be beyond what len() can say.
    if places[LONGEST_RANGE:]:
        raise NoValue(N_("a range has at most {most} numbers"), most=LONGEST_RANGE)
    work.take(len(places))
    return list(places)


def _round(_work: EvaluationBudget, number: Any, places: Any = None) -> Any:
    if isinstance(places, int) and abs(places) > MOST_PLACES:
        raise NoValue(N_("a number is rounded to at most {most} places"), most=MOST_PLACES)
    return bounded(round(number, places))


def _zip(work: EvaluationBudget, *some: Any) -> list[tuple[Any, ...]]:
    work.take(min((len(one) for one in some), default=0) * (len(some) + 3))
    return list(zip(*some, strict=False))


def _softmax(work: EvaluationBudget, logits: Any, temperature: float = 1.0) -> list[float]:
    from explorer.numerics.distributions.temperature import softmax

    return list(softmax(_scores(work, logits), temperature).tolist())


def _entropy(work: EvaluationBudget, logits: Any, temperature: float = 1.0) -> float:
    from explorer.numerics.distributions.temperature import entropy

    return float(entropy(_scores(work, logits), temperature))


def _scores(work: EvaluationBudget, logits: Any) -> Any:
    """A list as numpy takes it: of texts it would make as many columns as the longest has."""
    work.take(ARRAY)
    # It is held several times while it is reckoned with.
    return work.take_numbers(logits, times=4)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": _plain(abs),
    "all": _through(all),
    "any": _through(any),
    "argmax": _comparing(_argmax),
    "entropy": _entropy,
    "exp": _plain(math.exp),
    "len": _plain(len),
    "log": _plain(math.log),
    "max": _comparing(max),
    "mean": _mean,
    "min": _comparing(min),
    "range": _range,
    "round": _round,
    "softmax": _softmax,
    "sorted": _comparing(sorted),
    "sum": _sum,
    "zip": _zip,
}
"""By name: each is given what it may still do, and then what it is called with."""
