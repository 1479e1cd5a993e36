"""Values of models as files: .npz, .safetensors or .parquet, of one text or of many."""

import contextlib
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from explorer.api.question import UserMistake
from explorer.serialise import to_builtins
from explorer.sessions.export.parquet import require_parquet
from explorer.sessions.schema.atomic import written_atomically
from explorer.text import N_
from explorer.values.taken import HEAD, LAYER, TOKEN, ModelValues, ValueArray

ENDINGS = (".npz", ".safetensors", ".parquet")
MOST_AT_ONCE = 2_000_000_000
"""Bytes of a file that is written in one piece."""
_COUNTED = (LAYER, HEAD, TOKEN)


class ValuesFile(Protocol):
    """A file that values are added to."""

    def add(self, values: ModelValues, name: str = "") -> None:
        """Write the values of a text.

        Args:
            values: These.
            name: What the names of its arrays begin with, where there are several: "line_2".
        """


def check_values_file(path: Path) -> None:
    """Tell what a file's name can't be, and which library is missing, before models are asked.

    Raises:
        UserMistake: Its ending is none of ENDINGS, or Parquet can't be written.
    """
    if path.suffix.lower() not in ENDINGS:
        raise UserMistake(
            N_("Values can't be written as {name}."),
            N_("Choose a name that ends in .npz, .safetensors or .parquet."),
            name=path.name,
        )
    if path.suffix.lower() == ".parquet":
        require_parquet(path)


def save_values(path: Path, values: ModelValues) -> None:
    """Write the values of one text.

    .npz has each array by its name, "tokens", "token_ids" and "about" (JSON: model, text, axes);
    .safetensors the arrays, and the rest as metadata; .parquet a row for each vector, with the
    layer, head and token that it is of.

    Raises:
        UserMistake: Its ending is none of ENDINGS, Parquet can't be written, or it is too large.
        MachineFault: It can't be written.
    """
    with values_file(path) as file:
        file.add(values)


@contextlib.contextmanager
def values_file(path: Path) -> Iterator[ValuesFile]:
    """A file for the values of many texts, which takes its name when all are written.

    Raises:
        UserMistake: As `save_values`.
        MachineFault: It can't be written.
    """
    check_values_file(path)
    kinds: Mapping[str, Any] = {
        ".npz": _Npz,
        ".safetensors": _Safetensors,
        ".parquet": _Parquet,
    }
    with written_atomically(path) as file:
        writer = kinds[path.suffix.lower()](file)
        yield writer
        writer.finish()


def about(values: ModelValues) -> dict[str, Any]:
    """What a file says of its arrays, as JSON has it."""
    return {
        "model": to_builtins(values.model),
        "text": values.text,
        "pair": values.pair,
        "tokens": [one.text for one in values.tokens],
        "axes": {name: one.axes for name, one in values.arrays.items()},
        "places": {name: one.places for name, one in values.arrays.items() if one.places},
        "tokens_of": {name: one.tokens for name, one in values.arrays.items() if one.tokens},
        "keys_of": {name: one.keys for name, one in values.arrays.items() if one.keys},
        "missing": dict(values.missing),
        "rounded_to_float16": values.rounded,
    }


def _begun(name: str) -> str:
    return f"{name}." if name else ""


class _Npz:
    """Arrays as numpy reads them, each written as it comes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._archive = zipfile.ZipFile(file, "w", zipfile.ZIP_STORED)

    def add(self, values: ModelValues, name: str = "") -> None:
        """Write arrays, tokens, and what they are."""
        begun = _begun(name)
        for one, array in values.arrays.items():
            self._write(f"{begun}{one}", array.values)
        self._write(f"{begun}tokens", np.array([one.text for one in values.tokens]))
        self._write(f"{begun}token_ids", np.array([one.id for one in values.tokens], np.int64))
        told = json.dumps(about(values), ensure_ascii=False)
        self._write(f"{begun}about", np.array(told))

    def _write(self, name: str, array: Any) -> None:
        with self._archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
            stream: IO[bytes] = entry
            np.lib.format.write_array(stream, np.asanyarray(array), allow_pickle=False)

    def finish(self) -> None:
        """Write the archive's list."""
        self._archive.close()


class _Safetensors:
    """Arrays in one piece, behind a list of them."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._arrays: dict[str, Any] = {}
        self._told: dict[str, str] = {}
        self._bytes = 0

    def add(self, values: ModelValues, name: str = "") -> None:
        """Keep arrays for the end.

        Raises:
            UserMistake: There are more than fit.
        """
        begun = _begun(name)
        for one, array in values.arrays.items():
            self._bytes += array.values.nbytes
            if self._bytes > MOST_AT_ONCE:
                raise UserMistake(
                    N_("The values take more than {limit} GB, which .safetensors holds at once."),
                    N_("Choose fewer kinds or texts, or a name that ends in .npz or .parquet."),
                    limit=MOST_AT_ONCE // 1_000_000_000,
                )
            self._arrays[f"{begun}{one}"] = np.ascontiguousarray(array.values)
        self._told[f"{begun}about"] = json.dumps(about(values), ensure_ascii=False)

    def finish(self) -> None:
        """Write everything."""
        from safetensors.numpy import save

        self._file.write(save(self._arrays, self._told))


class _Parquet:
    """A row for each vector: whose it is, and its numbers."""

    def __init__(self, file: IO[bytes]) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self._pa = pa
        fields = [
            ("of", pa.string()),
            ("array", pa.string()),
            *((name, pa.int32()) for name in _COUNTED),
            ("piece", pa.string()),
            ("values", pa.list_(pa.float32())),
        ]
        self._schema = pa.schema(fields)
        self._writer = parquet.ParquetWriter(file, self._schema)
        self._told: dict[str, Any] = {}

    def add(self, values: ModelValues, name: str = "") -> None:
        """Write a group of rows for each array."""
        for one, array in values.arrays.items():
            self._writer.write_table(self._table(values, one, array, name))
        self._told[name] = about(values)

    def _table(self, values: ModelValues, name: str, array: ValueArray, of: str) -> Any:
        pa = self._pa
        # A vector is what stands along the last axis; a number for each token is one of one.
        alone = array.axes[-1] in _COUNTED
        held = array.values[..., None] if alone else array.values
        counted = array.axes if alone else array.axes[:-1]
        shape, width = held.shape[:-1], held.shape[-1]
        count = int(np.prod(shape, dtype=np.int64))
        places = np.indices(shape).reshape(len(shape), count)
        columns: dict[str, Any] = {
            "of": pa.array([of] * count, pa.string()),
            "array": pa.array([name] * count, pa.string()),
        }
        for axis in _COUNTED:
            at = places[counted.index(axis)] if axis in counted else None
            if at is not None and axis == TOKEN and array.places:
                at = np.asarray(array.places)[at]
            columns[axis] = pa.array([None] * count if at is None else at, pa.int32())
        texts = array.tokens or tuple(one.text for one in values.tokens)
        tokens = columns[TOKEN].to_pylist()
        pieces = [None if at is None else texts[at] for at in tokens]
        columns["piece"] = pa.array(pieces, pa.string())
        flat = pa.array(np.ascontiguousarray(held).reshape(-1), pa.float32())
        offsets = pa.array(np.arange(count + 1, dtype=np.int32) * width, pa.int32())
        columns["values"] = pa.ListArray.from_arrays(offsets, flat)
        return pa.table(columns, schema=self._schema)

    def finish(self) -> None:
        """Write what all are, and the file's end."""
        told = json.dumps(self._told, ensure_ascii=False)
        self._writer.add_key_value_metadata({"about": told})
        self._writer.close()
