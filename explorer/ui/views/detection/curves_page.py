"""The page "How it learned": learning curves on cards, or a sentence where there are none."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from explorer.paths import Paths
from explorer.ui.views.detection.curves import MISSING, curve_measures, read_curves
from explorer.ui.views.detection.measure_card import MeasureCard
from explorer.ui.views.state_pages import label
from explorer.ui.widgets.column_flow import ColumnFlow

ABOUT = (
    "Four short runs on the miniatures' texts, with the same seed, texts and masks: ELECTRA with "
    "shared, gradient-disentangled (DeBERTa v3) and separate embeddings, and a masked language "
    "model of the discriminator's size."
)


def curves_file() -> Path:
    """Where the bundled curves are."""
    return Paths.standard().resources / "curves" / "electra.json"


class CurvesPage(QScrollArea):
    """Reads the curves when it is first shown."""

    def __init__(self, parent: QWidget | None = None, file: Path | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("curvesPage")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._file = file
        self.is_filled = False
        board = QWidget(self)
        self.about = label("curvesAbout", "small", board)
        self._cards = QWidget(board)
        self._flow = ColumnFlow(self._cards, narrowest=320, widest=620, gap=12)
        self._flow.setContentsMargins(0, 0, 0, 0)
        column = QVBoxLayout(board)
        column.setContentsMargins(14, 6, 14, 14)
        column.setSpacing(10)
        column.addWidget(self.about)
        column.addWidget(self._cards)
        column.addStretch(1)
        self.setWidget(board)

    def fill(self) -> None:
        """Read the file and draw what is in it, once."""
        if self.is_filled:
            return
        self.is_filled = True
        curves = read_curves(self._file or curves_file())
        self.about.setText(MISSING if curves is None else ABOUT)
        if curves is None:
            return
        for number, measure in enumerate(curve_measures(curves)):
            card = MeasureCard(f"curveCard{number}", self._cards)
            card.show_measure(measure)
            self._flow.addWidget(card)
            card.show()
