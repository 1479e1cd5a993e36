"""Rows of a log as columns: of objects in JSON, and of tables."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from explorer.files.foreign import Unfit, json_of
from explorer.learning.curves.names import is_axis, paces_among, steps_among
from explorer.learning.curves.record import Pace
from explorer.text import N_

MOST_ROWS = 3_000_000
MOST_COLUMNS = 200
Measured = dict[str, tuple[list[float], list[float]]]
Row = Mapping[str, Any]


def measured_of(rows: Sequence[Row], value_is: str = "") -> Measured:
    """The columns of rows, each with the steps at which it has a number.

    Args:
        rows: Each by the names of its columns; a row need not have all.
        value_is: What a column is called of which the file says only "value".

    Raises:
        Unfit: There are too many columns.
    """
    names = _names(rows)
    steps = steps_among(names)
    found: Measured = {}
    for number, row in enumerate(rows, 1):
        at = _number(row.get(steps)) if steps is not None else float(number)
        if at is None:
            continue
        for name, cell in row.items():
            if name == steps or is_axis(name):
                continue
            value = _number(cell)
            if value is not None:
                kept = value_is if value_is and name.casefold() == "value" else name
                where, values = found.setdefault(kept, ([], []))
                where.append(at)
                values.append(value)
    return found


def paces_of(rows: Sequence[Row]) -> dict[str, Pace]:
    """How tokens and multiply-adds grew with the steps, as far as rows have them."""
    names = _names(rows)
    steps = steps_among(names)
    found: dict[str, Pace] = {}
    for what, (name, factor) in paces_among(names).items():
        pairs = []
        for number, row in enumerate(rows, 1):
            at = _number(row.get(steps)) if steps is not None else float(number)
            value = _number(row.get(name))
            if at is not None and value is not None and np.isfinite([at, value]).all():
                pairs.append((at, factor * value))
        if len(pairs) > 1 and pairs[-1][1] > pairs[0][1]:
            at_steps, values = np.array(sorted(pairs)).T
            found[what] = Pace(at_steps, np.maximum.accumulate(values))
    return found


def rows_of_lines(content: bytes) -> list[Row]:
    """The rows of a file with an object of JSON on every line; inner objects as "a/b".

    Raises:
        Unfit: A line is no object, or there are too many; its number is told.
    """
    rows: list[Row] = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        if len(rows) >= MOST_ROWS:
            raise Unfit(N_("it has more than {most} rows"), most=f"{MOST_ROWS:,}")
        try:
            row = json_of(line)
        except Unfit:
            raise
        except ValueError as error:
            # What writes it may be at work, or was killed in the last line.
            if number > 1 and not content.endswith(b"\n") and content.rstrip().endswith(line):
                break
            raise Unfit(N_("line {number} is no JSON"), number=number) from error
        if not isinstance(row, dict):
            raise Unfit(N_("line {number} is no object"), number=number)
        rows.append(dict(_flat(row)))
    return rows


def rows_of_table(content: bytes) -> list[Row]:
    """The rows of a table with names in its first line, between commas, semicolons or tabs.

    Raises:
        Unfit: It is no text, or there are too many rows or columns.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unfit(N_("it is no text in UTF-8")) from error
    first = text.partition("\n")[0]
    mark = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    rows: list[Row] = []
    try:
        names = [one.strip() for one in next(reader, [])]
        if len(names) > MOST_COLUMNS:
            raise Unfit(N_("it has more than {most} columns"), most=MOST_COLUMNS)
        for cells in reader:
            if len(rows) >= MOST_ROWS:
                raise Unfit(N_("it has more than {most} rows"), most=f"{MOST_ROWS:,}")
            rows.append(dict(zip(names, cells, strict=False)))
    except csv.Error as error:
        raise Unfit(N_("line {number} is no row of a table"), number=reader.line_num) from error
    return rows


def _flat(row: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, cell in row.items():
        if isinstance(cell, dict):
            yield from _flat(cell, f"{above}{name}/")
        else:
            yield f"{above}{name}", cell


def _names(rows: Iterable[Row]) -> list[str]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    if len(names) > MOST_COLUMNS:
        raise Unfit(N_("it has more than {most} columns"), most=MOST_COLUMNS)
    return names


def _number(cell: Any) -> float | None:
    """A cell as a number, NaN among them; None for what is none."""
    if isinstance(cell, bool) or cell is None or cell == "":
        return None
    if isinstance(cell, int | float):
        try:
            return float(cell)
        except OverflowError:
            return None
    if not isinstance(cell, str) or len(cell) > 40:
        return None
    try:
        return float(cell)
    except ValueError:
        return None
