"""Two answers side by side: how far they differ, where, and why they may."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from explorer.api.question import MODEL, Cell, ModelStamp, Table
from explorer.sessions.records import LoggedRun, StoredRun
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import significant
from explorer.text.language import for_programs

ROLES = (N_("model"), N_("teacher"), N_("student"), N_("discriminator"), N_("generator"))
"""Whose weights may be others, for catalogues."""
SAME_WITHIN = 1e-6
"""Differences up to this come from the order in which a machine adds numbers (float32)."""


@dataclass(frozen=True)
class RunDifference:
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
    sentence: Phrase


def difference(before: Table | None, after: Table | None) -> RunDifference:
    """How two tables of the same question differ; None stands for an answer that failed."""
    if before is None or after is None:
        return _missing(before, after)
    if before.columns != after.columns:
        return RunDifference(False, 0.0, "", 1, Phrase(N_("The answers have other columns.")))
    largest, where, changed = 0.0, "", abs(len(before.rows) - len(after.rows))
    for row, other in zip(before.rows, after.rows, strict=False):
        for column, old, new in zip(before.columns, row, other, strict=True):
            apart = _apart(old, new)
            if apart is None:
                changed += old != new
            elif apart > largest:
                largest, where = apart, column
    same = not changed and largest <= SAME_WITHIN
    return RunDifference(same, largest, where, changed, _sentence(largest, where, changed))


def _missing(before: Table | None, after: Table | None) -> RunDifference:
    if before is None and after is None:
        return RunDifference(True, 0.0, "", 0, Phrase(N_("Both failed.")))
    words = (
        N_("It failed then and has an answer now.")
        if before is None
        else N_("It had an answer then and fails now.")
    )
    return RunDifference(False, 0.0, "", 1, Phrase(words))


def _apart(old: Cell, new: Cell) -> float | None:
    """The distance of two numbers that may be rounded; None for everything else.

    A cell of several numbers, as the probabilities of a word's pieces, has that of the two that
    are farthest apart.
    """
    if isinstance(old, str) and isinstance(new, str):
        several, others = _decimals(old), _decimals(new)
        if not several or len(several) != len(others):
            return None
        return max(map(_printed_distance, several, others))
    if isinstance(old, bool) or isinstance(new, bool):
        return None
    if isinstance(old, int) and isinstance(new, int):
        return None
    if not isinstance(old, int | float) or not isinstance(new, int | float):
        return None
    return _distance(old, new)


def _distance(old: float, new: float) -> float:
    if math.isnan(old) and math.isnan(new):
        return 0.0
    if not math.isfinite(old - new):
        return math.inf
    # float32 has seven digits: a perplexity of 2,000 can't be told to a thousandth.
    return abs(old - new) / max(1.0, abs(old), abs(new))


def _printed_distance(old: Decimal, new: Decimal) -> float:
    """Of two numbers that were rounded when they were printed: one in the last place is none."""
    last = Decimal(1).scaleb(max(_exponent(old), _exponent(new)))
    return 0.0 if abs(old - new) <= last else _distance(float(old), float(new))


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


_DECIMAL = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?|-?\d+e[-+]?\d+")


def _decimals(text: str) -> list[Decimal]:
    """The numbers that a text is made of; none of any other text, or of whole numbers."""
    words = text.split()
    return [Decimal(word) for word in words] if all(map(_DECIMAL.fullmatch, words)) else []


def _sentence(largest: float, where: str, changed: int) -> Phrase:
    with for_programs():
        far = significant(largest, 3)
    if changed:
        cells = Phrase(
            NN_(
                "The answer differs: {count} value of its table is not what was logged.",
                "The answer differs: {count} values of its table are not what was logged.",
            ),
            count=changed,
        )
        numbers = Phrase(N_("The largest difference of a number is {far}."), far=far)
        return Phrase.joined((cells, numbers)) if largest else cells
    if largest > SAME_WITHIN:
        return Phrase(
            N_("The answer differs: by up to {far}, in the column {column}."),
            far=far,
            column=where,
        )
    if largest:
        return Phrase(N_("The same answer; the largest difference of a number is {far}."), far=far)
    return Phrase(N_("The same answer, to the last digit."))


def reasons(run: StoredRun, now: LoggedRun | StoredRun) -> tuple[Phrase, ...]:
    """What is not as it was when a run was made: likely reasons for another answer.

    Args:
        run: The run of then.
        now: The one of now.
    """
    old_models, new_models = _played(run), _played(now)
    found: list[Phrase] = []
    for role in dict.fromkeys((*old_models, *new_models)):
        found += _changed_model(old_models.get(role), new_models.get(role), role)
    for name in sorted({*run.versions, *now.versions}):
        old, new = run.versions.get(name, "unknown"), now.versions.get(name, "unknown")
        if old != new:
            found.append(
                Phrase(
                    N_("another version of {name} ({old} then, {new} now)"),
                    name=name,
                    old=old,
                    new=new,
                )
            )
    return tuple(dict.fromkeys(found))


def _played(run: LoggedRun | StoredRun) -> Mapping[str, ModelStamp]:
    """Who played which role; a config that was not loaded stands as the model."""
    return run.models or ({} if run.model is None else {MODEL: run.model})


def _changed_model(old: ModelStamp | None, new: ModelStamp | None, role: str) -> list[Phrase]:
    if old is None or new is None:
        return [Phrase(N_("there is no {role} on one side"), role=Phrase(role))]
    found = []
    if not _same_files(old.fingerprint, new.fingerprint):
        code = N_("other weights, tokenizer or config of the {role}")
        found.append(Phrase(code, role=Phrase(role)))
    if old.device != new.device:
        code = N_("another device ({old} then, {new} now)")
        found.append(Phrase(code, old=old.device, new=new.device))
    if old.dtype != new.dtype:
        code = N_("another precision ({old} then, {new} now)")
        found.append(Phrase(code, old=old.dtype, new=new.dtype))
    return found


def _same_files(old: str, new: str) -> bool:
    """Whether two fingerprints tell no difference.

    Of a tokenizer alone it was once its vocabulary's, with which it begins today: how the rest was
    then, nobody knows.
    """
    return old.startswith(new) or new.startswith(old)


def verdict(found: RunDifference, why: Sequence[str]) -> Phrase:
    """A difference and its likely reasons in one line."""
    if found.same:
        return found.sentence
    if not why:
        unknown = N_(
            "Model, device, precision, seed and versions are as they were: the machine adds "
            "numbers in another order, or the program has a fault."
        )
        return Phrase.joined((found.sentence, Phrase(unknown)))
    told = why[0]
    for one in why[1:]:
        told = Phrase(N_("{reasons}; {reason}"), reasons=told, reason=one)
    return Phrase.joined((found.sentence, Phrase(N_("Likely because of {reasons}."), reasons=told)))


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
