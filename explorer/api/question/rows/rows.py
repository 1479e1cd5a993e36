"""Rows of an answer: each kind of row is a dataclass, whose fields say what its columns are.

    @dataclass(frozen=True)
    class LabelRow:
        position: int = column(N_("position"), key=True, place=TOKENS)
        label: str = column(N_("label"))
        probability: float = column(N_("probability"), written=in_digits)

    Table.of(LabelRow, rows)

The field's name is the column's in files and to scripts, its title what people read.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from typing import Any, get_type_hints

from explorer.text import Phrase, _, said
from explorer.text.formatting.numbers import significant, whole, with_minus

Cell = str | int | float | bool | None
"""What a table holds."""

TOKENS = "tokens"
"""A place: cells are positions in the result's `tokens`, from 0."""
MASKS = "masks"
"""A place: cells count the result's `masks`, from 1, each with the `position` of its token."""
CHARACTERS = "characters"
"""A place: cells are the first characters of places, whose ends and texts are in the columns `end`
and `part`."""

_KEPT = "column"


@dataclass(frozen=True)
class TableColumn:
    """What a column is.

    Attributes:
        name: In files, and to scripts.
        title: Marked for translation; "" where it is called by its name.
        unit: What its numbers are counted in, marked for translation; "" for none.
        digits: Behind the point where numbers are read; None for as many as tell them apart.
        key: Whether its cells, with those of the other keys, say which row it is.
        place: What the cells of a key count, as `TOKENS`: two answers' rows are of the same place
            where the same characters of the text stand. "" for what is told by its name.
        shown: Whether it stands on the screen, beside its place in files.
        compared: Whether it is laid beside a pinned answer's, where it is no key.
        tip: What it means, marked for translation.
        written: A cell as people read it, in the place of `digits`.
        is_number: Whether its cells are numbers, which end at the right.
        is_signed: Whether they are changes, which are read with their sign.
        filed: Whether it stands in files, beside its place on the screen.
        ink: From a cell to the colour of its words, by its name in the theme; "" for the usual one.
        wraps: Its words go on in a second line where there is little room.
        dispensable: It goes first where there is no room for all columns.
        ends_right: Its words are numbers with their units, which end at the right as numbers do.
        least: What its numbers come to where there is nothing left to learn; None where nobody
            knows.
    """

    name: str
    title: str = ""
    unit: str = ""
    digits: int | None = None
    key: bool = False
    place: str = ""
    shown: bool = True
    compared: bool = True
    tip: str = ""
    written: Callable[[Any], str] | None = None
    is_number: bool = True
    is_signed: bool = False
    filed: bool = True
    ink: Callable[[Any], str] | None = None
    wraps: bool = False
    dispensable: bool = False
    ends_right: bool = False
    least: float | None = None

    @property
    def heading(self) -> str:
        """The title with its unit, in the reader's language."""
        title = _(self.title) if self.title else self.name
        return f"{title} ({_(self.unit)})" if self.unit else title

    def said(self, cell: Cell) -> str:
        """A cell as people read it; "" for what is not there."""
        if cell is None:
            return ""
        if self.is_signed and isinstance(cell, int | float):
            sign = "+" if cell > 0 else "−" if cell < 0 else "±"
            return f"{sign}{replace(self, is_signed=False).said(abs(cell))}"
        if self.written is not None:
            return self.written(cell)
        if isinstance(cell, bool):
            return _("yes") if cell else _("no")
        if isinstance(cell, str):
            return said(cell) if isinstance(cell, Phrase) else cell
        if self.digits is not None:
            return with_minus(cell, self.digits)
        return whole(cell) if isinstance(cell, int) else significant(cell, 4)


def column(
    title: str,
    *,
    unit: str = "",
    digits: int | None = None,
    key: bool = False,
    place: str = "",
    shown: bool = True,
    compared: bool = True,
    tip: str = "",
    written: Callable[[Any], str] | None = None,
    is_signed: bool = False,
    filed: bool = True,
    ink: Callable[[Any], str] | None = None,
    wraps: bool = False,
    dispensable: bool = False,
    ends_right: bool = False,
    least: float | None = None,
    name: str = "",
    default: Any = MISSING,
) -> Any:
    """A field of a row: a column.

    Args:
        title: What people read above it, marked for translation.
        unit: What its numbers are counted in ("nats"), marked for translation.
        digits: Behind the point where numbers are read; files have all.
        key: Whether its cells, with those of the other keys, say which row it is.
        place: What the cells of a key count, as `TOKENS`; "" for what is told by its name.
        shown: Whether it stands on the screen, too.
        compared: Whether it is laid beside a pinned answer's.
        tip: What it means, marked for translation.
        written: A cell as people read it, in the place of `digits`.
        is_signed: Whether its cells are changes, which are read with their sign.
        filed: Whether it stands in files, too.
        ink: From a cell to the colour of its words, by its name in the theme.
        wraps: Its words go on in a second line where there is little room.
        dispensable: It goes first where there is no room for all columns.
        ends_right: Its words are numbers with their units, which end at the right.
        least: What its numbers come to where there is nothing left to learn.
        name: In files, where the field's own will not do.
        default: The field's.
    """
    about = TableColumn(
        name,
        title,
        unit,
        digits,
        key,
        place,
        shown,
        compared,
        tip,
        written,
        is_signed=is_signed,
        filed=filed,
        ink=ink,
        wraps=wraps,
        dispensable=dispensable,
        ends_right=ends_right,
        least=least,
    )
    return field(default=default, metadata={_KEPT: about})


@cache
def columns_of(row: type) -> tuple[TableColumn, ...]:
    """The columns of a kind of row, in the order of its fields."""
    kinds = get_type_hints(row)
    found = ((one, one.metadata.get(_KEPT, TableColumn(""))) for one in fields(row))
    return tuple(
        replace(about, name=about.name or one.name, is_number=not _is_words(kinds[one.name]))
        for one, about in found
    )


def titles_of(row: type) -> Mapping[str, str]:
    """What the columns of a kind of row are called, by their names: for a summary's cells, too."""
    return {one.name: one.title for one in columns_of(row)}


def _is_words(kind: Any) -> bool:
    kinds = {*getattr(kind, "__args__", (kind,))} - {type(None)}
    return not kinds <= {int, float}


@dataclass(frozen=True)
class Table:
    """Rows for CSV, SQLite and the clipboard.

    Attributes:
        columns: Names, in order.
        rows: One tuple a row, as long as columns; str, int, float, bool or None.
        about: What some of the columns are, by their names; two tables with the same cells are
            the same whatever is said of them.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    about: Mapping[str, TableColumn] = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def of(row: type, rows: Iterable[Any], *, seen: bool = False) -> "Table":
        """Rows of one kind.

        Args:
            row: The dataclass that each of them is.
            rows: In their order; none is a table, too. Of hundreds of thousands each may be a
                tuple of its cells instead.
            seen: With the columns that no file has, as the screen shows them.
        """
        both = zip(columns_of(row), fields(row), strict=True)
        kept = [(about, one.name) for about, one in both if seen or about.filed]
        described = [about for about, _name in kept]
        names = [name for _about, name in kept]
        return Table(
            tuple(one.name for one in described),
            tuple(
                one if isinstance(one, tuple) else tuple(getattr(one, name) for name in names)
                for one in rows
            ),
            {one.name: one for one in described},
        )

    def plain(self) -> dict[str, Any]:
        """As JSON has it: names, and rows as lists; nothing of what is said of the columns."""
        return {"columns": self.columns, "rows": self.rows}

    def column(self, name: str) -> tuple[Cell, ...]:
        """The cells of a column."""
        at = self.columns.index(name)
        return tuple(row[at] for row in self.rows)

    def widened(
        self,
        columns: Sequence[str],
        cells: Iterable[Sequence[Cell]],
        about: Iterable[TableColumn] = (),
    ) -> "Table":
        """The same with more columns, and the cells of each row in them.

        Args:
            columns: Their names.
            cells: As many as columns, a row.
            about: What some of them are.
        """
        rows = tuple((*row, *more) for row, more in zip(self.rows, cells, strict=True))
        known = {**self.about, **{one.name: one for one in about}}
        return Table((*self.columns, *columns), rows, known)

    @property
    def headings(self) -> tuple[str, ...]:
        """What people read above the columns; in files and to scripts they keep their names."""
        return tuple(
            self.about[name].heading if name in self.about else name for name in self.columns
        )

    def described(self) -> tuple[TableColumn, ...]:
        """What each of the columns is, in their order."""
        return tuple(
            self.about.get(name) or TableColumn(name, is_number=self._has_numbers(name))
            for name in self.columns
        )

    def _has_numbers(self, name: str) -> bool:
        return not any(isinstance(cell, str | bool) for cell in self.column(name))
