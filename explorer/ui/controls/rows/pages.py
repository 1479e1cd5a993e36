"""Rows that are read a page at a time as they come into sight, and kept for a while."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Row = TypeVar("Row")

PAGE = 128
"""Rows read at once."""
PAGES = 32
"""Pages that are kept."""


class RowPages(Generic[Row]):
    """The rows of a table far longer than what is seen of it.

    Args:
        read: Gives rows from a first one up to another; fewer, or none, where they are gone.
    """

    def __init__(self, read: Callable[[int, int], Sequence[Row]]) -> None:
        self._read = read
        self._pages: OrderedDict[int, Sequence[Row]] = OrderedDict()

    def row(self, number: int) -> Row | None:
        """One of them; None where it is gone."""
        page = number // PAGE
        if page not in self._pages:
            self._pages[page] = self._read(page * PAGE, (page + 1) * PAGE)
            while len(self._pages) > PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(page)
        rows = self._pages[page]
        return rows[number % PAGE] if number % PAGE < len(rows) else None

    def forget(self) -> None:
        """They are others now."""
        self._pages.clear()

    def forget_from(self, number: int) -> None:
        """The page of a row was not full, and is now."""
        self._pages.pop(number // PAGE, None)
