"""Ranked rows: bars, how each row looks, and what a pinned answer has of the same rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from explorer.api.question import Cell, Mask, Puts, Ranked, RowLook, Table
from explorer.api.question.rows.compared import CHANGE, PINNED
from explorer.text import N_, _, said
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.pins import with_pinned
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarColumn, BarRow
from explorer.ui.blocks.tables.rows_block import axis_of
from explorer.ui.blocks.text import note
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_part import pinned_parts
from explorer.ui.parts.rows import made

TINY = 0.005
"""A number below which an axis ends at the longest bar: no round one is so small."""
BAR_ENDS = N_("A line across a bar is where the pinned answer's bar ends.")


def blocks(part: Ranked, looking: Looking) -> Iterator[Block]:
    """What must be known of the comparison, and the table."""
    table = _compared(part, looking)
    yield from map(note, _against(part, table, looking))
    yield _ranked(part, table, looking)


def _against(part: Ranked, table: Table, looking: Looking) -> Iterator[str]:
    """What must be known of the comparison with the pinned answer."""
    then = f"{PINNED}{_first(part)}"
    if then not in table.columns:
        return
    if not _is_known(table):
        yield _("No row of this answer is in the pinned one, so no difference is shown.")
    own = said(part.of)
    for other in {said(one.of) for one in _same(part, looking)}:
        if other.casefold() != own.casefold():
            yield _("The pinned answer is of “{then}”, this one of “{now}”.", then=other, now=own)


def _is_known(table: Table) -> bool:
    """Whether the pinned answer has any of the rows."""
    beside = [name for name in table.columns if name.startswith(PINNED)]
    return any(cell is not None for name in beside for cell in table.column(name))


def _is_there(part: Ranked, looking: Looking) -> bool:
    """Whether the pinned answer has rows at the same places of the text, whatever they say."""
    if looking.shown.pinned is None:
        return False
    worded = {one.name for one in part.seen().about.values() if one.key and not one.is_number}

    def unworded(rows: Iterable[Any]) -> Table:
        same = (replace(row, **dict.fromkeys(worded, "")) for row in rows)
        return Table.of(part.kind, same, seen=True)

    before = unworded(row for one in _same(part, looking) for row in one.rows)
    return _is_known(with_pinned(looking.shown, unworded(part.rows), before))


def _ranked(part: Ranked, table: Table, looking: Looking) -> BarTable:
    """With marks where the pinned answer's bars end, and how each row looks."""
    plain = made(part, table, looking, part.name, key=lambda number: number)
    then = f"{PINNED}{_first(part)}"
    marks = table.column(then) if then in table.columns else (None,) * len(table.rows)
    ends = [cell for name in part.barred for cell in table.column(name)]
    names, there = [one.key[-1] for one in plain.columns], _is_there(part, looking)
    rows = []
    for row in plain.rows:
        mark = marks[row.key]
        bars = [_bar(bar, hollow=part.hollow and n > 0) for n, bar in enumerate(row.bars)]
        own = replace(row, bars=tuple(bars), mark=_number(mark))
        rows.append(_looking(own, part, table, names, looking, there=there))
    columns = tuple(
        replace(one, dispensable=one.dispensable or name == then)
        for one, name in zip(plain.columns, names, strict=True)
    )
    if part.hollow:
        # An outline has no colour that a title could have.
        columns = tuple(replace(one, title_colour=BarColumn.title_colour) for one in columns)
    return replace(plain, rows=rows, columns=columns, axis=_axis(part, [*ends, *marks]))


def _axis(part: Ranked, ends: Sequence[Cell]) -> BarAxis:
    """The one of the part, as far as it holds all bars and marks."""
    longest = max((abs(one) for one in ends if isinstance(one, int | float)), default=1.0)
    if part.powers:
        return BarAxis(powers=part.powers)
    if part.scale is not None:
        low, high = part.scale
        far = max(longest, high)
        return BarAxis(far, titled=far <= 1.0 == high, low=-far if low < 0 else 0.0)
    if 0 < longest < TINY:
        return BarAxis(longest, top_said=in_digits(longest))
    return axis_of(ends)


def _number(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None


def _compared(part: Ranked, looking: Looking) -> Table:
    """What is drawn of the rows, with what the columns of bars were in the pinned answer."""
    now = part.seen()
    if looking.shown.pinned is not None and part.barred:
        before = [row for one in _same(part, looking) for row in one.rows]
        now = with_pinned(looking.shown, now, Table.of(part.kind, before, seen=True))
    first = {f"{PINNED}{_first(part)}"} & {*now.columns}
    beside = first | {f"{CHANGE}{name}" for name in part.barred} & {*now.columns}
    order = [name for name in now.columns if name not in beside]
    for name in part.barred:
        at = order.index(name) + 1
        order[at:at] = [one for one in (f"{PINNED}{name}", f"{CHANGE}{name}") if one in beside]
    about = {
        one.name: replace(
            one,
            title=_change_of(part, now, one.name) or one.title,
            shown=one.shown and (one.name in beside or not _is_beside(one.name)),
            tip=BAR_ENDS if one.name in first else one.tip,
        )
        for one in now.described()
    }
    cells = [now.column(name) for name in order]
    return Table(tuple(order), tuple(zip(*cells, strict=True)), about)


def _first(part: Ranked) -> str:
    """The column whose bars are marked; "" for none."""
    return next(iter(part.barred), "")


def _change_of(part: Ranked, table: Table, name: str) -> str:
    """What a change is called where several numbers have one; "" for as usual."""
    own = name.removeprefix(CHANGE)
    if own == name or own == _first(part) or own not in part.barred:
        return ""
    return _("{version}, change", version=_(table.about[own].title))


def _is_beside(name: str) -> bool:
    return name.startswith((PINNED, CHANGE))


def _bar(bar: Bar | None, *, hollow: bool) -> Bar | None:
    """What falls has the other colour; an outline that of what it is beside."""
    if bar is None or hollow:
        return bar and replace(bar, colour="bar", hollow=True)
    return replace(bar, colour="bar_original") if bar.value < 0 else bar


def _looking(
    row: BarRow, part: Ranked, table: Table, names: Sequence[str], looking: Looking, *, there: bool
) -> BarRow:
    """A row as it looks.

    Args:
        row: With its number as the key.
        part: What it is of.
        table: All rows, and what they were in the pinned answer.
        names: Of the columns behind the first.
        there: The pinned answer has rows at the same places.
        looking: At the part.
    """
    own = part.rows[row.key]
    cells = dict(zip(table.columns, table.rows[row.key], strict=True))
    look = RowLook() if part.look is None else part.look(own)
    label = said(look.label) if isinstance(look.label, str) else _characters(look.label, looking)
    keys = (cells[name] for name, one in table.about.items() if one.key)
    told = (look.below,) if look.muted else look.words
    lines = [*map(said, told), *filter(None, (row.words,))]
    if f"{PINNED}{_first(part)}" in cells and there and not look.muted:
        lines.append(_then(part, table, cells))
    act = None if look.muted else row.act
    if act is not None and part.gesture is not None and isinstance(part.gesture(own), Puts):
        lines.append(_("Click to put it into the sentence."))
    return replace(
        row,
        label=label or row.label,
        cells=_with_news(row, part, names, cells, looking) if there else row.cells,
        lead=said(look.lead),
        tag=said(look.tag),
        below=said(look.below),
        below_colour="warning" if look.muted else row.below_colour,
        words="\n".join(lines),
        spoken=said(look.spoken),
        ground=look.ground or row.ground,
        inks=tuple(look.inks.get(name, "") for name in names) if look.inks else row.inks,
        strong=row.ground == "selection",
        muted=look.muted,
        act=act,
        key=None if look.muted else look.key or (part.kind.__name__, *keys),
    )


def _then(part: Ranked, table: Table, cells: Mapping[str, Cell]) -> str:
    """What the pinned answer says of a row."""
    before = cells[f"{PINNED}{_first(part)}"]
    if before is None:
        return _("The pinned answer does not list it.")
    number = table.about[_first(part)].said(before)
    place = cells.get(f"{PINNED}{part.place}")
    if place is None:
        return _("Pinned answer: {probability}", probability=number)
    return _("Pinned answer: {probability}, rank {rank}", probability=number, rank=place)


def _with_news(
    row: BarRow, part: Ranked, names: Sequence[str], cells: Mapping[str, Cell], looking: Looking
) -> tuple[str, ...]:
    """The cells of a row, with whether it is new where the pinned answer does not list it."""
    changed = f"{CHANGE}{_first(part)}"
    if not part.place or cells.get(changed, 0) is not None:
        return row.cells
    place, listed = cells[part.place], _listed(part, looking)
    is_new = isinstance(place, int) and place <= listed
    at = names.index(changed)
    return (*row.cells[:at], _("new") if is_new else _("not kept"), *row.cells[at + 1 :])


def _listed(part: Ranked, looking: Looking) -> int:
    """How many rows have a place in the pinned answer."""
    rows = (row for one in _same(part, looking) for row in one.rows)
    return sum(getattr(row, part.place) is not None for row in rows)


def _same(part: Ranked, looking: Looking) -> list[Ranked]:
    """The parts of the pinned answer with rows of the same kind."""
    return [one for one in pinned_parts(Ranked, looking) if one.kind is part.kind]


def _characters(place: Mask, looking: Looking) -> str:
    return looking.shown.asked.part(place.part)[place.start : place.end]
