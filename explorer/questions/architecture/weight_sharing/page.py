"""Which weights a generator and its discriminator share, tensor by tensor."""

from collections.abc import Mapping
from typing import ClassVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.architecture.weight_sharing.question import OPERATION, EmbeddingSharing
from explorer.questions.detection.pair_of_models import NEEDS_A_DISCRIMINATOR, Pair
from explorer.ui.sentence.token_layout import text_height
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.detection.loop_figure import MeasureBoard
from explorer.ui.views.detection.measure_card import MeasureCard
from explorer.ui.views.detection.sharing_measures import sharing_measures, verdict
from explorer.ui.views.state_pages import label
from explorer.ui.views.view import View
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.text_block import paint_block, wrapped


class EmbeddingSharingView(View):
    """A sentence that says it, and a row for every tensor both have."""

    of: ClassVar = OPERATION
    order = 34
    group = "Detection"
    glyph = "link-variant"
    elsewhere = NEEDS_A_DISCRIMINATOR
    second_model_hint = (
        "This view compares the weights of a discriminator and its generator. Load the pair: the "
        "library does it with one click."
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pair = Pair({}, "A")
        self._cards: Mapping[str, ModelCard] = {}
        self.verdict = label("sharingVerdict", "body", self)
        board = QWidget(self)
        self.embeddings = MeasureCard("sharedEmbeddings", board)
        self.layers = MeasureCard("sharedLayers", board)
        column = QVBoxLayout(board)
        column.setContentsMargins(14, 4, 14, 14)
        column.setSpacing(12)
        column.addWidget(self.embeddings)
        column.addWidget(self.layers)
        column.addStretch(1)
        self.area = QScrollArea(self)
        self.area.setObjectName("sharingArea")
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidget(board)
        top = QVBoxLayout()
        top.setContentsMargins(14, 0, 14, 0)
        top.addWidget(self.verdict)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(top)
        layout.addWidget(self.area, 1)
        self.refresh()

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Find out which is the discriminator; any other model may be compared with it."""
        self._cards = cards
        self.pair = Pair(cards, active)

    def request_of(self, _document: Document) -> EmbeddingSharing | None:
        """Asked as soon as both are loaded; it does not depend on the sentence."""
        if not self.pair.discriminator:
            return None
        return EmbeddingSharing()

    def empty_hint(self, _document: Document) -> str:
        """Say what it takes."""
        return self.second_model_hint

    def refresh(self) -> None:
        """Draw what is held now."""
        result = self.result
        measures = sharing_measures(result) if result is not None else ()
        self.verdict.setText("" if result is None else verdict(result))
        for card, number in ((self.embeddings, 0), (self.layers, 1)):
            card.setVisible(number < len(measures))
            if number < len(measures):
                card.show_measure(measures[number])

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The sentence and every row."""
        if self.result is None:
            return None
        lines = wrapped("body", verdict(self.result), width)
        words = len(lines) * text_height("body") + 10
        board = MeasureBoard(sharing_measures(self.result), width, width)

        def paint(painter: QPainter) -> None:
            paint_block(painter, QRectF(0, 0, width, words), lines, "body", theme.text)
            board.paint(painter, theme, words)

        return Figure(width, words + board.height, paint)


VIEW = EmbeddingSharingView
