"""A view's answer as a picture or a table: into a file, or onto the clipboard.

PNG, SVG and PDF come from one painting, on a page of its own: it does not depend on the window's
size, nothing is clipped, and the caption that says how the answer came about stands below.
"""

import html
import io
import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QMimeData, QRectF, QSize, QSizeF
from PySide6.QtGui import QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from explorer.api import Table, UserMistake
from explorer.sessions.export.tables import (
    CaptionPlace,
    safe_cell,
    table_to_csv,
    table_to_json,
    write_atomically,
    write_csv,
)
from explorer.text import N_
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.wrapped_text import paint_block, wrapped
from explorer.ui.sentence.token_layout import text_height
from explorer.ui.theme.schemes import Scheme, Theme, theme_of
from explorer.ui.theme.shapes import moved
from explorer.ui.views.page_view import PageView

WIDTH = 960.0
"""Of a picture, margins included, in logical pixels."""
MARGIN = 24.0
CAPTION_GAP = 16.0
DOTS_PER_INCH = 96
"""Of a logical pixel, as in CSS: sizes stay as they were laid out."""
LARGEST = 32_000
"""Pixels a side of a PNG; a larger one is scaled down to fit."""

KINDS = {
    "png": N_("PNG picture"),
    "svg": N_("SVG picture"),
    "pdf": "PDF",
    "csv": N_("CSV table"),
    "json": N_("JSON table"),
}
"""The kinds that are files, and what a file dialog calls them."""


def page(view: PageView, theme: Theme, width: float = WIDTH) -> Figure:
    """A view's figure with its title above and its caption below, on the theme's ground.

    Raises:
        UserMistake: The view has no answer.
    """
    inner = width - 2 * MARGIN
    figure = view.figure(inner, theme)
    if figure is None:
        raise _nothing(view)
    title_height = text_height("heading") + 10
    caption = wrapped("small", view.caption(), inner)
    caption_top = MARGIN + title_height + figure.height + CAPTION_GAP
    height = caption_top + len(caption) * text_height("small") + MARGIN

    def paint(painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, width, height), theme.surface)
        title = QRectF(MARGIN, MARGIN - 4, inner, text_height("heading"))
        paint_block(painter, title, [view.title], "heading", theme.text)
        with moved(painter, MARGIN, MARGIN + title_height):
            figure.paint(painter)
        below = QRectF(MARGIN, caption_top, inner, height - caption_top)
        paint_block(painter, below, caption, "small", theme.muted)

    return Figure(width, height, paint)


def picture(view: PageView, scale: float = 2.0, scheme: Scheme = "light") -> QImage:
    """The view's page as an image.

    Args:
        view: With an answer.
        scale: Pixels for a logical pixel; less where the picture would be too large.
        scheme: Colours.

    Raises:
        UserMistake: The view has no answer.
    """
    whole = page(view, theme_of(scheme))
    scale = min(scale, LARGEST / max(whole.width, whole.height))
    size = QSizeF(whole.width * scale, whole.height * scale).toSize()
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(theme_of(scheme).surface)
    image.setDotsPerMeterX(round(96 * scale / 0.0254))
    image.setDotsPerMeterY(round(96 * scale / 0.0254))
    painter = QPainter(image)
    painter.scale(scale, scale)
    whole.paint(painter)
    painter.end()
    return image


def picture_png(view: PageView, path: Path, scale: float = 2.0, scheme: Scheme = "light") -> None:
    """Save the view's page as a PNG.

    Raises:
        UserMistake: The view has no answer.
        MachineFault: The file can't be written.
    """
    write_atomically(path, png_bytes(picture(view, scale, scheme)))


def png_bytes(image: QImage) -> bytes:
    """An image as the bytes of a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def svg_bytes(view: PageView, scheme: Scheme = "light") -> bytes:
    """The view's page as the bytes of an SVG file.

    Raises:
        UserMistake: The view has no answer.
    """
    return figure_svg(page(view, theme_of(scheme)), view.title, view.caption())


def pdf_bytes(view: PageView, scheme: Scheme = "light") -> bytes:
    """The view's page as the bytes of a PDF of one page.

    Raises:
        UserMistake: The view has no answer.
    """
    return figure_pdf(page(view, theme_of(scheme)), view.title)


def figure_svg(figure: Figure, title: str, description: str = "") -> bytes:
    """A picture as the bytes of an SVG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setTitle(title)
    generator.setDescription(description)
    generator.setResolution(DOTS_PER_INCH)
    generator.setSize(QSize(round(figure.width), round(figure.height + 0.5)))
    generator.setViewBox(QRectF(0, 0, figure.width, figure.height))
    painter = QPainter(generator)
    figure.paint(painter)
    painter.end()
    return bytes(buffer.data().data())


def figure_pdf(figure: Figure, title: str) -> bytes:
    """A picture as the bytes of a PDF of one page, as large as the picture."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setResolution(DOTS_PER_INCH)
    inches = QSizeF(figure.width / DOTS_PER_INCH, figure.height / DOTS_PER_INCH)
    writer.setPageSize(QPageSize(inches, QPageSize.Unit.Inch, title))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    figure.paint(painter)
    painter.end()
    return bytes(buffer.data().data())


def picture_svg(view: PageView, path: Path, scheme: Scheme = "light") -> None:
    """Save the view's page as an SVG.

    Raises:
        UserMistake: The view has no answer.
        MachineFault: The file can't be written.
    """
    write_atomically(path, svg_bytes(view, scheme))


def picture_pdf(view: PageView, path: Path, scheme: Scheme = "light") -> None:
    """Save the view's page as a PDF.

    Raises:
        UserMistake: The view has no answer.
        MachineFault: The file can't be written.
    """
    write_atomically(path, pdf_bytes(view, scheme))


def table_csv(view: PageView, path: Path, place: CaptionPlace = "file") -> None:
    """Save the view's rows as CSV, with the caption where it is wanted.

    Raises:
        UserMistake: The view has no answer.
        MachineFault: The file can't be written.
    """
    write_csv(path, _table(view), view.caption(), place)


def table_json(view: PageView, path: Path) -> None:
    """Save the view's rows as JSON, with the caption.

    Raises:
        UserMistake: The view has no answer.
        MachineFault: The file can't be written.
    """
    write_atomically(path, table_to_json(_table(view), view.caption()).encode("utf-8"))


def copy_picture(view: PageView, scale: float = 2.0, scheme: Scheme = "light") -> None:
    """Copy the view's page as an image.

    Raises:
        UserMistake: The view has no answer.
    """
    QGuiApplication.clipboard().setImage(picture(view, scale, scheme))


def copy_table(view: PageView) -> None:
    """Copy the view's rows for spreadsheets (CSV, tabs) and word processors (HTML).

    Raises:
        UserMistake: The view has no answer.
    """
    table = _table(view)
    data = QMimeData()
    data.setText(table_to_tabs(table))
    data.setHtml(table_to_html(table, view.caption()))
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
    """An HTML table."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in table.columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(safe_cell(cell))}</td>" for cell in row) + "</tr>"
        for row in table.rows
    )
    below = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{below}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def export(view: PageView, kind: str, path: Path | None = None) -> None:
    """Do what a frame's export menu asked for.

    Args:
        view: With an answer.
        kind: One of ViewFrame's EXPORTS.
        path: Where to; None for the clipboard.

    Raises:
        UserMistake: The view has no answer.
        MachineFault: The file can't be written.
        ValueError: There is no such kind, or a file was asked for without a path.
    """
    saves: dict[str, Callable[[PageView, Path], None]] = {
        "png": picture_png,
        "svg": picture_svg,
        "pdf": picture_pdf,
        "csv": table_csv,
        "json": table_json,
    }
    if kind == "copy_picture":
        copy_picture(view)
    elif kind == "copy_table":
        copy_table(view)
    elif kind in saves and path is not None:
        saves[kind](view, path)
    else:
        raise ValueError(f"cannot export {kind!r} to {path}")


def suggested_name(view: PageView, kind: str) -> str:
    """A file name for a dialog: the operation, the model, the kind."""
    stamp = view.result.model if view.result is not None else None
    model = re.sub(r"[^A-Za-z0-9.-]+", "-", stamp.id).strip("-.") if stamp is not None else ""
    name = "-".join(part for part in (view.operation.replace("_", "-"), model) if part)
    return f"{name[:80]}.{kind}"


def _table(view: PageView) -> Table:
    table = view.table()
    if table is None:
        raise _nothing(view)
    return table


def _nothing(view: PageView) -> UserMistake:
    return UserMistake(
        N_("{title} has nothing to export yet."), N_("Ask something first."), title=view.title
    )
