"""Facts by their names, as a table of a rich text."""

from collections.abc import Iterable
from html import escape

from explorer.ui.theme.schemes import current_theme


def facts_table(facts: Iterable[tuple[str, str]]) -> str:
    """A line for each fact, its name muted; "" where there is none.

    Args:
        facts: Names and values, both plain text.
    """
    tint = current_theme().muted.name()
    rows = "".join(
        f"<tr><td style='color:{tint}; padding:1px 12px 1px 0'>{escape(name)}</td>"
        f"<td style='padding:1px 0'>{escape(value)}</td></tr>"
        for name, value in facts
    )
    return f"<table cellspacing='0' style='margin:2px 0 6px 0'>{rows}</table>" if rows else ""
