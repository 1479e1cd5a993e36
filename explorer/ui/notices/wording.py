"""Texts and moments as a person reads them."""

import re
from datetime import UTC, datetime

from explorer.text.formatting import dates

_SHORTCUT = re.compile(r"\(&\w\)")
"""Behind words in whose letters no key can be marked."""


def when(created_at: str, now: datetime | None = None) -> str:
    """A moment of the log in local time: today's by the clock, older ones by the date."""
    local = dates.in_local_time(created_at)
    if local is None:
        return created_at
    today = (now or datetime.now(UTC)).astimezone().date()
    if local.date() == today:
        return dates.clock(local)
    return dates.day_and_clock(local) if local.year == today.year else dates.day_and_year(local)


def plain(text: str) -> str:
    """An action's text without shortcut marks and dots: "File", "파일" of "파일(&F)"."""
    return (
        _SHORTCUT.sub("", text).replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("….")
    )


def menu_text(text: str) -> str:
    """A text that a menu shows as it is: an ampersand would mark a shortcut."""
    return text.replace("&", "&&")
