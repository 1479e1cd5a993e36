"""Sizes, counts and durations as a person reads them.

A duration has as many digits as its use deserves: what was measured has three, what something
took has fewer, and what is still to come is a guess.
"""

from explorer.text.formatting.numbers import decimal, significant
from explorer.text.phrase import Phrase
from explorer.text.translation import N_, _


def in_bytes(count: float | None) -> str:
    """Decimal units, as file browsers and download pages use: "4.1 MB"; "" for None."""
    if count is None:
        return ""
    value, unit = _scaled(count)
    return f"{decimal(value, 0 if unit == 'B' or value >= 99.5 else 1)} {unit}"


def bytes_precisely(count: float) -> str:
    """The same where sizes stand in a sentence or are compared: "1.34 GB"."""
    value, unit = _scaled(count)
    return f"{significant(value, 3)} {unit}"


def in_words(count: int | None) -> str:
    """A large count, of parameters say: "110 M"; "" for None."""
    if count is None:
        return ""
    for limit, unit in ((1_000_000_000, "B"), (1_000_000, "M"), (1_000, "k")):
        if count >= limit:
            value = count / limit
            return f"{decimal(value, 0 if value >= 99.5 else 1)} {unit}"
    return str(count)


def took(seconds: float) -> str:
    """How long something took: "12 ms", "3.4 s", "2 min 5 s"."""
    if seconds < 0.9995:
        milliseconds = seconds * 1000
        return f"{decimal(milliseconds, 0)} ms" if milliseconds >= 1 else _("under 1 ms")
    if seconds < 60:
        return _("{seconds} s", seconds=decimal(seconds, 1))
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return _("{minutes} min {seconds} s", minutes=minutes, seconds=rest)
    return _hours(minutes)


def measured(seconds: float) -> Phrase:
    """A short time with three digits that count: "1.20 ms"."""
    if seconds < 1:
        return Phrase(f"{significant(seconds * 1000, 3, zeros=True)} ms")
    return Phrase(N_("{seconds} s"), seconds=significant(seconds, 3, zeros=True))


def roughly(seconds: float) -> Phrase:
    """Seconds as people say them: "40 s", "3 min", "1 h 20 min"."""
    if seconds < 59.5:
        return Phrase(N_("{seconds} s"), seconds=max(1, round(seconds)))
    minutes = round(seconds / 60)
    if minutes < 60:
        return Phrase(N_("{minutes} min"), minutes=minutes)
    return Phrase(N_("{hours} h {minutes} min"), hours=minutes // 60, minutes=minutes % 60)


def left_of_download(seconds: float) -> str:
    """How long a download may still take, whose rate goes up and down: "30 s left"."""
    if seconds < 5:
        return _("a few seconds left")
    if seconds < 60:
        return _("{seconds} s left", seconds=round(seconds / 5) * 5)
    minutes = round(seconds / 60)
    if minutes < 60:
        return _("{minutes} min left", minutes=minutes)
    return _("{hours} h left", hours=decimal(minutes / 60, 1))


def left_of_work(seconds: float) -> str:
    """How long steady work still takes: "12 s left"."""
    if seconds < 1:
        return _("almost done")
    if seconds < 60:
        return _("{seconds} s left", seconds=decimal(seconds, 0))
    minutes = round(seconds / 60)
    if minutes < 120:
        return _("{minutes} min left", minutes=minutes)
    return _("{time} left", time=_hours(minutes))


def _scaled(count: float) -> tuple[float, str]:
    """In the unit that leaves less than 1000 to say."""
    value = float(count)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if value < 999.5:
            return value, unit
        value /= 1000
    return value, "PB"


def _hours(minutes: int) -> str:
    return _("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)
