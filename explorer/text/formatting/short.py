"""Numbers in few characters, as cells, legends and tooltips have them."""

import math

from explorer.text.formatting.numbers import ten_to


def number(value: float, *, signed: bool = False) -> str:
    """A value with four decimals, or as a power of ten where those would all be zero."""
    if not math.isfinite(value):
        return "none"
    sign = "−" if value < 0 else "+" if signed and value > 0 else ""
    size = abs(value)
    if size == 0:
        return "0"
    if size < 0.0001:
        mantissa, exponent = f"{size:.1e}".split("e")
        return f"{sign}{mantissa} × {ten_to(int(exponent))}"
    return f"{sign}{size:.4f}" if size < 1000 else f"{sign}{size:,.0f}"


def in_cell(value: float) -> str:
    """A value as `short` has it, but with two decimals where its neighbours have them: "0.10"."""
    text = short(value)
    return f"{text}0" if len(text.removeprefix("−")) == len("0.1") and "." in text else text


def short(value: float) -> str:
    """A value in as few characters as tell it apart: for lines and colour bars."""
    if not math.isfinite(value):
        return ""
    sign = "−" if value < 0 else ""
    size = abs(value)
    if size == 0:
        return "0"
    if size < 0.001:
        exponent = math.floor(math.log10(size))
        mantissa = round(size / 10.0**exponent)
        if mantissa == 10:
            mantissa, exponent = 1, exponent + 1
        power = ten_to(exponent)
        return f"{sign}{power}" if mantissa == 1 else f"{sign}{mantissa}·{power}"
    # Asked of every cell of a matrix: thresholds are quicker than its logarithm.
    if size >= 100:
        return f"{sign}{size:.0f}"
    text = f"{size:.3f}" if size < 0.01 else f"{size:.2f}" if size < 10 else f"{size:.1f}"
    return sign + text.rstrip("0").rstrip(".")
