"""How probabilities and their differences are written, and the round ends of their axes."""

from explorer.text.formatting import numbers
from explorer.text.formatting.numbers import localised, ten_to

SCALES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def in_digits(probability: float) -> str:
    """A probability with four decimals, or as a power of ten where those would all be zero.

    A probability below one is never rounded up to one.
    """
    if probability <= 0.0:
        return "0"
    if probability < 0.0001:
        mantissa, exponent = f"{probability:.1e}".split("e")
        return f"{localised(mantissa)} × {ten_to(int(exponent))}"
    text = f"{probability:.4f}"
    return localised("> 0.9999" if text == "1.0000" and probability < 1.0 else text)


def in_percent(probability: float) -> str:
    """A probability as a sentence has it: "98.3 %", "41 %", "0.02 %".

    Neither end is rounded to: what is possible is not nought, and what is not certain not all.
    """
    share = 100.0 * probability
    if 0.0 < share < 0.0001:
        return numbers.with_percent("< 0.0001")
    if 0.0 < share < 0.95:
        return numbers.with_percent(f"{share:.1g}")
    if 99.95 <= share < 100.0:
        return numbers.with_percent("> 99.9")
    return numbers.percent(probability, 0 if 9.95 <= share < 90.0 or share in (0.0, 100.0) else 1)


def signed(difference: float) -> str:
    """A difference with its sign and four decimals: "+0.0123", "−0.2000"."""
    return numbers.signed(difference, 4)


def scale_for(largest: float) -> float:
    """The end of the bars' axis: the smallest round number that holds them all."""
    return next((scale for scale in SCALES if largest <= scale + 1e-12), 1.0)


def power_of_ten(power: int) -> str:
    """One over ten to a power: "1", "0.01", "10⁻⁶"."""
    if power == 0:
        return "1"
    if power < 4:
        return in_digits(10.0**-power).rstrip("0")
    return ten_to(-power)
