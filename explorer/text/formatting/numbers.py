"""Numbers as the language in use writes them: "12,000", "0.31", "15 %"."""

from functools import cache

from explorer.text.language import current

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def whole(count: int) -> str:
    """A whole number with its thousands apart: "12,000"."""
    return localised(f"{count:,}")


def decimal(value: float, places: int) -> str:
    """With so many digits after the point: "0.31"."""
    return localised(f"{value:.{places}f}")


def with_minus(value: float, places: int) -> str:
    """The same with a real minus, and none before nought: "−0.31"."""
    size = decimal(abs(value), places)
    return f"−{size}" if round(value, places) < 0 else size


def signed(value: float, places: int, nought: str = "±") -> str:
    """The same with a sign, plus or a real minus: "+0.31", "−0.20", "±0.00".

    Args:
        value: Any number.
        places: Digits after the point.
        nought: The sign where all these digits are nought.
    """
    sign = ("+" if value > 0 else "−") if float(f"{value:.{places}f}") else nought
    return f"{sign}{decimal(abs(value), places)}"


def significant(value: float, digits: int, *, zeros: bool = False) -> str:
    """With so many digits that count, and a real minus: "1.34", "−0.0533", "2.97 × 10⁻⁹".

    Args:
        value: Any number.
        digits: How many.
        zeros: Those at the end stay, as beside other numbers: "1.30".
    """
    text = f"{value:#.{digits}g}" if zeros and value else f"{value:.{digits}g}"
    mantissa, has_power, exponent = text.partition("e")
    number = localised(mantissa.rstrip(".")).replace("-", "−")
    return f"{number} × {ten_to(int(exponent))}" if has_power else number


def ten_to(exponent: int) -> str:
    """A power of ten: "10⁻⁶"."""
    return f"10{str(exponent).translate(_SUPERSCRIPT)}"


def percent(share: float, places: int = 0) -> str:
    """A share of a whole: "15 %"."""
    return with_percent(f"{100 * share:.{places}f}")


def with_percent(number: str) -> str:
    """A number as Python wrote it, which is a percentage: "15 %"."""
    if current().is_source:
        return f"{number} %"
    return _percent_pattern(current().locale).format(localised(number))


def localised(number: str) -> str:
    """A number as Python wrote it, with the language's own point and comma."""
    number = number.replace("inf", "∞")
    if current().is_source:
        return number
    return number.translate(_signs(current().locale))


def plain(said: str) -> str:
    """What the language in use writes, with Python's own point and comma."""
    if current().is_source:
        return said
    signs = _signs(current().locale)
    return said.translate({ord(own): chr(python) for python, own in signs.items()})


def written(value: object) -> str:
    """What stands in a place of a text: numbers as the language has them, else as it is."""
    if isinstance(value, float):
        return significant(value, 6)
    text = written_in_english(value)
    return localised(text).replace("-", "−") if isinstance(value, int) else text


def written_in_english(value: object) -> str:
    """The same as the code has it."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else str(value)


# Babel brings the tables of every locale. It is needed by no English window, and imported late.


@cache
def _signs(locale: str) -> dict[int, str]:
    from babel import Locale
    from babel.numbers import get_decimal_symbol, get_group_symbol

    known = Locale.parse(locale)
    return {ord("."): get_decimal_symbol(known), ord(","): get_group_symbol(known)}


@cache
def _percent_pattern(locale: str) -> str:
    from babel import Locale

    pattern = Locale.parse(locale).percent_formats[None]
    prefix, suffix = pattern.prefix[0], pattern.suffix[0]
    return f"{prefix}{{}}{suffix}"
