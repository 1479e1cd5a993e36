"""How the main window itself is dressed: its tool bars, and the size of all texts."""

from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QToolBar

from explorer.ui.theme.schemes import current_theme, theme_signals
from explorer.ui.theme.style_sheet import dress


@cache
def _system_font(_app_id: int) -> str:
    """The application's font before anything changed its size."""
    return QApplication.font().toString()


@cache
def _usual_size(app_id: int) -> tuple[float, int]:
    """Points and pixels of that font; the one it has no size in is -1."""
    usual = QFont()
    usual.fromString(_system_font(app_id))
    return usual.pointSizeF(), usual.pixelSize()


def stays_put(bar: QToolBar) -> None:
    """Let a tool bar stay where it is, with the style sheet's margins, none, from the beginning.

    Qt would ask for them only when the style changes, and until then take those of the platform:
    all below would jump at the first zoom.
    """
    bar.setMovable(False)
    bar.setFloatable(False)
    bar.toggleViewAction().setVisible(False)
    bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
    layout = bar.layout()
    if layout is not None:
        layout.setContentsMargins(0, 0, 0, 0)


def zoomed(pixels: int) -> int:
    """A size that grows with the texts: of what stands beside them, or holds them."""
    usual, font = _usual_size(id(QApplication.instance())), QApplication.font()
    points, now = usual[0], font.pointSizeF()
    if points <= 0 or now <= 0:
        points, now = usual[1], font.pixelSize()
    return round(pixels * now / points)


def now_to_usual() -> float:
    """How large texts are, as a part of the desktop's size."""
    return zoomed(1000) / 1000


def scale_font(app: QApplication, scale: float) -> None:
    """Make every text larger or smaller than the desktop has it."""
    font = QFont()
    font.fromString(_system_font(id(app)))
    if font.pointSizeF() > 0:
        font.setPointSizeF(max(6.0, font.pointSizeF() * scale))
    else:
        font.setPixelSize(max(8, round(font.pixelSize() * scale)))
    if font != app.font():
        app.setFont(font)
        dress(app)
        # What is painted by hand measures its texts anew when the theme speaks.
        theme_signals().changed.emit(current_theme())
