"""Icons from QtAwesome's Material Design font, without importing QtAwesome.

Importing it and opening all of its thirteen fonts takes a third of a second of the window's
start; the one font the program draws from takes a few milliseconds.
"""

import importlib.util
import json
from functools import cache
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap, QPixmapCache

from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import current_theme


@cache
def _folder() -> Path:
    found = importlib.util.find_spec("qtawesome")
    if found is None or found.origin is None:
        raise FileNotFoundError("QtAwesome is not installed, so there are no icons.")
    return Path(found.origin).parent / "fonts"


@cache
def _family() -> str:
    font = next(iter(sorted(_folder().glob("materialdesignicons6-webfont-*.ttf"))))
    return QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(font)))[0]


@cache
def _glyphs() -> dict[str, str]:
    charmap = next(iter(sorted(_folder().glob("materialdesignicons6-*charmap-*.json"))))
    codes = json.loads(charmap.read_text(encoding="utf-8"))
    return {name: chr(int(code, 16)) for name, code in codes.items()}


@guarded
class GlyphEngine(QIconEngine):
    """Draws one glyph in a colour of the theme that is in force when it is painted."""

    def __init__(self, glyph: str, colour: str) -> None:
        super().__init__()
        self.glyph = glyph
        self.of_colour = colour

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        """Paint the glyph as large as the rectangle."""
        font = QFont(_family())
        font.setPixelSize(max(1, min(rect.width(), rect.height())))
        colour = current_theme().colour(self.of_colour)
        if mode == QIcon.Mode.Disabled:
            colour.setAlpha(110)
        painter.save()
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.glyph)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """A pixmap with the glyph on nothing, drawn once for all buttons that show it so."""
        colour = current_theme().colour(self.of_colour).name()
        key = f"glyph {self.glyph} {colour} {mode.name} {size.width()} {size.height()}"
        pixmap = QPixmap()
        if QPixmapCache.find(key, pixmap):
            return pixmap
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        QPixmapCache.insert(key, pixmap)
        return pixmap

    def clone(self) -> QIconEngine:
        """Another one that draws the same."""
        return GlyphEngine(self.glyph, self.of_colour)


def icon(name: str, colour: str = "muted") -> QIcon:
    """An icon of the Material Design set, as "export-variant".

    Args:
        name: The glyph's name; also with QtAwesome's prefix, "mdi6.export-variant".
        colour: A name of explorer.ui.theme.schemes.NAMES; looked up again at every painting.

    Raises:
        KeyError: There is no such glyph.
    """
    return QIcon(GlyphEngine(_glyphs()[name.removeprefix("mdi6.")], colour))
