"""A sheet as a file: PNG, SVG, PDF, HTML that needs nothing else, or all of them in a ZIP."""

import html
import io
import itertools
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtGui import QImage

from explorer.api.question import UserMistake
from explorer.sessions.export.tables import (
    caption_file,
    table_to_csv,
    with_guard,
    write_atomically,
)
from explorer.text import N_, _
from explorer.ui.export.devices import DPI, figure_image, figure_pdf, figure_svg, png_bytes
from explorer.ui.export.html_page import numbers, picture, whole_page
from explorer.ui.export.metadata import Metadata
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.sheet.page import COLUMN, sheet_figure
from explorer.ui.theme.schemes import Scheme, theme_of

KINDS = {
    "html": N_("Web page that needs nothing else (*.html)"),
    "png": N_("Picture (*.png)"),
    "svg": N_("Vector picture (*.svg)"),
    "pdf": N_("PDF (*.pdf)"),
    "zip": N_("All of these, and the tables as CSV (*.zip)"),
}
"""By a file's ending, what a file dialog calls it."""


def save_sheet(
    title: str, entries: Sequence[SheetEntry], path: Path, scheme: Scheme = "light"
) -> None:
    """Write a sheet; the file's ending says how.

    Raises:
        UserMistake: There is nothing on the sheet, or the ending is none of KINDS.
        MachineFault: The file can't be written.
    """
    if not entries:
        raise UserMistake(
            N_("There is nothing on the comparison sheet yet."),
            N_("Add answers, or take a template."),
        )
    kind = path.suffix.lower().removeprefix(".")
    writers: dict[str, Callable[[str, Sequence[SheetEntry], Scheme], bytes]] = {
        "html": html_bytes,
        "png": png_sheet,
        "svg": svg_sheet,
        "pdf": pdf_bytes,
        "zip": zip_bytes,
    }
    if kind not in writers:
        raise UserMistake(
            N_("A sheet can't be saved as {kind}."),
            N_("Choose a name that ends in {join}."),
            kind=kind or _("a file without an ending"),
            join=", ".join(f".{ending}" for ending in writers),
        )
    write_atomically(path, writers[kind](title, entries, scheme))


def sheet_image(
    title: str, entries: Sequence[SheetEntry], scheme: Scheme, scale: float = 2.0
) -> QImage:
    """The sheet as an image; smaller than asked for where it would be too large."""
    figure = sheet_figure(title, entries, theme_of(scheme))
    return figure_image(figure, DPI * scale)


def png_sheet(title: str, entries: Sequence[SheetEntry], scheme: Scheme) -> bytes:
    """The sheet as a PNG, two pixels for a logical one."""
    return png_bytes(sheet_image(title, entries, scheme), told_of(title, entries))


def svg_sheet(title: str, entries: Sequence[SheetEntry], scheme: Scheme) -> bytes:
    """The sheet as an SVG."""
    return figure_svg(sheet_figure(title, entries, theme_of(scheme)), told_of(title, entries))


def pdf_bytes(title: str, entries: Sequence[SheetEntry], scheme: Scheme) -> bytes:
    """The sheet as a PDF of one page, as large as the sheet."""
    return figure_pdf(sheet_figure(title, entries, theme_of(scheme)), told_of(title, entries))


def html_bytes(title: str, entries: Sequence[SheetEntry], scheme: Scheme) -> bytes:
    """A page with pictures and tables inside it: no script, and nothing from elsewhere."""
    sections = []
    for entry in entries:
        told = Metadata(entry.title, entry.caption(), entry.keywords)
        svg = figure_svg(entry.figure(COLUMN, theme_of(scheme)), told)
        sections.append(
            f"<section><h2>{html.escape(entry.title)}</h2>{picture(svg, entry.words)}"
            f"<p class='small'>{html.escape(entry.caption())}</p>{numbers(entry.table)}</section>"
        )
    return whole_page(title, sections, scheme)


def told_of(title: str, entries: Sequence[SheetEntry]) -> Metadata:
    """What the file of a sheet says of itself."""
    keywords = dict.fromkeys(itertools.chain.from_iterable(one.keywords for one in entries))
    words = " ".join([f"{title}.", *(f"{one.title}. {one.words}" for one in entries)])
    return Metadata(title, captions(entries), tuple(keywords), (words,))


def captions(entries: Sequence[SheetEntry]) -> str:
    """How every answer on a sheet came about, a line each."""
    return "\n".join(f"{entry.title}: {entry.caption()}" for entry in entries)


def zip_bytes(title: str, entries: Sequence[SheetEntry], scheme: Scheme) -> bytes:
    """The sheet in every form, and each entry's table as CSV with its caption beside it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sheet.png", png_sheet(title, entries, scheme))
        archive.writestr("sheet.svg", svg_sheet(title, entries, scheme))
        archive.writestr("sheet.pdf", pdf_bytes(title, entries, scheme))
        archive.writestr("sheet.html", html_bytes(title, entries, scheme))
        for number, entry in enumerate(entries, 1):
            table = entry.table
            if table is not None:
                name = re.sub(r"[^A-Za-z0-9.-]+", "-", entry.title).strip("-.").lower()
                place = Path("tables", f"{number:02d}-{name[:60]}.csv")
                archive.writestr(place.as_posix(), table_to_csv(table))
                caption = entry.caption(rows=True, in_file=True)
                caption = with_guard(caption, (table.columns, *table.rows))
                archive.writestr(caption_file(place).as_posix(), f"{caption}\n")
    return stream.getvalue()
