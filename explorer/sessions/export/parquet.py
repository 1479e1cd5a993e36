"""Tables as Parquet, with a type for each column; the library that writes it is no part of all."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from explorer.api.question import Cell, UserMistake
from explorer.text import N_

BATCH = 10_000
"""Rows that Parquet packs together."""

RowsByName = Iterable[Mapping[str, Cell]]


def require_parquet(path: Path | None = None) -> None:
    """Tell that no Parquet can be written before what is to be in it takes its time.

    Args:
        path: Where it is wanted; None where nobody wants any.

    Raises:
        UserMistake: The library is not installed, or the name ends otherwise.
    """
    if path is None:
        return
    if path.suffix.lower() != ".parquet":
        raise UserMistake(
            N_("{name} is no name of a Parquet file."),
            N_("Choose one that ends in .parquet."),
            name=path.name,
        )
    _library()


def _library() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise UserMistake(
            N_("Parquet files are written by the library pyarrow, which is not installed."),
            N_("Install it (pip install pyarrow), or choose a name that ends in .csv."),
        ) from None
    return pa, parquet


def write_parquet(
    file: IO[bytes],
    columns: Sequence[str],
    rows: RowsByName,
    about: Mapping[str, str] | None = None,
) -> None:
    """Write rows.

    Args:
        file: Into this.
        columns: Their names.
        rows: Each by the names of its cells; gone through twice.
        about: What the file says of itself, as how it came about.

    Raises:
        UserMistake: The library that writes it is not installed.
    """
    pa, parquet = _library()
    # A column of Parquet has one type, which only all of its cells tell.
    kinds: dict[str, set[type]] = {name: set() for name in columns}
    for row in rows:
        for name, cell in row.items():
            kinds[name].add(type(cell))
    types = {name: _type_of(found - {type(None)}) for name, found in kinds.items()}
    schema = pa.schema([(name, getattr(pa, kind.arrow)()) for name, kind in types.items()])
    if about:
        schema = schema.with_metadata(dict(about))
    with parquet.ParquetWriter(file, schema) as writer:
        for some in _batches(rows):
            arrays = {
                name: [None if (c := row.get(name)) is None else kind.take(c) for row in some]
                for name, kind in types.items()
            }
            writer.write_table(pa.table(arrays, schema=schema))


def _batches(rows: RowsByName) -> Iterator[list[Mapping[str, Cell]]]:
    every = iter(rows)
    while some := list(itertools.islice(every, BATCH)):
        yield some


class _Type(NamedTuple):
    """The type of a column: its name in Arrow, and what makes a cell one."""

    arrow: str
    take: Callable[[Any], Any]


def _type_of(kinds: set[type]) -> _Type:
    """One kind for all cells of a column: texts where they are mixed."""
    if not kinds:
        return _Type("null", lambda _: None)
    if kinds == {bool}:
        return _Type("bool_", bool)
    if kinds == {int}:
        return _Type("int64", int)
    if kinds <= {int, float}:
        return _Type("float64", float)
    return _Type("string", str)
