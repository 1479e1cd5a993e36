"""Matrices as they are drawn, bounded in size; a head's four, and their singular values."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.hf.attention.head_weights import head_weights
from explorer.hf.attention.modules import AttentionModule
from explorer.questions.architecture.weights.question import DrawnMatrix, Floats, WeightCurve

MOST_ROWS, MOST_COLUMNS = 128, 256
"""Of a matrix that is drawn: more are no larger than pixels, and a log keeps them all."""


def owned(values: Any) -> Floats:
    """A read-only copy in float32, of a tensor or an array."""
    numbers = values.numpy() if hasattr(values, "numpy") else values
    array: Floats = np.array(numbers, dtype=np.float32)
    array.setflags(write=False)
    return array


def drawn_matrix(
    name: str, matrix: Any, rows: Sequence[str] = (), columns: Sequence[str] = ()
) -> DrawnMatrix:
    """A matrix, or evenly spaced rows and columns of one that is too large.

    Args:
        name: As `DrawnMatrix.name`.
        matrix: Tensor or array (rows x columns).
        rows: A name each; their numbers without.
        columns: Likewise.
    """
    height, width = (int(one) for one in matrix.shape)
    down, across = _spaced(height, MOST_ROWS), _spaced(width, MOST_COLUMNS)
    return DrawnMatrix(
        name,
        owned(matrix[down][:, across]),
        tuple(rows[n] if rows else str(n) for n in down),
        tuple(columns[n] if columns else str(n) for n in across),
        (height, width),
    )


def _spaced(count: int, most: int) -> list[int]:
    """All numbers below a count, or so many of them from the first to the last."""
    spaced = np.linspace(0, count - 1, min(count, most)).round().astype(int)
    return [int(one) for one in np.unique(spaced)]


def head_drawn(one: AttentionModule, head: int) -> dict[str, Any]:
    """A head's four matrices, their singular values, and those of both circuits.

    W_QK = W_Q^T W_K and W_OV = W_V^T W_O have no more than a head's dimensions, so theirs are
    those of a small matrix: with A^T = Q R (reduced), A^T B has those of R_A R_B^T.
    """
    import torch

    own = head_weights(one, head)
    four = {"query": own.query, "key": own.key, "value": own.value, "output": own.output}
    spectra = {name: torch.linalg.svdvals(matrix) for name, matrix in four.items()}
    for name, first, second in (("qk", own.query, own.key), ("ov", own.value, own.output)):
        inner = torch.linalg.qr(first.T)[1] @ torch.linalg.qr(second.T)[1].T
        spectra[name] = torch.linalg.svdvals(inner)
    return {
        "matrices": tuple(drawn_matrix(name, matrix) for name, matrix in four.items()),
        "curves": tuple(
            WeightCurve("spectrum", name, owned(range(1, len(values) + 1)), owned(values))
            for name, values in spectra.items()
        ),
    }
