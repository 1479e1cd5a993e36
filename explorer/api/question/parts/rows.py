"""Rows of any kind: what fits no other part, as files, pieces of a vocabulary, settings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from explorer.api.question.parts.gestures import Gesture
from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Cell, Table
from explorer.text import N_


@dataclass(frozen=True)
class Rows(Part):
    """A table whose rows are sorted by a click on a title.

    Attributes:
        kind: The dataclass that each row is; its fields say what the columns are.
        rows: In the order in which they are read first.
        bar: The column whose numbers have bars, by its name; "" for none.
        most: How many are drawn at most; files have all. None for all.
        second_bar: Another one, whose bars stand below; "" for none.
        bars: In the place of both: columns whose numbers have bars, one below the other, with the
            colours of bars and title by their names in the theme.
        scale: Both ends of the bars' axis; None for one that holds all bars.
        gesture: From a row to what choosing it does; None for nothing.
        words: From a row to what its tooltip says, a Phrase or marked for translation.
        below: From a row to a second line of it, as `words`.
        chosen: From a row to whether it stands out.
        group: The column whose cells stand above the rows that have them in common; "" for none.
        drawn: From a row to whether it is drawn; files have all. None for all.
        shades: From a row to how strongly each of its cells behind the first is coloured, from -1
            to 1, None for not at all; None for no colours.
        hidden: Columns that are not drawn with this answer, by their names.
        reads_whole: Words in the first column are not cut: the other columns take what is left.
        drops_empty: A column without any cell is not drawn.
    """

    TITLES: ClassVar[Mapping[str, str]] = {"rows": N_("rows")}

    kind: type
    rows: tuple[Any, ...]
    bar: str = ""
    most: int | None = None
    second_bar: str = ""
    bars: Mapping[str, str] = field(default_factory=dict)
    scale: tuple[float, float] | None = None
    gesture: Callable[[Any], Gesture | None] | None = None
    words: Callable[[Any], str] | None = None
    below: Callable[[Any], str] | None = None
    chosen: Callable[[Any], bool] | None = None
    group: str = ""
    drawn: Callable[[Any], bool] | None = None
    shades: Callable[[Any], Sequence[float | None]] | None = None
    hidden: tuple[str, ...] = ()
    reads_whole: bool = False
    drops_empty: bool = False

    def table(self) -> Table:
        """A column a field."""
        return Table.of(self.kind, self.rows)

    def seen(self) -> Table:
        """The same with the columns that only the screen has."""
        table = Table.of(self.kind, self.rows, seen=True)
        hidden = {*self.hidden}
        if self.drops_empty:
            hidden |= {name for name in table.columns if not {*table.column(name)} - {None}}
        unseen = {name: replace(table.about[name], shown=False) for name in hidden}
        return replace(table, about={**table.about, **unseen})

    def summary(self) -> Mapping[str, Cell]:
        """How many there are."""
        return {"rows": len(self.rows)} if self.in_files else {}
