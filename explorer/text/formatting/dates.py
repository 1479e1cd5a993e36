"""Days and times as the language in use writes them."""

import re
from datetime import UTC, datetime

from explorer.text.language import current

_MINUTES = re.compile(r"([^\w\s])mm")


def in_local_time(written: str) -> datetime | None:
    """A moment as logs have it, ISO 8601, in the time of this place; None where it is none."""
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return None
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).astimezone()


def clock(moment: datetime) -> str:
    """The time of a day: "14:05:09"."""
    if current().is_source:
        return moment.strftime("%H:%M:%S")
    from babel import Locale
    from babel.dates import format_time

    # As a clock shows it: with seconds, Korean's own pattern is a sentence, "14시 5분 9초".
    short = Locale.parse(current().locale).datetime_skeletons["Hm"].pattern
    return str(format_time(moment, _MINUTES.sub(r"\1mm\1ss", short), locale=current().locale))


def day_and_clock(moment: datetime) -> str:
    """A day of this year, with its time: "03 Nov 14:05"."""
    if current().is_source:
        return moment.strftime("%d %b %H:%M")
    return _with_clock(moment, "MMMd")


def day_and_year(moment: datetime) -> str:
    """A day: "03 Nov 2025"."""
    return moment.strftime("%d %b %Y") if current().is_source else _by_skeleton(moment, "yMMMd")


def in_full(written: str) -> str:
    """A moment as logs have it, with its day and year: "03 Nov 2025 14:05"; else as it is."""
    local = in_local_time(written)
    if local is None:
        return written
    if current().is_source:
        return local.strftime("%d %b %Y %H:%M")
    return _with_clock(local, "yMMMd")


def _with_clock(moment: datetime, day: str) -> str:
    from babel.dates import get_datetime_format

    both = str(get_datetime_format("medium", locale=current().locale))
    return both.format(_by_skeleton(moment, "Hm"), _by_skeleton(moment, day))


def _by_skeleton(moment: datetime, skeleton: str) -> str:
    from babel.dates import format_skeleton

    return str(format_skeleton(skeleton, moment, locale=current().locale))
