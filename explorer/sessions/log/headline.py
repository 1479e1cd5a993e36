"""A run's result in a few words, for the list of runs."""

import contextlib
from collections.abc import Mapping, Sequence

from explorer.api import Cell, Failure, Table
from explorer.questions import all_operations
from explorer.sessions.records import Run

LENGTH = 120
BEST = 3
PLACES = 4
LEAST = 0.01
CELLS = 4

Row = tuple[str | int | float | bool | None, ...]


def headline(
    table: Table | None,
    failure: Failure | None = None,
    summary: Mapping[str, Cell] | None = None,
) -> str:
    """Say what a result's table holds: "soup 0.31, meal 0.20, tea 0.11", or "12 rows".

    A table of ranked words at masks gives its first words; where it has several masks, the first
    word of each. Otherwise the first cells of the summary are told by name. Without one, a table
    with words gives its first words, one of means over many sentences the first means, and every
    other its number of rows. A failure gives its message.
    """
    if failure is not None:
        return shorten(failure.message, LENGTH)
    if table is None:
        return ""
    ranked = {"mask", "rank"} <= set(table.columns)
    told = "" if ranked or not summary else _told(summary)
    words = told or _words(table) or _means(table)
    if words:
        return shorten(words, LENGTH)
    return "1 row" if len(table.rows) == 1 else f"{len(table.rows):,} rows"


def headline_of(run: Run) -> str:
    """The headline of a run, with its operation's summary where that has one."""
    operation = all_operations().get(run.operation)
    summary: Mapping[str, Cell] | None = None
    if operation is not None and operation.summary is not None and run.result is not None:
        # A summary that fails costs the list a phrase, and must not cost the run.
        with contextlib.suppress(Exception):
            summary = operation.summary(run.result)
    return headline(run.table, run.failure, summary)


def _told(summary: Mapping[str, Cell]) -> str:
    cells = [(name, cell) for name, cell in summary.items() if cell not in (None, "")]
    return ", ".join(f"{name.replace('_', ' ')} {_cell(cell)}" for name, cell in cells[:CELLS])


def _cell(cell: Cell) -> str:
    return f"{cell:.3g}" if isinstance(cell, float) else str(cell)


def shorten(text: str, length: int) -> str:
    """On one line and not longer than this; what was cut is shown by an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def _words(table: Table) -> str:
    columns = table.columns
    named = [columns.index(name) for name in ("word", "token") if name in columns]
    if not named or "probability" not in columns:
        return ""
    probability = columns.index("probability")
    groups = _by_mask(table)
    if len(groups) == 1:
        return ", ".join(_word(row, named, probability) for row in groups[0][:BEST])
    best = [_word(rows[0], named, probability) for rows in groups[:PLACES]]
    return " · ".join([*best, "…"] if len(groups) > PLACES else best)


def _means(table: Table) -> str:
    if not {"column", "mean", "count"} <= set(table.columns) or not table.rows:
        return ""
    name, mean, count = (table.columns.index(one) for one in ("column", "mean", "count"))
    means = ", ".join(f"{row[name]} {row[mean]:.2f}" for row in table.rows[:BEST])
    return f"{table.rows[0][count]:,} rows: {means}"


def _by_mask(table: Table) -> list[list[Row]]:
    """Rows with the same mask together, in the table's order."""
    if "mask" not in table.columns:
        return [list(table.rows)] if table.rows else []
    mask = table.columns.index("mask")
    groups: dict[object, list[Row]] = {}
    for row in table.rows:
        groups.setdefault(row[mask], []).append(row)
    return list(groups.values())


def _word(row: Row, named: Sequence[int], probability: int) -> str:
    written = next((str(row[i]) for i in named if row[i] not in ("", None)), "?")
    chance = row[probability]
    if isinstance(chance, float | int):
        return f"{written} <{LEAST}" if chance < LEAST / 2 else f"{written} {chance:.2f}"
    return written
