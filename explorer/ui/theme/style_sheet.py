"""The small style sheet over Fusion, with the theme's colours filled in.

It is the application's, and no widget has one of its own: Qt would look after each of the widgets
inside that once more, when they are made, when the theme is another and when texts are zoomed.
"""

import string
from collections.abc import Mapping
from functools import cache

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from explorer.paths import Paths

SHEETS = "controls.qss", "window.qss"
"""Where two rules are equally exact, the later one holds."""


@cache
def _template() -> string.Template:
    styles = Paths.standard().resources / "styles"
    texts = [(styles / name).read_text(encoding="utf-8") for name in SHEETS]
    return string.Template("\n".join(texts))


def style_sheet(colours: Mapping[str, str], scheme: str) -> str:
    """The style sheet with $names replaced.

    Args:
        colours: The theme's, by name.
        scheme: "dark" or "light": which of the small pictures beside the style sheet it shows.

    Raises:
        KeyError: It names a colour the theme lacks.
    """
    styles = (Paths.standard().resources / "styles").as_posix()
    return _template().substitute(colours, styles=styles, scheme=scheme)


def put_on(app: QApplication, sheet: str) -> None:
    """Give the application a style sheet, and every widget what it says, once.

    Qt itself goes through all widgets, and from each of them through all that is inside: a button
    that is inside of six others would be dressed seven times.
    """
    if app.styleSheet():
        # It goes through those whose rules it knows, and is to find out all of them anew.
        app.style().unpolish(app)
    app.setStyleSheet(sheet)
    dress(app)


def dress(app: QApplication) -> None:
    """Let every widget follow the style sheet anew: it has another one, or another font.

    Qt lets no widget that has rules follow the application's font by itself.
    """
    for widget in app.allWidgets():
        widget.style().polish(widget)
        QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
