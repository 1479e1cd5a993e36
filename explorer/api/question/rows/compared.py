"""Two answers to one question, row by row: what each number was before, and how far it moved."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from explorer.api.errors import Cancelled
from explorer.api.question.rows.rows import CHARACTERS, MASKS, TOKENS, Cell, Table, TableColumn
from explorer.text import N_

Places = Mapping[str, Mapping[Any, Cell]]
"""For each kind of place (`TOKENS`) the cells of now, and what the same place was before; of
`CHARACTERS` first character and text of now. A kind that is not there is told by its number."""

PINNED, CHANGE = "pinned_", "change_of_"
"""What the names of the columns begin with that a comparison adds."""

_PLACES = {"position": TOKENS, "mask": MASKS}
"""Columns that are places in tables whose rows say nothing of themselves."""
_NUMBERED = frozenset({"layer", "head", "step", "row", "number", "seed", "epoch", "part", "start"})
"""Columns of whole numbers that say which row it is."""
_OF_A_PLACE = frozenset({"token", "start", "end", "part"})
"""What is told of a token beside its position, which says which row it is."""


def never() -> bool:
    """Nobody stops it."""
    return False


def compared(
    now: Table, before: Table, places: Places, stopped: Callable[[], bool] = never
) -> Table:
    """Rows with what the numbers of the same row were before, and how far they moved.

    Rows are the same where their keys are; words where they are written the same, capital letters
    aside where there is none that is written so. The same row again belongs to the next one.

    Args:
        now: The rows that are shown.
        before: Those that they are compared with.
        places: What places of now were before.
        stopped: Whether nobody waits for it any more; asked at every row.

    Returns:
        The rows of now, with two columns more for each of numbers, and one for each of words that
        is no key; empty where a row was not there before.

    Raises:
        Cancelled: It was stopped.
    """
    keys, values = parts_of(now, before)
    known = _Rows(before, [one.name for one in keys])
    found = []
    for row in now.rows:
        if stopped():
            raise Cancelled
        cells = dict(zip(now.columns, row, strict=True))
        found.append(known.take([_then(one, cells, places) for one in keys]))
    columns = [name for one in values for name in _names(one)]
    beside = [
        tuple(
            cell for one in values for cell in _beside(one, row[now.columns.index(one.name)], then)
        )
        for row, then in zip(now.rows, found, strict=True)
    ]
    about = [extra for one in values for extra in _about(one)]
    return now.widened(columns, beside, about)


def parts_of(now: Table, before: Table) -> tuple[list[TableColumn], list[TableColumn]]:
    """The columns that tell rows apart, and those that are compared.

    Of a table whose rows say nothing of themselves, words and places tell rows apart, and of the
    other whole numbers as many as it takes. Rows that other columns tell apart are of another kind,
    and are not compared.
    """
    if _keys(now) != _keys(before):
        return [], []
    both = [one for one in now.described() if one.name in before.columns]
    own = [one for one in both if one.key]
    at_places = "position" in now.columns or any(one.place == TOKENS for one in own)
    if own:
        skipped = _OF_A_PLACE if at_places else frozenset()
        others = (one for one in both if not one.key and one.compared)
        return own, [one for one in others if one.name not in skipped]
    keys, values, whole = [], [], []
    for one in both:
        cells = [*now.column(one.name), *before.column(one.name)]
        if one.name in _PLACES:
            keys.append(replace(one, place=_PLACES[one.name]))
        elif at_places and one.name in _OF_A_PLACE:
            continue
        elif one.name == "rank" or any(isinstance(cell, float) for cell in cells):
            values.append(one)
        elif one.name == "id":
            continue
        elif one.is_number and one.name not in _NUMBERED:
            whole.append(one)
        elif not any(isinstance(cell, bool) for cell in cells):
            keys.append(one)
    while whole and not all(_told_apart(table, keys) for table in (now, before)):
        keys.append(whole.pop(0))
    order = now.columns.index
    return keys, sorted([*values, *whole], key=lambda one: order(one.name))


def _keys(table: Table) -> set[str]:
    return {name for name, one in table.about.items() if one.key}


def _told_apart(table: Table, keys: Sequence[TableColumn]) -> bool:
    if not keys:
        return len(table.rows) < 2
    cells = list(zip(*(table.column(one.name) for one in keys), strict=True))
    return len(set(cells)) == len(cells)


def _then(about: TableColumn, cells: Mapping[str, Cell], places: Places) -> Cell:
    """A cell of a key as it was before; a place that was not there is none of any row."""
    cell = cells[about.name]
    if about.place not in places or not isinstance(cell, int) or cell < 0:
        # What is of the whole text is of no place.
        return cell
    place = (cell, cells.get("part", 0)) if about.place == CHARACTERS else cell
    return places[about.place].get(place, _NOWHERE)


_NOWHERE = "\0nowhere"


class _Rows:
    """Rows by their keys."""

    def __init__(self, table: Table, keys: Sequence[str]) -> None:
        self._columns = table.columns
        at = [table.columns.index(name) for name in keys]
        self._exact: dict[tuple[Cell, ...], list[int]] = {}
        self._alike: dict[tuple[Cell, ...], list[int]] = {}
        self._rows = table.rows
        self._taken: set[int] = set()
        for number, row in enumerate(table.rows):
            key = tuple(row[n] for n in at)
            self._exact.setdefault(key, []).append(number)
            self._alike.setdefault(_folded(key), []).append(number)

    def take(self, key: Sequence[Cell]) -> Mapping[str, Cell] | None:
        """The next row of a key that was not taken yet; the last one where all of them were."""
        own = tuple(key)
        rows = self._exact.get(own) or self._alike.get(_folded(own))
        if not rows:
            return None
        number = next((n for n in rows if n not in self._taken), rows[-1])
        self._taken.add(number)
        return dict(zip(self._columns, self._rows[number], strict=True))


def _folded(key: Iterable[Cell]) -> tuple[Cell, ...]:
    return tuple(cell.casefold() if isinstance(cell, str) else cell for cell in key)


def _names(one: TableColumn) -> tuple[str, ...]:
    pinned = f"{PINNED}{one.name}"
    return (pinned, f"{CHANGE}{one.name}") if one.is_number else (pinned,)


def _about(one: TableColumn) -> tuple[TableColumn, ...]:
    then = replace(one, name=f"{PINNED}{one.name}", title=N_("pinned"), tip="")
    moved = replace(then, name=f"{CHANGE}{one.name}", title=N_("change"), is_signed=True)
    return (then, moved) if one.is_number else (then,)


def _beside(one: TableColumn, now: Cell, then: Mapping[str, Cell] | None) -> tuple[Cell, ...]:
    before = None if then is None else then[one.name]
    return (before, change(now, before)) if one.is_number else (before,)


def change(now: Cell, before: Cell) -> float | None:
    """How far a number has moved; None where either is none."""
    if isinstance(now, int | float) and isinstance(before, int | float):
        return now - before
    return None
