"""All heads of all layers on a page, small: one is chosen, others may be added to it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import Spot
from explorer.ui.blocks.panel import LaidPart
from explorer.ui.blocks.spacing import Space
from explorer.ui.guarded import guarded
from explorer.ui.matrices.heads.grid import HeadGrid
from explorer.ui.matrices.heads.painting import (
    GridContent,
    Head,
    arrange,
    grid_figure,
    head_at,
    picture_layout,
)
from explorer.ui.theme.schemes import Theme

TOLD_APART = 40.0
"""Pixels of a head that can be told from another."""


@dataclass(frozen=True)
class AllHeads:
    """What the widget shows.

    Attributes:
        grid: The heads.
        chosen: The one that is shown in full; None for none of them.
        also: Others, each with a colour.
        describe: What is said of a head.
        choose: The gesture that chooses a head.
        toggle: The gesture that adds a head to the chosen one, or takes it away; None for nothing.
        name: For a screen reader.
    """

    grid: GridContent
    chosen: Head | None
    also: tuple[tuple[Head, QColor], ...]
    describe: Callable[[Head], str]
    choose: Callable[[Head], Any]
    toggle: Callable[[Head], Any]
    name: str


@dataclass(frozen=True)
class HeadsBlock:
    """A block of a page: it takes what height is left in the window.

    Attributes:
        heads: What is shown.
        above: The room above it.
    """

    heads: AllHeads
    above: Space = Space.NEAR
    fills: bool = True

    def at(self, width: float) -> "LaidHeads":
        """As high as the heads are wide."""
        return LaidHeads(self.heads, width, picture_layout(self.heads.grid, width).height)

    def filling(self, width: float, height: float) -> "LaidHeads":
        """In a room; higher where a head could not be told from another, and then scrolled."""
        grid = self.heads.grid
        wanted = max(height, grid.layers * min(width / max(grid.heads, 1), TOLD_APART) * 1.2 + 60)
        return LaidHeads(self.heads, width, max(wanted, arrange(grid, width, wanted).height))


class LaidHeads(LaidPart):
    """Heads at a size."""

    def __init__(self, heads: AllHeads, width: float, height: float) -> None:
        super().__init__(width, height, HeadsView, heads, heads.name)
        self.heads = heads

    def told(self) -> list[Spot]:
        """Every head in words."""
        heads, grid = self.heads, self.heads.grid
        at = arrange(grid, self.width, self.height)
        found = []
        for index in range(grid.count):
            head = head_at(grid, index)
            words = heads.describe(head).replace("\n", ", ")
            found.append(Spot(at.box(index), ("head", *head), "", words, heads.choose(head)))
        return found

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """All heads, whatever part is zoomed in on."""
        grid_figure(self.heads.grid, self.width, theme).paint(painter)


@guarded
class HeadsView(HeadGrid):
    """The heads as a part of a page.

    Signals:
        chosen: None; a page's part has it.
        acted: A gesture: choose a head, or add it.
    """

    chosen = Signal(object)
    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heads: AllHeads | None = None
        self.picked.connect(self._choose)
        self.toggled.connect(self._toggle)

    def show_content(self, heads: AllHeads) -> None:
        """Show others."""
        self._heads = heads
        self.describe = heads.describe
        self.setAccessibleName(heads.name)
        self.set_content(heads.grid)
        self.set_chosen(heads.chosen, heads.also)

    def _choose(self, layer: int, head: int) -> None:
        if self._heads is not None:
            self.acted.emit(self._heads.choose((layer, head)))

    def _toggle(self, layer: int, head: int) -> None:
        gesture = self._heads.toggle((layer, head)) if self._heads is not None else None
        if gesture is not None:
            self.acted.emit(gesture)
