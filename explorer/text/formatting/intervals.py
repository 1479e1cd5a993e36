"""Two ends of an interval, as the language in use says them: "37.2 to 54.7 %"."""

from collections.abc import Callable

from explorer.text.formatting.numbers import decimal, percent
from explorer.text.phrase import Phrase
from explorer.text.translation import N_

BETWEEN = N_("{low} to {high}")


def between(low: float, high: float, written: Callable[[float], str]) -> Phrase:
    """Both ends, each as a number is written."""
    return Phrase(BETWEEN, low=written(low), high=written(high))


def percents_between(low: float, high: float, places: int = 1) -> Phrase:
    """Shares of a whole; their sign is said once."""
    return Phrase(BETWEEN, low=decimal(100 * low, places), high=percent(high, places))
