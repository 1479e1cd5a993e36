"""Pages in tests: found by the name of their question, read and used as a user does."""

from typing import Any, TypeVar

from PySide6.QtGui import QImage, QPainter

from explorer.ui.blocks.block import Spot, page_of
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.text import Text
from explorer.ui.theme.schemes import theme_of
from explorer.ui.views import views

Part = TypeVar("Part")


def kind_of(question: str) -> Any:
    """The view of a question."""
    return next(kind for kind in views() if kind.of.name == question)


def spot(view: Any, key: Any) -> Spot:
    """The spot with a key."""
    return next(one for one in view.page.page.spots if one.key == key)


def choose(view: Any, key: Any) -> None:
    """Choose the spot with a key, as Enter does."""
    view.page.choose(spot(view, key))


def mask_cards(view: Any) -> Any:
    """The cards of masked tokens, by the position of their mask."""
    blocks = list(view.declared.blocks(view.shown())) if view.shown() is not None else []
    columns = [block for block in blocks if isinstance(block, Columns)]
    return {card.anchor: MaskCard(card) for card in columns[0].cards} if columns else {}


class MaskCard:
    """What a card of masked tokens holds."""

    def __init__(self, card: Card) -> None:
        self.position = card.anchor
        self.context = card.blocks[0].context
        self.notes = [block for block in card.blocks if isinstance(block, Text)]
        (self.table,) = (block for block in card.blocks if isinstance(block, BarTable))
        self.rows = self.table.rows

    @property
    def said(self) -> list[str]:
        """Its sentences."""
        return [one.text for one in self.notes]

    @property
    def changes(self) -> list[str]:
        """The column of differences to the pinned answer; empty where there is none."""
        return ["".join(row.cells[1:]) for row in self.rows]


def words_on(view: Any, **changes: Any) -> str:
    """All paragraphs of a page."""
    shown = view.shown(**changes)
    return said_in(view.declared, shown)


def said_in(page: Any, shown: Shown, width: float = 640.0) -> str:
    """All that a screen reader reads of a page's blocks."""
    return " ".join(node.name for node in page_of(page.drawn(shown), width).nodes)


def part(view: Any, kind: type[Part]) -> Part:
    """The widget of a kind that is a part of the page."""
    (found,) = (one for one in view.page.findChildren(kind) if not one.isHidden())
    return found


def has_part(view: Any, kind: type[Any]) -> bool:
    """Whether the page has a widget of a kind."""
    return any(not one.isHidden() for one in view.page.findChildren(kind))


def bars_in(view: Any, key: Any) -> tuple[int, int]:
    """How long the two bars are, in pixels, that a row of a page has on screen.

    Args:
        view: Of the page.
        key: Of the row's spot.
    """
    first, second, _grey = lengths_in(view, key)
    return first, second


def lengths_in(view: Any, key: Any) -> tuple[int, int, int]:
    """How long a row's two bars are, and the longer of the grey ones beneath them.

    Args:
        view: Of the page.
        key: Of the row's spot.
    """
    page, theme = view.page.page, theme_of("light")
    image = QImage(int(page.width), int(page.height) + 1, QImage.Format.Format_ARGB32)
    image.fill(theme.surface)
    painter = QPainter(image)
    page.paint(painter, theme)
    painter.end()
    box = spot(view, key).box
    lines = range(int(box.top()), int(box.bottom()))
    first, second, grey = (
        max(sum(image.pixel(x, y) == colour.rgb() for x in range(image.width())) for y in lines)
        for colour in (theme.bar, theme.bar_second, theme.border)
    )
    return first, second, grey
