"""Texts that are larger, smaller or bolder than the rest, and stay so when all texts are zoomed."""

from typing import Final, Literal

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from explorer.ui.guarded import guarded
from explorer.ui.theme.schemes import FontRole, Theme, theme_signals

TextRole = Literal["body", "muted", "small", "strong", "title", "heading", "mono", "notice_sign"]
"""What a text is to its reader; the style sheet knows some of them by their colours."""

_FONTS: Final[dict[TextRole, FontRole]] = {
    "small": "small",
    "strong": "strong",
    "title": "title",
    "heading": "heading",
    "mono": "mono",
}


def in_role(widget: QWidget, role: TextRole) -> None:
    """Give a text its role: its font, now and after every zoom, and its colour by style sheet."""
    widget.setProperty("role", role)
    if role in _FONTS:
        _Fonts(widget, _FONTS[role])


@guarded
class _Fonts(QObject):
    """Sets the font anew when the application's changed, as long as the widget lives."""

    def __init__(self, widget: QWidget, role: FontRole) -> None:
        super().__init__(widget)
        self._widget = widget
        self._role = role
        theme_signals().changed.connect(self._fit)
        self._fit()

    def _fit(self, _theme: object = None) -> None:
        font = Theme.font(self._role)
        if font != self._widget.font():
            self._widget.setFont(font)
