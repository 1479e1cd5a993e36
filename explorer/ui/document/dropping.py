"""What a drop on the window means: a model to load, or a text to open."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QMimeData

from explorer.ui.document.text_files import is_text


@dataclass(frozen=True)
class Dropped:
    """A file or a folder, or several of them.

    Attributes:
        path: Where the first one is.
        is_text: Its text is wanted, not a model.
        paths: Where all of them are.
    """

    path: Path
    is_text: bool
    paths: tuple[Path, ...] = ()


def read(data: QMimeData) -> Dropped | None:
    """The local files and folders, or None where there is none."""
    paths = tuple(Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile())
    return Dropped(paths[0], is_text(paths[0]), paths) if paths else None


def accepts(data: QMimeData) -> bool:
    """Whether a drag is of a file or a folder."""
    return any(url.isLocalFile() for url in data.urls())
