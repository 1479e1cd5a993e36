"""A few named numbers: what an answer comes to, at a glance."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Cell, Table, TableColumn, column
from explorer.text import N_, _


@dataclass(frozen=True)
class Amount:
    """One number.

    Attributes:
        name: In files and summaries, as "comprehensiveness".
        title: What people read, a Phrase or marked for translation.
        value: None for what could not be had, which is left out where numbers are read.
        unit: Marked for translation; "" for none.
        digits: Behind the point where it is read; None for as many as tell it apart.
        words: What it means, for a tooltip; a Phrase or marked for translation.
        written: The number as people read it, in the place of `digits`.
        is_signed: It is a change, which is read with its sign.
        colour: Of the number, or of its bar, by its name in the theme.
        shown: Whether it stands on the page, beside its place in files and summaries.
        was: How much it was before; None where there is no before.
    """

    name: str
    title: str
    value: Cell
    unit: str = ""
    digits: int | None = None
    words: str = ""
    written: Callable[[Any], str] | None = None
    is_signed: bool = False
    colour: str = ""
    shown: bool = True
    was: int | float | None = None

    @property
    def said(self) -> str:
        """As people read it, with its unit."""
        about = TableColumn(
            self.name, digits=self.digits, written=self.written, is_signed=self.is_signed
        )
        number = about.said(self.value)
        # Whether there is a space between them is the language's.
        return _("{number} {unit}", number=number, unit=_(self.unit)) if self.unit else number

    def change_since(self, before: "Amount") -> str:
        """How it changed since it was another one, as people read it; "" for what is no number."""
        now, then = self.value, before.value
        if not isinstance(now, int | float) or not isinstance(then, int | float):
            return ""
        return replace(self, value=now - then, is_signed=True).said


@dataclass(frozen=True)
class AmountRow:
    """A number in a row of its own."""

    name: str = column(N_("quantity"), key=True)
    value: str | int | float | bool | None = column(N_("value"))
    unit: str = column(N_("unit"), compared=False)


class Look(StrEnum):
    """How amounts look."""

    NUMBERS = "numbers"
    """In a line, each large with its name below."""
    BARS = "bars"
    """Bars on one scale, with a line where each was before."""
    SHARES = "shares"
    """One bar, cut into the shares of a whole."""


@dataclass(frozen=True)
class Amounts(Part):
    """A few numbers.

    Attributes:
        amounts: In the order in which they are read.
        in_summary: Whether they are cells of the answer's summary, and rows of its files; False
            where another part has them there.
        look: How they look.
    """

    amounts: tuple[Amount, ...]
    in_summary: bool = True
    look: Look = Look.NUMBERS

    @property
    def known(self) -> tuple[Amount, ...]:
        """Those that could be had."""
        return tuple(one for one in self.amounts if one.value is not None)

    def parts_with_rows(self) -> Iterator[tuple[str, Part]]:
        """Itself, unless another part has its numbers."""
        return super().parts_with_rows() if self.in_summary else iter(())

    def table(self) -> Table:
        """A row a number."""
        return Table.of(AmountRow, (AmountRow(one.name, one.value, one.unit) for one in self.known))

    def summary(self) -> Mapping[str, Cell]:
        """A cell a number; one that could not be had has its column all the same."""
        return {one.name: one.value for one in self.amounts} if self.in_summary else {}
