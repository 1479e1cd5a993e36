"""An answer in a notebook: HTML that stands by itself, in any front end and in a saved file.

There is no script in it, nothing is fetched, and no widget needs a server behind it.
"""

import base64
import threading
from html import escape

from explorer.api.errors import ExplorerError
from explorer.api.question import Table
from explorer.export_choices import PictureChoice
from explorer.headless import AnsweredRun, LoadedModels
from explorer.scripting.notebook import pictures
from explorer.text import _, ngettext

ROWS = 200
"""Rows of a table that a notebook keeps in its file; a frame has all."""
LARGEST_SVG = 400_000
"""Bytes of a picture that stays lines and letters; a larger one is a PNG."""
SHARP = 192
"""Dots an inch of that PNG: two for each of the screen's."""
GAP = "padding:.1em .5em"
"""Around a cell: some notebooks' pages take away what a browser leaves there."""


def page(
    answered: AnsweredRun, models: LoadedModels | None, table: Table | None, caption: str
) -> str:
    """An answer's picture and its rows.

    Args:
        answered: Question and answer.
        models: Who is asked what the page shows besides.
        table: Its rows.
        caption: How it came about.
    """
    try:
        if threading.current_thread() is not threading.main_thread():
            # Qt draws in the thread alone that it began in.
            shown = ""
        else:
            shown = _picture(answered, models)
    except ExplorerError as error:
        shown = f"<p>{escape(' '.join(filter(None, (error.said, error.advice))))}</p>"
    rows = "" if table is None else _rows(table, is_open=not shown.startswith("<picture"))
    told = f'<figcaption style="font-size:smaller;opacity:.75">{escape(caption)}</figcaption>'
    return f'<figure style="margin:0">{shown}{rows}{told}</figure>'


def _picture(answered: AnsweredRun, models: LoadedModels | None) -> str:
    """The page, light and dark: the reader's own scheme chooses."""
    schemes = (False, True)
    choices = [PictureChoice("svg", dark=dark, title=False, caption=False) for dark in schemes]
    made = pictures.drawn(answered, models, choices)
    if max(len(one.data) for one in made) > LARGEST_SVG:
        choices = [
            PictureChoice("png", dark=dark, title=False, caption=False, dpi=SHARP)
            for dark in schemes
        ]
        made = pictures.drawn(answered, models, choices)
    light, dark = (
        f"data:{one.mime};base64,{base64.b64encode(one.data).decode('ascii')}" for one in made
    )
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img style="max-width:100%" alt="{escape(made[0].words, quote=True)}" src="{light}">'
        "</picture>"
    )


def _rows(table: Table, *, is_open: bool) -> str:
    """The rows as a table, folded where a picture shows them."""
    columns = table.described()
    head = "".join(f'<th scope="col" style="{GAP}">{escape(one.heading)}</th>' for one in columns)
    body = "".join(
        "<tr>{}</tr>".format(
            "".join(
                f'<td style="{GAP}">{escape(one.said(cell))}</td>'
                for one, cell in zip(columns, row, strict=True)
            )
        )
        for row in table.rows[:ROWS]
    )
    count = len(table.rows)
    told = ngettext("{count} row", "{count} rows", count)
    if count > ROWS:
        told = _("the first {most} of {count} rows", most=ROWS, count=count)
    return (
        f"<details{' open' * is_open}><summary>{escape(told)}</summary>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></details>"
    )
