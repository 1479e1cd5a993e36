"""A view's answer as a picture or a table: into a file, or onto the clipboard."""

import html
import io
import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QImage

from explorer.api.question import Table, UserMistake
from explorer.export_choices import PictureChoice, TableChoice
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.export.tables import (
    safe_cell,
    table_to_csv,
    table_to_json,
    with_guard,
    write_atomically,
    write_csv,
)
from explorer.text import N_
from explorer.ui.export.devices import figure_image
from explorer.ui.export.figure_parts import leaves_of, parts_of
from explorer.ui.export.paper import SCREEN_WIDTH, PaperPicture, printed
from explorer.ui.views.page_view import PageView
from explorer.ui.web.block import WebBlock, draw_unseen

KINDS = {
    "pdf": "PDF",
    "svg": N_("SVG picture"),
    "png": N_("PNG picture"),
    "csv": N_("CSV table"),
    "json": N_("JSON table"),
}
"""The kinds that are files, and what a file dialog calls them."""


LeftOut = Collection[str] | None
"""Keys of parts; None where nobody chose, and a picture shows as many as a figure holds."""


def picture_of(view: PageView, choice: PictureChoice, off: LeftOut = ()) -> PaperPicture:
    """A view's answer, laid out as it was chosen.

    Args:
        view: With an answer.
        choice: The size, and what is to be seen.
        off: The parts that are left out.

    Raises:
        UserMistake: The view has no answer, or all parts are left out.
        MachineFault: A part of it can't be drawn here.
    """
    shown = view.shown(beside=True)
    if shown is None:
        raise _nothing(view)
    screen = float(view.width()) if view.isVisible() else SCREEN_WIDTH
    if choice.both and shown.twin is not None:
        screen *= 2
    page, paths = view.declared, off
    for block in page.alone(shown):
        # In the window it was drawn in the window's colours alone.
        if isinstance(block, WebBlock) and block.web.picture_in("light") is not None:
            draw_unseen(block.web, "dark" if choice.dark else "light")
    if off:
        known = leaves_of(parts_of(page, shown))
        paths = frozenset(one.path for one in known if one.key in off)
    return printed(page, shown, view.origin, view.title, choice, paths, screen)


def save_picture(view: PageView, path: Path, choice: PictureChoice, off: LeftOut = ()) -> None:
    """Save a view's answer as a picture, and in the other forms that were chosen beside it.

    Raises:
        UserMistake: As `picture_of`.
        MachineFault: A file can't be written.
    """
    made = picture_of(view, choice, off)
    write_atomically(path, made.written(choice))
    for form in choice.also:
        if form != choice.form:
            other = replace(choice, form=form)
            write_atomically(path.with_suffix(f".{form}"), made.written(other))


def image_of(view: PageView, choice: PictureChoice, off: LeftOut = ()) -> QImage:
    """A view's answer as an image, as a PNG of it is.

    Raises:
        UserMistake: As `picture_of`.
    """
    made = picture_of(view, choice, off)
    return figure_image(made.figure, choice.dpi, made.millimetres)


def copy_picture(view: PageView, choice: PictureChoice, off: LeftOut = ()) -> None:
    """Copy a view's answer as an image.

    Raises:
        UserMistake: As `picture_of`.
    """
    QGuiApplication.clipboard().setImage(image_of(view, choice, off))


def tables_of(view: PageView) -> dict[str, Table]:
    """A view's rows, by what they are called; the first are those that are shown.

    Raises:
        UserMistake: The view has no answer, or its answer has no rows.
    """
    tables = view.tables()
    if not tables:
        raise _nothing(view)
    return tables


def save_table(
    path: Path,
    table: Table,
    caption: str,
    choice: TableChoice,
    provenance: Provenance | None = None,
) -> None:
    """Write rows into a file, and what says where they come from.

    Args:
        path: The file.
        table: The rows.
        caption: How they came about, for people.
        choice: The form, and where the caption goes.
        provenance: The same for programs; None leaves it out.

    Raises:
        MachineFault: A file can't be written.
    """
    if choice.form == "csv":
        write_csv(path, table, caption, choice.caption)
    else:
        fields = None if provenance is None else provenance.as_fields()
        text = table_to_json(table, caption, fields)
        write_atomically(path, text.encode("utf-8"))


def copy_table(view: PageView) -> None:
    """Copy the view's rows for spreadsheets (CSV, tabs) and word processors (HTML).

    Raises:
        UserMistake: The view has no answer.
    """
    table = next(iter(tables_of(view).values()))
    put_on_clipboard(table, with_guard(view.caption(rows=True), (table.columns, *table.rows)))


def put_on_clipboard(table: Table, caption: str = "") -> None:
    """Copy rows for spreadsheets (CSV, tabs) and word processors (HTML).

    Args:
        table: The rows.
        caption: How they came about; "" for nothing.
    """
    data = QMimeData()
    data.setText(table_to_tabs(table))
    data.setHtml(table_to_html(table, caption))
    data.setData("text/csv", table_to_csv(table).encode("utf-8"))
    QGuiApplication.clipboard().setMimeData(data)


def table_to_tabs(table: Table) -> str:
    """Rows of cells apart by tabs; tabs and line ends in a cell become spaces."""
    text = io.StringIO()
    for row in (table.columns, *table.rows):
        text.write("\t".join(re.sub(r"[\t\r\n]+", " ", safe_cell(cell)) for cell in row))
        text.write("\n")
    return text.getvalue()


def table_to_html(table: Table, caption: str = "") -> str:
    """An HTML table, whose columns are called as on the screen."""
    head = "".join(f"<th>{html.escape(title)}</th>" for title in table.headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(safe_cell(cell))}</td>" for cell in row) + "</tr>"
        for row in table.rows
    )
    below = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{below}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def suggested_name(view: PageView, kind: str) -> str:
    """A file name for a dialog: the question, the model, the kind."""
    stamp = view.result.model if view.result is not None else None
    model = re.sub(r"[^A-Za-z0-9.-]+", "-", stamp.name).strip("-.") if stamp is not None else ""
    name = "-".join(part for part in (view.question.replace("_", "-"), model) if part)
    return f"{name[:80]}.{kind}"


def _nothing(view: PageView) -> UserMistake:
    return UserMistake(
        N_("{title} has nothing to export yet."),
        N_("Ask something first."),
        title=view.title,
    )
