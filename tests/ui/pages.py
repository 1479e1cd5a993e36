"""Pages in tests: found by the name of their question, read and used as a user does."""

from typing import Any

from explorer.ui.blocks.block import Spot, page_of
from explorer.ui.blocks.shown import Shown
from explorer.ui.views import views


def kind_of(operation: str) -> Any:
    """The view of an operation."""
    return next(kind for kind in views() if kind.of.name == operation)


def spot(view: Any, key: Any) -> Spot:
    """The spot with a key."""
    return next(one for one in view.page.page.spots if one.key == key)


def choose(view: Any, key: Any) -> None:
    """Choose the spot with a key, as Enter does."""
    view.page.choose(spot(view, key))


def words_on(view: Any, **changes: Any) -> str:
    """All paragraphs of a page."""
    shown = view.shown(**changes)
    return said_in(view.declared, shown)


def said_in(page: Any, shown: Shown, width: float = 640.0) -> str:
    """All that a screen reader reads of a page's blocks."""
    return " ".join(node.name for node in page_of(list(page.blocks(shown)), width).nodes)
