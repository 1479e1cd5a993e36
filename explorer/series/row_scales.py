"""Weights as whole numbers: each row of a tensor with the scale that it is read with.

In `model.rows.safetensors` a tensor NAME of two dimensions or more is stored as int8 or int16, and
beside it `NAME.row_scale` as float32, one for each row: the row's numbers are its whole numbers
times its scale. Everything else is stored as it is. transformers looks for no file of this name,
so that nobody takes whole numbers for weights.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

FILE = "model.rows.safetensors"
SCALES = ".row_scale"
LARGEST = {8: 127, 16: 32_767}
"""The whole number that the largest number of a row becomes, by bits."""

One = TypeVar("One")


def apart(tensors: Mapping[str, One]) -> tuple[dict[str, One], dict[str, One]]:
    """A file's tensors, and the scales of some of them by the names of those that they are of."""
    scales = {
        name.removesuffix(SCALES): one
        for name, one in tensors.items()
        if name.endswith(SCALES) and name.removesuffix(SCALES) in tensors
    }
    kept = {name + SCALES for name in scales}
    return {name: one for name, one in tensors.items() if name not in kept}, scales


def fits(shape: tuple[int, ...], scales: tuple[int, ...]) -> bool:
    """Whether a tensor can be read with scales of a shape: one for each row."""
    return len(shape) >= 2 and scales == shape[:1]


def rounded(tensor: Any, bits: int) -> tuple[Any, Any]:
    """A tensor as whole numbers with scales; what is read is off by half a scale at most.

    Args:
        tensor: numpy, float, of two dimensions or more.
        bits: 8 or 16.

    Returns:
        Whole numbers in the tensor's shape, and float32 [rows].
    """
    import numpy as np

    rows = tensor.reshape(len(tensor), -1).astype(np.float64)
    most = np.abs(rows).max(axis=1)
    # A row of zeros is read as zeros with any scale.
    scales = np.where(most > 0, most / LARGEST[bits], 1.0).astype(np.float32)
    whole = np.rint(rows / scales[:, None].astype(np.float64)).clip(-LARGEST[bits], LARGEST[bits])
    return whole.astype(f"int{bits}").reshape(tensor.shape), scales
