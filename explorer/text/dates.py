"""Days and times as the language in use writes them."""

from datetime import datetime

from explorer.text.language import current


def clock(moment: datetime) -> str:
    """The time of a day: "14:05:09"."""
    return moment.strftime("%H:%M:%S") if current().is_source else _by_skeleton(moment, "Hms")


def day_and_clock(moment: datetime) -> str:
    """A day of this year, with its time: "03 Nov 14:05"."""
    if current().is_source:
        return moment.strftime("%d %b %H:%M")
    from babel.dates import get_datetime_format

    both = str(get_datetime_format("medium", locale=current().locale))
    return both.format(_by_skeleton(moment, "Hm"), _by_skeleton(moment, "MMMd"))


def day_and_year(moment: datetime) -> str:
    """A day: "03 Nov 2025"."""
    return moment.strftime("%d %b %Y") if current().is_source else _by_skeleton(moment, "yMMMd")


def _by_skeleton(moment: datetime, skeleton: str) -> str:
    from babel.dates import format_skeleton

    return str(format_skeleton(skeleton, moment, locale=current().locale))
