"""Two models part by part, and which layers of one came from which of the other."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.api import FIRST, SECOND, Checkpoint, ModelCard
from explorer.document import Document
from explorer.questions.architecture.compare_architectures.question import (
    CHOSEN,
    OPERATION,
    CompareAnatomy,
    names_of,
)
from explorer.ui.blocks.painted import PaintedPage
from explorer.ui.document.gestures import set_options
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.dissecting.comparison import comparison_page
from explorer.ui.views.dissecting.picker import Picker
from explorer.ui.views.view import View
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.scrolling import scrolling

MARGIN = 14


class CompareAnatomyView(View):
    """Two lists to choose from, and below them the comparison."""

    of: ClassVar = OPERATION
    order = 72
    group = "Architecture"
    glyph = "file-compare"
    needs_model = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: Mapping[str, ModelCard] = {}
        self._active = ""
        self._now = Document()
        self.first = Picker("compareFirst", "The first model", self)
        self.first.chosen.connect(
            lambda name: self.option_changed.emit(CHOSEN[FIRST], name or None)
        )
        self.second = Picker("compareSecond", "The second model", self)
        self.second.chosen.connect(
            lambda name: self.option_changed.emit(CHOSEN[SECOND], name or None)
        )
        self.swap = QPushButton("Swap", self)
        self.swap.setObjectName("compareSwap")
        self.swap.setToolTip("Make the first the second")
        self.swap.clicked.connect(self._swap)
        self.page = PaintedPage("comparePage", self)
        self.page.setAccessibleName("Comparison of two architectures")
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(MARGIN, 6, MARGIN, MARGIN)
        column.addWidget(self.page)
        column.addStretch(1)
        self.area = scrolling(inside, "compareArea", self)
        self._bar = QWidget(self)
        bar = QHBoxLayout(self._bar)
        bar.setContentsMargins(0, 0, 0, 0)
        bar.addWidget(self.first, 1)
        bar.addWidget(self.swap)
        bar.addWidget(self.second, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.addWidget(self.area, 1)
        self.refresh()

    def tools(self) -> list[QWidget]:
        """The two lists; they stand above the page when there is nothing to show yet too."""
        return [self._bar]

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Loaded models are compared with their weights."""
        self._cards, self._active = cards, active
        mine, other = self._defaults()
        self.first.set_first(_words(cards, mine))
        self.second.set_first(_words(cards, other))

    def set_library(self, checkpoints: Iterable[Checkpoint]) -> None:
        """Offer every checkpoint whose config is known, here or not."""
        known = [(one.id, one.title) for one in checkpoints if one.family and one.architecture]
        self.first.set_choices(known)
        self.second.set_choices(known)

    def _defaults(self) -> tuple[str, str]:
        """The active slot, and the other one."""
        other = next((slot for slot in self._cards if slot != self._active), "")
        return (self._active if self._active in self._cards else ""), other

    def _names(self, document: Document) -> tuple[str, str]:
        """Ids of the two; "" where nothing is chosen or loaded."""
        found = names_of(self._cards, self._active, document)
        return found[FIRST], found[SECOND]

    def request_of(self, document: Document) -> CompareAnatomy | None:
        """Asked as soon as there are two."""
        first, second = self._names(document)
        return CompareAnatomy(first, second) if first and second else None

    def empty_hint(self, _document: Document) -> str:
        """Say how to choose two."""
        return (
            "Choose two models above: their weights need not be here. With both loaded, as A and "
            "B, their weights tell whose layers came from whose."
        )

    def set_document(self, document: Document) -> None:
        """Show which two are chosen."""
        self._now = document
        self.first.show_choice(str(document.option(CHOSEN[FIRST], "")))
        self.second.show_choice(str(document.option(CHOSEN[SECOND], "")))

    def refresh(self) -> None:
        """Paint what is held now."""
        result = self.result
        self.page.show_page(
            None if result is None else lambda width: comparison_page(result, width)
        )

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page as it is on screen."""
        return None if self.result is None else comparison_page(self.result, width).figure(theme)

    def _swap(self) -> None:
        first, second = self._names(self._now)
        if first and second:
            values = {CHOSEN[FIRST]: second, CHOSEN[SECOND]: first}
            self.edit_requested.emit(set_options(self._now, values, "swap the two models"))


def _words(cards: Mapping[str, ModelCard], slot: str) -> str:
    card = cards.get(slot)
    return f"{card.title} (loaded as {slot})" if card is not None else ""


VIEW = CompareAnatomyView
