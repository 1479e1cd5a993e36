"""Pictures of the window, of dialogs and of single views, in dark and in light."""

from pathlib import Path
from typing import cast

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication, QWidget

from explorer.sessions.export.tables import write_atomically
from explorer.ui.export import files as export
from explorer.ui.sheet.dialog import SheetDialog
from explorer.ui.sheet.files import KINDS, save_sheet
from explorer.ui.theme.schemes import Scheme, apply_theme
from explorer.ui.views import View

SCHEMES: tuple[Scheme, ...] = ("dark", "light")


class Camera:
    """Numbers the pictures in the order they are taken.

    Attributes:
        taken: Every file written, in order.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._number = 0
        self.taken: list[Path] = []

    def picture(self, widget: QWidget, name: str) -> None:
        """Save a widget as it looks, in each scheme."""
        self._number += 1
        app = cast("QApplication", QApplication.instance())
        for scheme in SCHEMES:
            apply_theme(app, scheme)
            # Twice: style sheets change sizes, and sizes ask for another layout.
            for _ in range(2):
                app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
            path = self._out / f"{self._number:02d}-{name}-{scheme}.png"
            write_atomically(path, export.png_bytes(widget.grab().toImage()))
            self.taken.append(path)

    def exports(self, view: View) -> None:
        """Save all that a view's export button gives."""
        for kind in export.KINDS:
            path = self._out / export.suggested_name(view, kind)
            export.export(view, kind, path)
            self.taken.append(path)

    def sheet(self, dialog: SheetDialog) -> None:
        """Save the comparison sheet in every form."""
        for ending in KINDS:
            path = self._out / f"comparison-sheet.{ending}"
            save_sheet(dialog.title.text(), dialog.entries, path)
            self.taken.append(path)
