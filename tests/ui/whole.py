"""Whether a picture is whole: nothing is painted outside it, and it reaches to its end."""

import numpy as np
from PySide6.QtGui import QImage, QPainter

from explorer.ui.theme.schemes import theme_of


def inked(paint, width, height, pad=30):
    """First and last column and row that are not empty, from the picture's corner."""
    theme = theme_of("light")
    image = QImage(int(width) + 2 * pad, int(height) + 2 * pad, QImage.Format.Format_RGB32)
    image.fill(theme.surface)
    painter = QPainter(image)
    painter.translate(pad, pad)
    paint(painter)
    painter.end()
    raw = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    different = raw != raw[0, 0]
    across, down = np.flatnonzero(different.any(0)), np.flatnonzero(different.any(1))
    return across[0] - pad, across[-1] - pad, down[0] - pad, down[-1] - pad


def is_whole(figure):
    left, right, top, bottom = inked(figure.paint, figure.width, figure.height)
    assert left >= -2
    assert top >= -2
    assert right <= figure.width + 2
    assert figure.height - 40 <= bottom <= figure.height + 2
