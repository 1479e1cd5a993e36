"""Pages of HTML that stand alone: pictures and tables inside, nothing from elsewhere."""

import base64
import hashlib
import html
from collections.abc import Iterable
from dataclasses import replace
from string import Template

from explorer.api.question import Table
from explorer.sessions.export.tables import guard_said
from explorer.text import _, ngettext
from explorer.text.language import current
from explorer.ui.export.files import table_to_html
from explorer.ui.theme.schemes import NAMES, Scheme, theme_of

MOST_ROWS = 200
"""Rows of a table that a page with many of them shows."""

_STYLE = Template("""
body { font-family: system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
  color: $text; background: $surface; line-height: 1.45; }
/* Korean is broken between words, as it is in the window. */
:lang(ko) { word-break: keep-all; overflow-wrap: break-word; }
h1, h2, h3 { line-height: 1.2; }
section { margin: 2.5rem 0; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .85rem; }
th, td { border-bottom: 1px solid $border; padding: .2rem .6rem; text-align: left; }
caption { text-align: left; color: $muted; padding: .4rem 0; }
details { margin-top: .5rem; }
details > table { display: block; overflow-x: auto; }
.small { color: $muted; font-size: .85rem; }
.holds, .fails { border-left: .25rem solid $positive; padding-left: .75rem; }
.fails { border-color: $danger; }
""")


def whole_page(
    title: str,
    body: Iterable[str],
    scheme: Scheme = "light",
    *,
    script: str = "",
    style: str = "",
    images: str = "data:",
) -> bytes:
    """A page as the bytes of a file.

    Args:
        title: Its name, which stands above it.
        body: HTML.
        scheme: Of the ground and the letters; the pictures inside have no ground of their own.
        script: What runs in it; no other script may.
        style: More of its style.
        images: Where pictures may come from.
    """
    theme = theme_of(scheme)
    style = _STYLE.substitute({name: theme.colour(name).name() for name in NAMES}) + style
    allowed, runs = "", ""
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        allowed, runs = f"; script-src 'sha256-{digest}'", f"<script>{script}</script>"
    safe = html.escape(title)
    page = (
        f"<!doctype html><html lang='{current().code}'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>{safe}</title>"
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none';"
        f" img-src {images}; style-src 'unsafe-inline'{allowed}\">"
        f"<style>{style}</style></head><body><h1>{safe}</h1>{''.join(body)}{runs}</body></html>\n"
    )
    return page.encode("utf-8")


def picture(svg: bytes, words: str) -> str:
    """A picture inside the page; nothing in it gets in the way of another one.

    Args:
        svg: The picture.
        words: What it shows, for whoever does not see it.
    """
    return _image(svg, "svg+xml", words)


def png_picture(png: bytes, words: str) -> str:
    """The same of a picture of dots."""
    return _image(png, "png", words)


def _image(picture: bytes, kind: str, words: str) -> str:
    content = base64.b64encode(picture).decode()
    return f"<img alt='{html.escape(words)}' src='data:image/{kind};base64,{content}'>"


def numbers(table: Table | None, most: int | None = None) -> str:
    """The rows of an answer, folded.

    Args:
        table: None for none.
        most: So many at most; None for all.
    """
    if table is None:
        return ""
    shown = table if most is None else replace(table, rows=table.rows[:most])
    left = len(table.rows) - len(shown.rows)
    more = ngettext("{count} more row.", "{count} more rows.", left) if left else ""
    told = " ".join(filter(None, (more, guard_said((shown.columns, *shown.rows)))))
    below = f"<p class='small'>{html.escape(told)}</p>" if told else ""
    title = html.escape(_("The numbers"))
    return f"<details><summary>{title}</summary>{table_to_html(shown)}{below}</details>"
