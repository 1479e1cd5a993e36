"""The system's file dialogs, opened without stopping anything else in the window."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from explorer.text import _

Chosen = Callable[[Path], None]


class FileDialogs:
    """Asks for a folder, a file to open, or a file to save; calls back when one was chosen.

    Attributes:
        folder_of_last: Where the last file was, whoever asked for it; "" before the first.
    """

    folder_of_last: ClassVar[str] = ""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def folder(self, title: str, then: Chosen) -> None:
        """Ask for an existing folder."""
        dialog = self._dialog(title, then)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, on=True)
        dialog.open()

    def file(self, title: str, kinds: str, then: Chosen) -> None:
        """Ask for an existing file; kinds as in "Text (*.txt *.md)"."""
        dialog = self._dialog(title, then)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([kinds, _("All files (*)")])
        dialog.open()

    def save(self, title: str, name: str, kind: str, then: Chosen) -> None:
        """Ask where to save; kind as in "CSV table (*.csv)"."""
        dialog = self._dialog(title, then)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setDefaultSuffix(Path(name).suffix)
        dialog.setNameFilter(kind)
        dialog.selectFile(name)
        dialog.open()

    def _dialog(self, title: str, then: Chosen) -> QFileDialog:
        dialog = QFileDialog(self._parent, title, self.folder_of_last or _first_folder())
        dialog.setObjectName("file_dialog")

        def selected(path: str) -> None:
            FileDialogs.folder_of_last = str(Path(path).parent)
            then(Path(path))

        dialog.fileSelected.connect(selected)
        dialog.finished.connect(dialog.deleteLater)
        return dialog


def _first_folder() -> str:
    """The user's documents: Qt would take the folder that the program was started in."""
    found = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return found if Path(found).is_dir() else str(Path.home())
