"""A lecture on paper or as a web page: pictures, tables and texts of every step."""

from collections.abc import Callable, Sequence
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.text import N_, _
from explorer.ui.export.handout.content import Section, sections
from explorer.ui.export.handout.paper import pdf_handout
from explorer.ui.export.handout.web import html_handout

__all__ = ["Section", "html_handout", "pdf_handout", "sections", "writer_of"]

WRITERS: dict[str, Callable[[str, Sequence[Section]], bytes]] = {
    ".html": html_handout,
    ".pdf": pdf_handout,
}


def writer_of(path: Path) -> Callable[[str, Sequence[Section]], bytes]:
    """What writes a file of this ending.

    Raises:
        UserMistake: Nothing does.
    """
    ending = path.suffix.lower()
    if ending not in WRITERS:
        raise UserMistake(
            N_("A lecture can't be written as {form}."),
            N_("Choose a name that ends in .html or .pdf."),
            form=ending.removeprefix(".") or _("a file without an ending"),
        )
    return WRITERS[ending]
