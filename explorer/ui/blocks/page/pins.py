"""The pinned answer beside the one of now, for every page: rows of the same place, and changes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import CHARACTERS, MASKS, TOKENS, Cell, Table, TableColumn, Token
from explorer.api.question.rows.compared import CHANGE, PINNED, Places, compared, never, parts_of
from explorer.document import Document, Mask, matched, places_of
from explorer.text import _, ngettext
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.last_values import remembered
from explorer.ui.blocks.page.shown import Pinned, Shown
from explorer.ui.blocks.tables.rows_block import rows_block
from explorer.ui.blocks.text import heading, note

SEEN = 12
"""Rows that stand on the page; all of them are in the table."""


@dataclass(frozen=True)
class PinComparison:
    """What the frame shows of a comparison with the pinned answer.

    Attributes:
        said: How the rows belong together.
        rows: Those that changed most, strongest first; None where there is nothing to show.
    """

    said: str
    rows: Table | None = None


@remembered(4)
def places_between(result: Any, asked: Document, pinned: Pinned) -> Places:
    """What places of an answer were in the pinned one; no kinds where the answer has none.

    Args:
        result: What is shown.
        asked: The document that asked for it.
        pinned: What it is compared with.
    """
    tokens = _tokens_between(result, asked, pinned)
    found: dict[str, Mapping[Cell, Cell]] = {} if tokens is None else {TOKENS: tokens}
    own, then = _positions(result), _positions(pinned.result)
    if tokens is not None and min((*own, *then), default=-1) >= 0:
        numbers: dict[Cell, Cell] = {
            position: number for number, position in enumerate(then, start=1)
        }
        found[MASKS] = {
            number: numbers[tokens[position]]
            for number, position in enumerate(own, start=1)
            if tokens.get(position) in numbers
        }
    return found


def _read_tokens(result: Any) -> Sequence[Token]:
    """What a model read; none of an answer whose tokens are those that it wrote."""
    tokens = getattr(result, "tokens", ())
    return tokens if all(isinstance(one, Token) for one in tokens) else ()


def _tokens_between(result: Any, asked: Document, pinned: Pinned) -> Mapping[Cell, Cell] | None:
    """By a token's position now, its position then, where the text has it there, too."""
    own, then = _read_tokens(result), _read_tokens(pinned.result)
    if not own or not then:
        return None
    if [one.id for one in own] == [one.id for one in then]:
        return {at: at for at in range(len(own))}
    positions, earlier = (
        [n for n, one in enumerate(tokens) if not one.special] for tokens in (own, then)
    )
    numbers = matched(places_of(own, positions), asked, places_of(then, earlier), pinned.document)
    found: dict[Cell, Cell] = {
        at: earlier[number]
        for at, number in zip(positions, numbers, strict=True)
        if number is not None
    }
    # What a model adds has no characters: the first is the first, whatever it is called.
    added, earlier = ([n for n, one in enumerate(tokens) if one.special] for tokens in (own, then))
    return found | dict(zip(added, earlier, strict=False))


def _positions(result: Any) -> list[int]:
    return [getattr(one, "position", -1) for one in getattr(result, "masks", ())]


def of_pinned(shown: Shown) -> Shown:
    """The pinned answer, looked at as the one of now is."""
    then = shown.pinned
    assert then is not None
    return replace(shown, result=then.result, asked=then.document, pinned=None)


def with_pinned(
    shown: Shown, now: Table, before: Table, stopped: Callable[[], bool] = never
) -> Table:
    """Rows with what they were in the pinned answer, unless they have that already.

    Args:
        shown: The answer, and what it is compared with.
        now: Its rows.
        before: Those of the pinned answer.
        stopped: Whether nobody waits for them any more.

    Raises:
        Cancelled: It was stopped.
    """
    if shown.pinned is None or any(name.startswith(PINNED) for name in now.columns):
        return now
    return _joined(now, before, shown.result, shown.asked, shown.pinned, stopped=stopped)


@remembered(4, untold="stopped")
def _joined(
    now: Table,
    before: Table,
    result: Any,
    asked: Document,
    pinned: Pinned,
    *,
    stopped: Callable[[], bool],
) -> Table:
    places = dict(places_between(result, asked, pinned))
    if any(one.place == CHARACTERS for one in now.about.values()):
        places[CHARACTERS] = _characters_between(now, before, asked, pinned)
    return compared(now, before, places, stopped)


def _characters_between(
    now: Table, before: Table, asked: Document, pinned: Pinned
) -> Mapping[Any, Cell]:
    """By first character and text of a place of now, its first character then."""
    own, then = (
        sorted({*_spans(table)}, key=lambda one: (one.part, one.start)) for table in (now, before)
    )
    numbers = matched(own, asked, then, pinned.document)
    return {
        (place.start, place.part): then[number].start
        for place, number in zip(own, numbers, strict=True)
        if number is not None
    }


def _spans(table: Table) -> Iterator[Mask]:
    cells = (dict(zip(table.columns, row, strict=True)) for row in table.rows)
    for one in cells:
        start, end, part = one["start"], one["end"], one.get("part", 0)
        if isinstance(start, int) and isinstance(end, int) and isinstance(part, int):
            yield Mask(start, end, part)


def against(
    shown: Shown, now: Table, before: Table, stopped: Callable[[], bool] = never
) -> PinComparison:
    """The rows that changed most since the pinned answer; the work is that of all rows.

    Args:
        shown: The answer, and what it is compared with.
        now: Its rows.
        before: Those of the pinned answer.
        stopped: Whether nobody waits for it any more.

    Raises:
        Cancelled: It was stopped.
    """
    _keys, values = parts_of(now, before)
    table = with_pinned(shown, now, before, stopped)
    known = _in_both(table, values)
    if not known:
        return PinComparison(
            _("No row of this answer is in the pinned one, so no difference is shown.")
        )
    moved = [one for one in values if one.is_number and _most(table, one) > 0]
    # Ranks and counts follow from what is measured; what files alone have is seen by nobody.
    measured = {
        one.name for one in moved if any(isinstance(c, float) for c in now.column(one.name))
    }
    moved.sort(key=lambda one: (not one.shown, one.name not in measured))
    worded = [one for one in values if not one.is_number and _others(table, one)]
    worded.sort(key=lambda one: not one.shown)
    if not moved and not worded:
        return PinComparison(_("Every row that both answers have is the same in both."))
    rows = _strongest(table, now, known, moved, worded)
    return PinComparison(_said(len(now.rows), len(known)), rows)


def pinned_blocks(shown: Shown, found: PinComparison | None, name: str) -> Iterator[Block]:
    """What a comparison with the pinned answer found.

    Args:
        shown: The answer.
        found: What was found; None while it is looked for.
        name: The question's.
    """
    yield heading(_("Against the pinned answer"))
    yield note(found.said if found is not None else _("The rows are being compared …"))
    if found is None or found.rows is None:
        return
    title = _("Against the pinned answer")
    yield rows_block(found.rows, shown, f"{name}.pinned", title)


def _said(rows: int, both: int) -> str:
    said = ngettext(
        "{both} of {count} row is in the pinned answer, too.",
        "{both} of {count} rows are in the pinned answer, too.",
        rows,
        both=both,
    )
    if both <= SEEN:
        return said
    return " ".join((said, _("Those that changed most are here, all of them in the table.")))


def _in_both(table: Table, values: Sequence[TableColumn]) -> list[int]:
    """The numbers of the rows that were there before."""
    then = [table.columns.index(f"{PINNED}{one.name}") for one in values]
    return [n for n, row in enumerate(table.rows) if any(row[at] is not None for at in then)]


def _most(table: Table, one: TableColumn) -> float:
    return max((abs(cell) for cell in _numbers(table, one.name)), default=0.0)


def _numbers(table: Table, name: str) -> list[float]:
    cells = table.column(f"{CHANGE}{name}")
    return [float(cell) for cell in cells if isinstance(cell, int | float) and cell == cell]


def _others(table: Table, one: TableColumn) -> bool:
    both = zip(table.column(one.name), table.column(f"{PINNED}{one.name}"), strict=True)
    return any(then is not None and now != then for now, then in both)


def _strongest(
    table: Table,
    now: Table,
    known: Sequence[int],
    moved: Sequence[TableColumn],
    worded: Sequence[TableColumn],
) -> Table:
    """Rows of both answers that changed most: what they are, and what moved."""
    shown_of = {one.name: one for one in table.described()}
    first = (*moved[:1], *worded[:1])
    others = {one.name for one in (*moved[1:], *worded[1:])}
    # Where nothing that a page shows has moved, what files alone have is shown.
    chosen = {one.name for one in first}
    told = [
        name
        for name in now.columns
        if name in chosen or (shown_of[name].shown and name not in others)
    ]
    for one in first:
        at = told.index(one.name) + 1 if one.name in told else len(told)
        added = (f"{PINNED}{one.name}", f"{CHANGE}{one.name}")
        told[at:at] = [name for name in added if name in table.columns]
    order = sorted(known, key=lambda n: -_far(table, n, moved, worded))[:SEEN]
    places = [table.columns.index(name) for name in told]
    rows = tuple(tuple(table.rows[n][at] for at in places) for n in order)
    about = {
        name: replace(shown_of[name], shown=True) if name in shown_of else table.about[name]
        for name in told
        if name in shown_of or name in table.about
    }
    return Table(tuple(told), rows, {**table.about, **about})


def _far(
    table: Table, number: int, moved: Sequence[TableColumn], worded: Sequence[TableColumn]
) -> float:
    """How far a row has moved, for sorting."""
    row = table.rows[number]
    if moved:
        cell = row[table.columns.index(f"{CHANGE}{moved[0].name}")]
        return abs(cell) if isinstance(cell, int | float) and cell == cell else 0.0
    both = ((one.name, f"{PINNED}{one.name}") for one in worded)
    at = table.columns.index
    return float(any(row[at(now)] != row[at(then)] for now, then in both))
