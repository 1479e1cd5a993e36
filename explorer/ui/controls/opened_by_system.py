"""Files and folders that the system opens in a program of its own."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def open_in_system(path: str | Path) -> None:
    """Open a file with whatever opens its kind, or a folder in the file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
