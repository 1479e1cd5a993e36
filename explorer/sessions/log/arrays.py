"""A result's large arrays: kept once, compressed, beside the JSON that refers to them by number."""

import math
import sqlite3
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.serialise import from_json, to_json

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALL = 1024
"""Bytes of an array up to which it stays in the JSON."""
_LEVEL = 1
# Numbers a model computes hardly compress any further, and the writer has other runs to write.

_INSERT = "INSERT INTO result_arrays (run_id, ordinal, dtype, shape, packed) VALUES (?,?,?,?,?)"
_SELECT = "SELECT dtype, shape, packed FROM result_arrays WHERE run_id = ? AND ordinal = ?"


class LostArray(ValueError):
    """An array is not there any more, or is damaged."""


@dataclass(frozen=True)
class Packed:
    """One array, compressed.

    Attributes:
        dtype: As NumPy writes it ("<f4").
        shape: JSON list.
        data: Its bytes in C order, compressed with zlib.
    """

    dtype: str
    shape: str
    data: bytes


class Packing:
    """Takes the large arrays out of what is written as JSON.

    Attributes:
        taken: Them, by their numbers.
    """

    def __init__(self) -> None:
        self.taken: list[Packed] = []

    def __call__(self, array: "NDArray[Any]") -> int | None:
        """The number of an array that is large; None for one that stays."""
        if array.nbytes <= SMALL:
            return None
        self.taken.append(
            Packed(
                array.dtype.str,
                to_json(array.shape),
                zlib.compress(array.tobytes(), _LEVEL),
            )
        )
        return len(self.taken) - 1

    @property
    def size_bytes(self) -> int:
        """What they take."""
        return sum(len(one.data) for one in self.taken)


def insert(connection: sqlite3.Connection, run_id: str, arrays: list[Packed]) -> None:
    """Add a run's arrays; the caller holds the transaction."""
    connection.executemany(
        _INSERT,
        [(run_id, n, one.dtype, one.shape, one.data) for n, one in enumerate(arrays)],
    )


class Unpacking:
    """Finds the arrays of a run that is read back.

    Args:
        connection: Where they are.
        run_id: Whose they are.
    """

    def __init__(self, connection: sqlite3.Connection, run_id: str) -> None:
        self._connection = connection
        self._run_id = run_id

    def __call__(self, number: int) -> "NDArray[Any]":
        """The array of a number, read-only.

        Raises:
            LostArray: Or it is damaged.
        """
        found = self._connection.execute(_SELECT, (self._run_id, number)).fetchone()
        if found is None:
            raise LostArray(f"its array {number} is lost")
        return _unpacked(Packed(*found), number)


def _unpacked(packed: Packed, number: int) -> "NDArray[Any]":
    import numpy as np

    try:
        dtype: np.dtype[Any] = np.dtype(packed.dtype)
        shape = from_json(list[int], packed.shape)
        size = math.prod(shape) * dtype.itemsize
        # Not more than it says of itself: a few bytes of another program's may unpack to many.
        data = zlib.decompressobj().decompress(packed.data, size + 1)
        return np.frombuffer(data, dtype).reshape(shape)
    except (zlib.error, TypeError, ValueError) as error:
        raise LostArray(f"its array {number} is damaged") from error
