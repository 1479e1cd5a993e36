"""Many dimensions seen in two: principal components, and how far to trust the picture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.numerics.distributions.temperature import Floats, Logits


def principal_components(points: Logits, count: int = 2) -> tuple[Floats, Floats]:
    """Where points stand on the axes along which they differ most (PCA).

    Axes come from the singular value decomposition of the centred points. An axis may be turned
    round without a change of meaning, so each is turned such that the dimension that counts most
    in it counts positively: the same points give the same picture.

    Args:
        points: Shape [points, dimensions].
        count: How many axes; those that the points do not have are zeros.

    Returns:
        Coordinates, shape [points, count], and the share of the variance on each axis.
    """
    centred = np.asarray(points, dtype=np.float64)
    centred = centred - centred.mean(axis=0, keepdims=True)
    left, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    there = min(count, len(sizes))
    strongest = np.abs(axes[:there]).argmax(axis=1)
    signs = np.where(axes[np.arange(there), strongest] < 0, -1.0, 1.0)
    coordinates = np.zeros((len(centred), count))
    coordinates[:, :there] = left[:, :there] * sizes[:there] * signs
    shares = np.zeros(count)
    whole = float((sizes**2).sum())
    if whole > 0:
        shares[:there] = sizes[:there] ** 2 / whole
    return coordinates, shares


def trustworthiness(points: Logits, picture: Logits, neighbours: int = 5) -> float:
    """How far neighbours in a picture are neighbours in truth: 1 where all of them are.

    ``1 - 2 / (n k (2n - 3k - 1)) sum_i sum_j (r(i, j) - k)`` over the k nearest j of each i in the
    picture that are not among its k nearest in truth; r is j's rank there, 1 for the nearest
    (Venna and Kaski 2001; Euclidean distances). Points at the same distance stand in their order.

    Args:
        points: Shape [points, dimensions].
        picture: Shape [points, fewer dimensions].
        neighbours: k, less than half of the points.

    Raises:
        ValueError: There are too few points for so many neighbours.
    """
    n, k = len(points), neighbours
    if not 0 < k < n / 2:
        raise ValueError(f"{k} neighbours of {n} points")
    ranks = np.empty((n, n), dtype=np.int64)
    nearest = _by_distance(points)
    np.put_along_axis(ranks, nearest, np.arange(1, n + 1)[None, :], axis=1)
    shown = np.take_along_axis(ranks, _by_distance(picture)[:, :k], axis=1)
    return float(1.0 - 2.0 / (n * k * (2 * n - 3 * k - 1)) * np.maximum(shown - k, 0).sum())


def _by_distance(points: Logits) -> NDArray[np.int64]:
    """Of each point all others, nearest first, and itself at the end."""
    x = np.asarray(points, dtype=np.float64)
    x = x - x.mean(axis=0, keepdims=True)
    lengths = (x**2).sum(axis=1)
    squared = lengths[:, None] + lengths[None, :] - 2.0 * (x @ x.T)
    np.fill_diagonal(squared, np.inf)
    order: NDArray[np.int64] = np.argsort(squared, axis=1, kind="stable")
    return order


def cosines(points: Logits) -> Floats:
    """The cosine between each two points; 0 with a point that is 0. Shape [points, points]."""
    x = np.asarray(points, dtype=np.float64)
    lengths = np.linalg.norm(x, axis=1, keepdims=True)
    unit = np.divide(x, lengths, out=np.zeros_like(x), where=lengths > 0)
    found: Floats = unit @ unit.T
    return found


def standardised(points: Logits) -> Floats:
    """Every dimension with mean 0 and deviation 1 over the points.

    A few dimensions far larger than the rest rule cosines else (Timkey and van Schijndel 2021). A
    dimension that is the same in all points is 0.
    """
    x = np.asarray(points, dtype=np.float64)
    centred = x - x.mean(axis=0, keepdims=True)
    spread = centred.std(axis=0, keepdims=True)
    found: Floats = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 1e-12)
    return found
