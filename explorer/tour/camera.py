"""Pictures of the window, of dialogs and of single views, in dark and in light."""

from pathlib import Path
from typing import cast

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication, QWidget

from explorer.export_choices import PictureChoice, TableChoice
from explorer.sessions.export.tables import write_atomically
from explorer.tour.hands import wait_until
from explorer.ui.export import files as export
from explorer.ui.export.devices import png_bytes
from explorer.ui.overview.miniature import Miniatures
from explorer.ui.sheet.dialog import SheetDialog
from explorer.ui.sheet.files import KINDS, save_sheet
from explorer.ui.theme.schemes import Scheme, apply_theme
from explorer.ui.views import PageView

SCHEMES: tuple[Scheme, ...] = ("dark", "light")
SIZES = ((1600, 1000), (1024, 700))
"""Of the window, in pixels: a usual screen, and the smallest that the program is made for."""


LAYOUTS = 5
"""Rounds of events after which nothing moves any more."""


class Camera:
    """Numbers the pictures in the order they are taken.

    Attributes:
        taken: Every file written, in order.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._number = 0
        self.taken: list[Path] = []

    def window(self, window: QWidget, name: str) -> None:
        """Save the window as it looks at each size, in each scheme; it ends at the first size."""
        self._number += 1
        # Another scheme takes longer than another size: there in the one, and back in the other.
        for scheme, sizes in zip(SCHEMES, (SIZES, SIZES[::-1]), strict=True):
            for width, height in sizes:
                window.resize(width, height)
                self._take(window, f"{name}-{width}x{height}", scheme)

    def dialog(self, widget: QWidget, name: str) -> None:
        """Save a widget as it looks at the size it has, in each scheme."""
        self._number += 1
        for scheme in SCHEMES:
            self._take(widget, name, scheme)

    def _take(self, widget: QWidget, name: str, scheme: Scheme) -> None:
        apply_theme(cast("QApplication", QApplication.instance()), scheme)
        self._draw()
        # What draws itself, as a browser does, takes its time in other colours, too.
        wait_until(lambda: _is_drawn(widget), "a view to be drawn")
        path = self._out / f"{self._number:02d}-{name}-{scheme}.png"
        write_atomically(path, png_bytes(widget.grab().toImage()))
        self.taken.append(path)

    @staticmethod
    def _draw() -> None:
        # Style sheets change sizes, sizes ask for another layout, and what wraps for another size.
        for _ in range(LAYOUTS):
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)

    def exports(self, view: PageView) -> None:
        """Save all that a view's export button gives."""
        for form in ("pdf", "svg", "png"):
            path = self._out / export.suggested_name(view, form)
            export.save_picture(view, path, PictureChoice(form))
            self.taken.append(path)
        table = next(iter(export.tables_of(view).values()))
        for kind in ("csv", "json"):
            path = self._out / export.suggested_name(view, kind)
            export.save_table(
                path, table, view.caption(rows=True, in_file=True), TableChoice(kind, "none")
            )
            self.taken.append(path)

    def sheet(self, dialog: SheetDialog) -> None:
        """Save the comparison sheet in every form."""
        for ending in KINDS:
            path = self._out / f"comparison-sheet.{ending}"
            save_sheet(dialog.title.text(), dialog.entries, path)
            self.taken.append(path)


def _is_drawn(widget: QWidget) -> bool:
    """Whether all views that can be seen in a widget are, and the overview's small pictures."""
    views = all(view.is_drawn for view in widget.findChildren(PageView) if view.isVisible())
    return views and all(one.is_idle for one in widget.findChildren(Miniatures))
