"""A run's result in a few words, for the list of runs."""

from collections.abc import Sequence

from explorer.api import Failure, Table

LENGTH = 120
BEST = 3
PLACES = 4
LEAST = 0.01

Row = tuple[str | int | float | bool | None, ...]


def headline(table: Table | None, failure: Failure | None = None) -> str:
    """Say what a result's table holds: "soup 0.31, meal 0.20, tea 0.11", or "12 rows".

    A table with words and probabilities gives its first words; where it has several masks, the
    first word of each. A table of means over many sentences gives the first means. Every other
    table gives its number of rows, a failure its message.
    """
    if failure is not None:
        return shorten(failure.message, LENGTH)
    if table is None:
        return ""
    words = _words(table) or _means(table)
    if words:
        return shorten(words, LENGTH)
    return "1 row" if len(table.rows) == 1 else f"{len(table.rows):,} rows"


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
