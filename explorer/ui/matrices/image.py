"""A matrix as pixels: where cells are smaller than a pixel, the strongest of them is drawn."""

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QImage

from explorer.ui.matrices.scale import Scale
from explorer.ui.theme.schemes import Theme

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]


def pooled(values: "Values", rows: int, columns: int, *, diverging: bool = False) -> "Values":
    """At most so many rows and columns, each cell the strongest of those it stands for.

    Args:
        values: … x rows x columns; the last two are made smaller.
        rows: At most so many; no more than there are.
        columns: The same.
        diverging: The strongest is the one furthest from zero; else the largest.
    """
    import numpy as np

    many, wide = values.shape[-2:]
    rows, columns = max(1, min(rows, many)), max(1, min(columns, wide))
    for axis, count, size in ((-2, rows, many), (-1, columns, wide)):
        if count == size:
            continue
        starts = np.arange(count) * size // count
        high = np.maximum.reduceat(values, starts, axis=axis)
        if diverging:
            low = np.minimum.reduceat(values, starts, axis=axis)
            high = np.where(-low > high, low, high)
        values = high
    return values


def image_of(values: "Values", scale: Scale, theme: Theme) -> QImage:
    """One pixel a cell."""
    return image_from(scale.colours(values, theme))


def image_from(colours: "npt.NDArray[np.uint8]") -> QImage:
    """An image of RGBA values (rows x columns x 4) that owns its pixels."""
    import numpy as np

    owned = np.ascontiguousarray(colours)
    high, wide = owned.shape[:2]
    kind = QImage.Format.Format_RGBA8888
    # The copy is needed: the image would go on reading numpy's memory.
    return QImage(owned.data, wide, high, wide * 4, kind).copy()
