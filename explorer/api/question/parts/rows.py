"""Rows of any kind: what fits no other part, as files, pieces of a vocabulary, settings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from explorer.api.question.parts.part import Part
from explorer.api.question.rows import Cell, Table
from explorer.text import N_


@dataclass(frozen=True)
class Rows(Part):
    """A table whose rows are sorted by a click on a title.

    Attributes:
        kind: The dataclass that each row is; its fields say what the columns are.
        rows: In the order in which they are read first.
        bar: The column whose numbers have bars, by its name; "" for none.
        most: Rows that are drawn; files have all. None for all.
        shades: From a row to how strongly each of its cells behind the first is coloured, from -1
            to 1, None for not at all; None for no colours.
    """

    TITLES: ClassVar[Mapping[str, str]] = {"rows": N_("rows")}

    kind: type
    rows: tuple[Any, ...]
    bar: str = ""
    most: int | None = None
    shades: Callable[[Any], Sequence[float | None]] | None = None

    def table(self) -> Table:
        """A column a field."""
        return Table.of(self.kind, self.rows)

    def summary(self) -> Mapping[str, Cell]:
        """How many there are."""
        return {"rows": len(self.rows)}
