"""What the views of a teacher and its student have in common."""

from collections.abc import Mapping
from typing import ClassVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QScrollArea, QToolButton, QVBoxLayout, QWidget

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.distillation.soft_targets.question import SWAPPED
from explorer.ui.blocks.painted import PaintedPage
from explorer.ui.blocks.shown import Shown
from explorer.ui.theme.icons import icon
from explorer.ui.views.distilling.roles import SECOND_MODEL, Pair, pair_caption, pair_of
from explorer.ui.views.view import View

SIDE = 14
"""Left and right of everything, in pixels."""


class PairView(View):
    """Asks two models: A teaches and B learns, or the other way round.

    Attributes:
        swap: The button that exchanges the two.
        options: The document whose options are drawn.
        cards: The loaded models, by slot.
    """

    group = "Distillation"
    second_model_hint: ClassVar[str] = SECOND_MODEL

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: Mapping[str, ModelCard] = {}
        self.options = Document()
        self.swap = QToolButton(self)
        self.swap.setObjectName("swapModels")
        self.swap.setAccessibleName("Swap teacher and student")
        self.swap.setToolTip("Swap teacher and student: B teaches and A learns, or back")
        self.swap.setIcon(icon("swap-horizontal", "text"))
        self.swap.setCheckable(True)
        self.swap.hide()
        self.swap.clicked.connect(lambda on: self.option_changed.emit(SWAPPED, on or None))

    def set_models(self, cards: Mapping[str, ModelCard], _active: str) -> None:
        """Keep what is known of the models."""
        self.cards = dict(cards)

    def tools(self) -> list[QWidget]:
        """The swap; the frame takes it over."""
        self.swap.show()
        return [self.swap]

    def take_options(self, document: Document) -> bool:
        """Keep the document whose options are drawn.

        Returns:
            Whether there is an answer that must be drawn anew.
        """
        before, self.options = self.options, document
        with QSignalBlocker(self.swap):
            self.swap.setChecked(document.option(SWAPPED, False) is True)
        return self.result is not None and before.options != document.options

    def pair(self) -> Pair:
        """The names of the two models of the answer."""
        return pair_of(self.result.model, self.result.other, self.cards)

    def scrolling(self, name: str, *parts: QWidget) -> QScrollArea:
        """A scroll area with widgets below each other."""
        area = QScrollArea(self)
        area.setObjectName(name)
        inside = QWidget(area)
        column = QVBoxLayout(inside)
        column.setContentsMargins(SIDE, 4, SIDE, 18)
        column.setSpacing(10)
        for part in parts:
            column.addWidget(part)
        column.addStretch(1)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        return area

    def painted(self, name: str, title: str) -> PaintedPage:
        """A page of this view."""
        page = PaintedPage(name, self)
        page.setAccessibleName(title)
        return page

    def caption(self) -> str:
        """Both models: the caption names the one that answered, here the other is added."""
        if self.result is None or self.document is None:
            return ""
        shown = Shown(self.result, self.document, self.options, self.baseline, self.cards)
        return super().caption() + pair_caption(shown)
