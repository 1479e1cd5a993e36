"""The system's file dialogs, opened without stopping anything else in the window."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from explorer.text import _, said
from explorer.text.lists import all_of

Chosen = Callable[[Path], None]
_ENDING = re.compile(r"\*(\.\w+)")


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

    def save(
        self, title: str, name: str, kind: str, then: Chosen, also: Sequence[str] = ()
    ) -> None:
        """Ask where to save.

        The file ends as one of the kinds does: an ending that is typed says which; another one is
        part of the name, and that of the chosen kind is put behind it.

        Args:
            title: Of the dialog.
            name: What is suggested.
            kind: As in "CSV table (*.csv)"; several apart by ";;".
            then: Called with where.
            also: Endings of files beside it, without their dots.
        """
        dialog = self._dialog(title, lambda path: self._with_ending(path, dialog, then, also))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setDefaultSuffix(Path(name).suffix)
        dialog.setNameFilter(kind)
        dialog.filterSelected.connect(lambda one: dialog.setDefaultSuffix(_endings(one)[0]))
        dialog.selectFile(name)
        dialog.open()

    def _with_ending(
        self, path: Path, dialog: QFileDialog, then: Chosen, also: Sequence[str]
    ) -> None:
        endings = [one for kind in dialog.nameFilters() for one in _endings(kind)]
        whole = path
        if path.suffix.lower() not in endings:
            whole = path.with_name(f"{path.name}.{dialog.defaultSuffix()}")
        files = dict.fromkeys((whole, *(whole.with_suffix(f".{one}") for one in also)))
        # The dialog has asked about the name as it was typed.
        there = [one.name for one in files if one != path and one.exists()]
        if not there:
            then(whole)
            return
        box = QMessageBox(self._parent)
        box.setObjectName("replace_file")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(dialog.windowTitle())
        box.setTextFormat(Qt.TextFormat.PlainText)
        if len(there) == 1:
            box.setText(_("{name} exists already. Replace it?", name=there[0]))
        else:
            box.setText(_("{names} exist already. Replace them?", names=said(all_of(there))))
        yes = box.addButton(_("Replace"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.buttonClicked.connect(lambda clicked: then(whole) if clicked is yes else None)
        box.finished.connect(box.deleteLater)
        box.open()

    def _dialog(self, title: str, then: Chosen) -> QFileDialog:
        dialog = QFileDialog(self._parent, title, self.folder_of_last or _first_folder())
        dialog.setObjectName("file_dialog")

        def selected(path: str) -> None:
            FileDialogs.folder_of_last = str(Path(path).parent)
            then(Path(path))

        dialog.fileSelected.connect(selected)
        dialog.finished.connect(dialog.deleteLater)
        return dialog


def _endings(kind: str) -> list[str]:
    """The endings of a kind: [".csv"] of "CSV table (*.csv)"."""
    return _ENDING.findall(kind)


def _first_folder() -> str:
    """The user's documents: Qt would take the folder that the program was started in."""
    found = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return found if Path(found).is_dir() else str(Path.home())
