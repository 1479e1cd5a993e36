"""Icons that are as large beside their words after every zoom as before."""

from PySide6.QtCore import QObject, QSize
from PySide6.QtWidgets import QAbstractButton

from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.schemes import theme_signals

USUAL = 16
"""Pixels of an icon on a button, before any zoom."""


def icon_in_size(button: QAbstractButton, pixels: int = USUAL) -> None:
    """Give a button's icon a size that grows with all texts."""
    _Sizes(button, pixels)


@guarded
class _Sizes(QObject):
    """Sets the size anew when the texts are zoomed, as long as the button lives."""

    def __init__(self, button: QAbstractButton, pixels: int) -> None:
        super().__init__(button)
        self._button = button
        self._pixels = pixels
        theme_signals().changed.connect(self._fit)
        self._fit()

    def _fit(self, _theme: object = None) -> None:
        size = zoomed(self._pixels)
        self._button.setIconSize(QSize(size, size))
