"""What a drop on the window means: a model to load, or a text to open."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData

from explorer.ui.document.text_files import is_text


@dataclass(frozen=True)
class Dropped:
    """One file or folder.

    Attributes:
        path: Where it is.
        is_text: Its text is wanted, not a model.
    """

    path: Path
    is_text: bool


def read(data: QMimeData) -> Dropped | None:
    """The first local file or folder, or None where there is none."""
    for url in data.urls():
        if url.isLocalFile():
            path = Path(url.toLocalFile())
            return Dropped(path, is_text(path))
    return None


def accepts(data: QMimeData) -> bool:
    """Whether a drag is of a file or a folder."""
    return any(url.isLocalFile() for url in data.urls())
