"""Two answers side by side: how far they differ, where, and why they may."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from explorer.api import MODEL, Cell, ModelStamp, Table
from explorer.sessions.records import Run, StoredRun

SAME_WITHIN = 1e-6
"""Differences up to this come from the order in which a machine adds numbers (float32)."""


@dataclass(frozen=True)
class Difference:
    """What two tables of the same question say of each other.

    Attributes:
        same: They say the same, numbers within SAME_WITHIN.
        largest: The largest difference between two numbers, as a share of their size where that
            is above one; 0 without one.
        where: The column of that difference, "" without one.
        changed: Cells of other kinds that differ, rows that only one has counted as one each.
        sentence: All of this in words.
    """

    same: bool
    largest: float
    where: str
    changed: int
    sentence: str


def difference(before: Table | None, after: Table | None) -> Difference:
    """How two tables of the same question differ; None stands for an answer that failed."""
    if before is None or after is None:
        return _missing(before, after)
    if before.columns != after.columns:
        return Difference(False, 0.0, "", 1, "The answers have other columns.")
    largest, where, changed = 0.0, "", abs(len(before.rows) - len(after.rows))
    for row, other in zip(before.rows, after.rows, strict=False):
        for column, old, new in zip(before.columns, row, other, strict=True):
            apart = _apart(old, new)
            if apart is None:
                changed += old != new
            elif apart > largest:
                largest, where = apart, column
    same = not changed and largest <= SAME_WITHIN
    return Difference(same, largest, where, changed, _sentence(largest, where, changed))


def _missing(before: Table | None, after: Table | None) -> Difference:
    if before is None and after is None:
        return Difference(True, 0.0, "", 0, "Both failed.")
    words = "It failed then" if before is None else "It had an answer then"
    ending = "and has an answer now." if before is None else "and fails now."
    return Difference(False, 0.0, "", 1, f"{words} {ending}")


def _apart(old: Cell, new: Cell) -> float | None:
    """The distance of two numbers that may be rounded; None for everything else."""
    if isinstance(old, bool) or isinstance(new, bool):
        return None
    if isinstance(old, int) and isinstance(new, int):
        return None
    if not isinstance(old, int | float) or not isinstance(new, int | float):
        return None
    if math.isnan(old) and math.isnan(new):
        return 0.0
    if not math.isfinite(old - new):
        return math.inf
    # float32 has seven digits: a perplexity of 2,000 can't be told to a thousandth.
    return abs(old - new) / max(1.0, abs(old), abs(new))


def _sentence(largest: float, where: str, changed: int) -> str:
    if changed:
        cells = "One value" if changed == 1 else f"{changed:,} values"
        verb = "is" if changed == 1 else "are"
        numbers = f" The largest difference of a number is {largest:.3g}." if largest else ""
        return f"The answer differs: {cells} of its table {verb} not what was logged.{numbers}"
    if largest > SAME_WITHIN:
        return f"The answer differs: by up to {largest:.3g}, in the column {where}."
    if largest:
        return f"The same answer; the largest difference of a number is {largest:.3g}."
    return "The same answer, to the last digit."


def reasons(run: StoredRun, now: Run | StoredRun) -> tuple[str, ...]:
    """What is not as it was when a run was made: likely reasons for another answer.

    Args:
        run: The run of then.
        now: The one of now.
    """
    old_models, new_models = _played(run), _played(now)
    found: list[str] = []
    for role in dict.fromkeys((*old_models, *new_models)):
        found += _changed_model(old_models.get(role), new_models.get(role), role)
    for name in sorted({*run.versions, *now.versions}):
        old, new = run.versions.get(name, "unknown"), now.versions.get(name, "unknown")
        if old != new:
            found.append(f"another version of {name} ({old} then, {new} now)")
    return tuple(dict.fromkeys(found))


def _played(run: Run | StoredRun) -> Mapping[str, ModelStamp]:
    """Who played which role; a config that was not loaded stands as the model."""
    return run.models or ({} if run.model is None else {MODEL: run.model})


def _changed_model(old: ModelStamp | None, new: ModelStamp | None, role: str) -> list[str]:
    if old is None or new is None:
        return [f"there is no {role} on one side"]
    found = []
    if old.fingerprint != new.fingerprint:
        found.append(f"other weights, tokenizer or config of the {role}")
    if old.device != new.device:
        found.append(f"another device ({old.device} then, {new.device} now)")
    if old.dtype != new.dtype:
        found.append(f"another precision ({old.dtype} then, {new.dtype} now)")
    return found


def verdict(found: Difference, why: Sequence[str]) -> str:
    """A difference and its likely reasons in one line."""
    if found.same:
        return found.sentence
    if not why:
        return (
            f"{found.sentence} Model, device, precision, seed and versions are as they were:"
            " the machine adds numbers in another order, or the program has a fault."
        )
    return f"{found.sentence} Likely because of {'; '.join(why)}."


def side_by_side(first: Table, second: Table, names: tuple[str, str] = ("A", "B")) -> Table:
    """Two tables joined row by row, each number beside the other's and their difference.

    Rows belong together where all their cells that are no fractions agree, but for ranks and
    ids, which are what may differ; the same row a second time belongs to the next one.

    Returns:
        The common columns; then for each fraction, rank and id "name A", "name B" and, for
        fractions and ranks, "name B - A".

    Raises:
        ValueError: The tables have other columns.
    """
    if first.columns != second.columns:
        raise ValueError("tables of different questions can't be put side by side")
    values = [n for n, name in enumerate(first.columns) if _is_value(first, second, n, name)]
    keys = [n for n in range(len(first.columns)) if n not in values]
    left, right = _keyed(first, keys), _keyed(second, keys)
    columns = [first.columns[n] for n in keys]
    for n in values:
        name = first.columns[n]
        columns += [f"{name} {names[0]}", f"{name} {names[1]}", f"{name} {names[1]} - {names[0]}"]
    rows = []
    for key in dict.fromkeys([*left, *right]):
        row: list[Cell] = list(key[:-1])
        for n in values:
            old = left[key][n] if key in left else None
            new = right[key][n] if key in right else None
            row += [old, new, _minus(new, old)]
        rows.append(tuple(row))
    return Table(tuple(columns), tuple(rows))


_COMPARED = frozenset({"rank", "id"})


def _is_value(first: Table, second: Table, number: int, name: str) -> bool:
    if name in _COMPARED:
        return True
    cells = [row[number] for table in (first, second) for row in table.rows]
    return any(isinstance(cell, float) for cell in cells)


def _keyed(table: Table, keys: Sequence[int]) -> dict[tuple[Cell, ...], tuple[Cell, ...]]:
    """Rows by their key; the last part of a key counts rows that are alike."""
    found: dict[tuple[Cell, ...], tuple[Cell, ...]] = {}
    seen: dict[tuple[Cell, ...], int] = {}
    for row in table.rows:
        key = tuple(row[n] for n in keys)
        seen[key] = seen.get(key, -1) + 1
        found[(*key, seen[key])] = row
    return found


def _minus(new: Cell, old: Cell) -> Cell:
    if isinstance(new, bool | str) or isinstance(old, bool | str) or new is None or old is None:
        return None
    return new - old
