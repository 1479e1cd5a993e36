"""How the live parts of a page are looked at, which nobody else knows: handed to another page.

A part begins as its content says: zoomed out, its columns as wide as their cells. What the user
made of that goes to the part that takes its place when the page is made anew, as in another
language.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget

Make = Callable[[QWidget], Any]


@runtime_checkable
class HasLook(Protocol):
    """A part that can be looked at in more than one way."""

    def look(self) -> Any:
        """How it is looked at; None where that is as it began. No words in any language."""

    def take_look(self, look: Any) -> None:
        """Be looked at as a part of the same kind was, as far as the content is the same."""


class Looks:
    """What parts that are to come take over from those of another page, each from its like.

    Args:
        looks: Of the other page's parts, from above: what made each, and how it was looked at.
    """

    def __init__(self, looks: Sequence[tuple[Make, Any]] = ()) -> None:
        self._looks = list(looks)

    def and_of(self, parts: Sequence[tuple[Make, Any]]) -> "Looks":
        """Those of parts that were made meanwhile, before what is still to come."""
        found = [(make, one.look() if isinstance(one, HasLook) else None) for make, one in parts]
        return Looks([*found, *self._looks[len(found) :]])

    def hand_on(self, number: int, make: Make, part: Any) -> None:
        """Give a part that was made just now what the one at its place had; once."""
        if number >= len(self._looks):
            return
        kind, look = self._looks[number]
        if kind is make and look is not None:
            self._looks[number] = (kind, None)
            part.take_look(look)
