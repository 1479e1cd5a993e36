"""Published figures beside what is counted here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from explorer.api.family.checkpoint import PublishedFigure

UNITS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}


@dataclass(frozen=True)
class PublishedAgainst:
    """A published figure and ours.

    Attributes:
        what: "parameters", "backbone", "layers", ...
        says: As it was printed.
        value: As a number.
        source: Who says so, and where.
        measured: Counted here; None where nothing here counts it.
        agrees: Ours rounds to what was printed.
        reason: Why the two differ; "" where they agree.
    """

    what: str
    says: str
    value: float
    source: str
    measured: float | None
    agrees: bool
    reason: str = ""


def against(figure: PublishedFigure, counted: Mapping[str, float]) -> PublishedAgainst:
    """Put a figure beside ours.

    Args:
        figure: What was published.
        counted: Ours, by what it counts.
    """
    measured = counted.get(figure.what)
    agrees = measured is not None and abs(measured - figure.value) <= rounding(figure.says) / 2
    return PublishedAgainst(
        what=figure.what,
        says=figure.says,
        value=figure.value,
        source=figure.source,
        measured=measured,
        agrees=agrees,
        reason="" if agrees else figure.reason,
    )


def rounding(says: str) -> float:
    """The worth of the last digit that was meant: "110M" is rounded to ten millions.

    Zeros at the end are taken for rounding, as far as a tenth of the number; a figure that is
    written out, or has decimals, is exact to its last digit.
    """
    match = re.search(r"(\d[\d,]*)(\.\d+)?\s*([kKMB]?)", says)
    if match is None:
        return 0.0
    whole, decimals, unit = match.group(1).replace(",", ""), match.group(2) or "", match.group(3)
    if decimals:
        worth: float = UNITS[unit] / 10 ** (len(decimals) - 1)
        return worth
    if not unit:
        return 1.0
    zeros = len(whole) - len(whole.rstrip("0"))
    tenth = max(1.0, int(whole) / 10) if zeros else 1.0
    return min(float(10**zeros), tenth) * UNITS[unit]
