"""Numbers and times as a person reads them."""

from datetime import UTC, datetime

SHORT_TEXT = 28
"""Characters of a text that fit into a menu entry."""


def in_bytes(count: float | None) -> str:
    """Decimal units, as file browsers and download pages use: "4.1 MB"; "" for None."""
    if count is None:
        return ""
    value = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 999.5:
            digits = 0 if unit == "B" or value >= 99.5 else 1
            return f"{value:.{digits}f} {unit}"
        value /= 1000
    return f"{value:.1f} TB"


def in_words(count: int | None) -> str:
    """A count of parameters: "110 M"; "" for None."""
    if count is None:
        return ""
    for limit, unit in ((1_000_000_000, "B"), (1_000_000, "M"), (1_000, "k")):
        if count >= limit:
            value = count / limit
            return f"{value:.0f} {unit}" if value >= 99.5 else f"{value:.1f} {unit}"
    return str(count)


def duration(seconds: float) -> str:
    """How long something took: "12 ms", "3.4 s", "2 min 5 s"."""
    if seconds < 0.9995:
        milliseconds = seconds * 1000
        return f"{milliseconds:.0f} ms" if milliseconds >= 1 else "under 1 ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def remaining(seconds: float) -> str:
    """How long something may still take, rounded as such guesses deserve."""
    if seconds < 5:
        return "a few seconds left"
    if seconds < 60:
        return f"{round(seconds / 5) * 5} s left"
    minutes = round(seconds / 60)
    return f"{minutes} min left" if minutes < 60 else f"{minutes / 60:.1f} h left"


def shortened(text: str, limit: int = SHORT_TEXT) -> str:
    """One line, cut with an ellipsis where it is too long."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def when(created_at: str, now: datetime | None = None) -> str:
    """A moment of the log in local time: today's by the clock, older ones by the date."""
    try:
        moment = datetime.fromisoformat(created_at)
    except ValueError:
        return created_at
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    local = moment.astimezone()
    today = (now or datetime.now(UTC)).astimezone().date()
    if local.date() == today:
        return local.strftime("%H:%M:%S")
    return local.strftime("%d %b %H:%M" if local.year == today.year else "%d %b %Y")


def plain(text: str) -> str:
    """An action's text without shortcut marks and dots."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("….")


def menu_text(text: str) -> str:
    """A text that a menu shows as it is: an ampersand would mark a shortcut."""
    return text.replace("&", "&&")
