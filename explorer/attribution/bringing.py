"""The methods of plugins: what this process knows of them, once it was told where to look."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.attribution.foreign import ForeignMethod


def none_brought() -> "Mapping[str, ForeignMethod]":
    """What a process knows that was told of no plugins."""
    return {}


_finding: "list[Callable[[], Mapping[str, ForeignMethod]]]" = [none_brought]
"""The one way that methods of plugins are found in this process."""


def bring(find: "Callable[[], Mapping[str, ForeignMethod]]") -> None:
    """Let this process know the methods of its plugins, in the place of those it knew before."""
    _finding[0] = find
    brought.cache_clear()


@cache
def brought() -> "Mapping[str, ForeignMethod]":
    """The methods of plugins, by name; looked for when first named."""
    return _finding[0]()
