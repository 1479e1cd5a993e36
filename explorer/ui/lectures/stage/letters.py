"""Letters of the stage: as large as the window is high, whatever the page has room for."""

from PySide6.QtWidgets import QWidget


def write_in(widget: QWidget, pixels: int) -> None:
    """Write a widget's text in letters of so many pixels."""
    font = widget.font()
    if font.pixelSize() != pixels:
        font.setPixelSize(pixels)
        widget.setFont(font)
