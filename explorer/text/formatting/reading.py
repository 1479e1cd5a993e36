"""Numbers as people read them, read back: what a column of words is sorted by."""

import re
from functools import lru_cache

from explorer.text.formatting.numbers import plain

_SAID = re.compile(
    r"(?P<before>[<>≤≥≈]?)\s*(?P<sign>[+−±-]?)(?P<number>\d[\d,]*(?:\.\d+)?|∞)"
    r"(?:\s×\s10(?P<power>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<e>e[+-]?\d+))?(?P<unit>\D*)"
)
_POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_BESIDE = {"<": -1, "≤": -1, ">": 1, "≥": 1}


def number_said(text: str) -> tuple[float, int, str] | None:
    """A number that was written for people: "< 0.01 %", "−1,200", "3 × 10⁻⁶".

    Returns:
        The number; -1 where it is said to be below it, 1 where above; its unit. None for what is
        no number, or more than one.
    """
    return _number(plain(text).strip())


@lru_cache(maxsize=8192)
def _number(text: str) -> tuple[float, int, str] | None:
    found = _SAID.fullmatch(text)
    if found is None:
        return None
    number = float(found["number"].replace(",", "").replace("∞", "inf"))
    power = found["e"][1:] if found["e"] else (found["power"] or "0").translate(_POWERS)
    number *= 10.0 ** int(power) * (-1.0 if found["sign"] in ("−", "-") else 1.0)
    return number, _BESIDE.get(found["before"], 0), found["unit"].strip()
