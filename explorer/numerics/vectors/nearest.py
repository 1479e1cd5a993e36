"""How near vectors are to one of them: cosines and products, of a table that is read in parts."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def to_all(
    vector: NDArray[np.floating], rows: Iterable[NDArray[np.floating]]
) -> tuple[Floats, Floats]:
    """Cosine of a vector to every row, and their product; cosines with a row that is 0 are 0.

    Args:
        vector: Shape [width].
        rows: The table in parts, each of shape [some, width].

    Returns:
        Cosines and products, as many as there are rows.
    """
    own = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(own))
    cosines, products = [], []
    for part in rows:
        wide = np.asarray(part, dtype=np.float64)
        product = wide @ own
        lengths = np.linalg.norm(wide, axis=1) * length
        products.append(product)
        cosines.append(np.divide(product, lengths, out=np.zeros_like(product), where=lengths > 0))
    if not products:
        return np.zeros(0), np.zeros(0)
    return np.concatenate(cosines), np.concatenate(products)


def highest(values: Floats, count: int) -> list[int]:
    """Places of the greatest numbers, the greatest first; of equal ones, the first place first.

    Args:
        values: The numbers; NaN is no number and comes last.
        count: How many places at most.
    """
    order = np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")
    return [int(place) for place in order[:count]]
