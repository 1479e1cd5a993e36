"""A lecture on paper or as a web page: pictures, tables and texts of every step."""

from collections.abc import Callable, Sequence
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.text import N_, _
from explorer.ui.export.handout.content import PlayedLecture, Section
from explorer.ui.export.handout.paper import pdf_handout
from explorer.ui.export.handout.web import html_handout

__all__ = ["PlayedLecture", "Section", "html_handout", "pdf_handout", "writer_of"]

Writer = Callable[[str, Sequence[Section], str], bytes]
"""Makes a file of a title, the scenes, and what is said at their end."""
WRITERS: dict[str, Writer] = {
    ".html": html_handout,
    ".pdf": pdf_handout,
}


def writer_of(path: Path) -> Writer:
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
