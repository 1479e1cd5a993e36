"""The masks that training would draw on the sentence, step by step and over epochs."""

from collections.abc import Mapping
from typing import ClassVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.masking.masking_policy.question import (
    MOST_EPOCHS,
    OPERATION,
    TrainingMask,
    TrainingMaskResult,
)
from explorer.ui.blocks.block import Laid, LaidPage, stack
from explorer.ui.blocks.painted import PaintedPage
from explorer.ui.blocks.text import Words
from explorer.ui.icons import icon
from explorer.ui.theme import Theme
from explorer.ui.views.mask_card_text import left_out_said
from explorer.ui.views.training.epochs import Beside, EpochGrid, grid_width
from explorer.ui.views.training.legend import Legend
from explorer.ui.views.training.steps import Steps
from explorer.ui.views.training.wording import (
    POLICIES,
    STATIC_DYNAMIC,
    WHY_THREE,
    count,
    legend,
    met,
    verdict,
)
from explorer.ui.views.view import View
from explorer.ui.widgets.column_flow import ColumnFlow
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.pieces import Piece, of_tokens
from explorer.ui.widgets.scrolling import scrolling

MARGIN = 14
MOST_SEEDS = 999_999
DEAR = 4e11
"""Multiplications above which the question waits for the Run button: some seconds on a CPU."""


class TrainingMaskView(View):
    """Rates to set, one draw in full, and the draws of many epochs."""

    of: ClassVar = OPERATION
    order = 18
    group = "Masking"
    glyph = "dice-multiple-outline"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asked = TrainingMask("")
        self._copies, self._shown = 1, 0
        self._parameters = 0
        self.policy = QComboBox(self)
        self.policy.setObjectName("maskPolicy")
        self.policy.setAccessibleName("Which tokens are chosen together")
        for number, (one, (words, said)) in enumerate(POLICIES.items()):
            self.policy.addItem(words, one.value)
            self.policy.setItemData(number, said, Qt.ItemDataRole.ToolTipRole)
        self.policy.activated.connect(
            lambda row: self.option_changed.emit("training_mask.policy", self.policy.itemData(row))
        )
        self.policy.hide()
        self.again = QPushButton(icon("dice-5-outline"), "Draw again", self)
        self.again.setObjectName("drawAgain")
        self.again.setToolTip("Draw with the next seed")
        self.again.clicked.connect(
            lambda: self.option_changed.emit("training_mask.seed", self._asked.seed + 1)
        )
        self.again.hide()
        self.selected = self._number("selected", "Chosen", 1, 100, " %")
        self.masked = self._number("masked", "Masked", 0, 100, " %")
        self.random = self._number("random", "Random", 0, 100, " %")
        self.epochs = self._number("epochs", "Epochs", 1, MOST_EPOCHS)
        self.copies = self._number("copies", "Static draws", 1, MOST_EPOCHS)
        self.copies.setToolTip("How many masks static masking draws of each text; BERT drew 10.")
        self.seed = self._number("seed", "Seed", 0, MOST_SEEDS)
        self.page = PaintedPage("trainingPage", self)
        self.page.setAccessibleName("Training mask")
        self.page.chosen.connect(self._chosen)
        self._lay_out()

    def _number(self, name: str, words: str, low: int, high: int, unit: str = "") -> QSpinBox:
        box = QSpinBox(self)
        box.setObjectName(f"training_{name}")
        box.setAccessibleName(words)
        box.setRange(low, high)
        box.setSuffix(unit)
        scale = 100.0 if unit else 1
        box.valueChanged.connect(
            lambda value: (
                self.option_moved.emit(f"training_mask.{name}", value / scale)
                if unit
                else self.option_moved.emit(f"training_mask.{name}", value)
            )
        )
        return box

    def _lay_out(self) -> None:
        controls = QWidget(self)
        flow = ColumnFlow(controls, narrowest=132, widest=190, gap=12)
        flow.setContentsMargins(0, 0, 0, 0)
        boxes = (self.selected, self.masked, self.random, self.epochs, self.copies, self.seed)
        for box in boxes:
            item = QWidget(controls)
            row = QHBoxLayout(item)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(6)
            words = QLabel(box.accessibleName(), item)
            words.setProperty("role", "small")
            row.addWidget(words, 1)
            row.addWidget(box)
            flow.addWidget(item)
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(MARGIN, 2, MARGIN, MARGIN)
        column.setSpacing(10)
        column.addWidget(controls)
        column.addWidget(self.page)
        column.addStretch(1)
        self.area = scrolling(inside, "trainingArea", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)

    def request_of(self, document: Document) -> TrainingMask | None:
        """Asked as soon as there is text."""
        return TrainingMask.of(document) if document.text.strip() else None

    def empty_hint(self, document: Document) -> str:
        """Say what will be seen."""
        if not document.text.strip():
            return "Type a sentence to see which of its tokens training would hide."
        return (
            "The model predicts the masks of every epoch, which takes it a while for so long a "
            "text. Press Run to see them."
        )

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Know how dear a question is."""
        card = cards.get(active)
        self._parameters = card.parameters if card is not None else 0

    def on_demand(self, document: Document) -> bool:
        """A long text over many epochs in a large model takes long."""
        tokens = 1.5 * len((document.text + " " + (document.pair or "")).split())
        return self._parameters * tokens * TrainingMask.of(document).epochs > DEAR

    def set_document(self, document: Document) -> None:
        """Show the rates, and the draw that is looked at."""
        asked = self._asked = TrainingMask.of(document)
        with QSignalBlocker(self.policy):
            self.policy.setCurrentIndex(self.policy.findData(asked.policy.value))
        self.policy.setToolTip(POLICIES[asked.policy][1])
        copies = document.option("training_mask.copies", 1)
        shown = document.option("training_mask.draw", 0)
        self._copies = copies if isinstance(copies, int) and copies > 0 else 1
        self._shown = shown if isinstance(shown, int) and shown >= 0 else 0
        with QSignalBlocker(self.random):
            self.random.setMaximum(100 - round(asked.masked * 100))
        for box, value in (
            (self.selected, round(asked.selected * 100)),
            (self.masked, round(asked.masked * 100)),
            (self.random, round(asked.random * 100)),
            (self.epochs, asked.epochs),
            (self.copies, self._copies),
            (self.seed, asked.seed),
        ):
            if box.value() != value:
                with QSignalBlocker(box):
                    box.setValue(value)
        self.refresh()

    def tools(self) -> list[QWidget]:
        """The policy and the dice; the frame takes them over."""
        self.policy.show()
        self.again.show()
        return [self.policy, self.again]

    def refresh(self) -> None:
        """Paint what is held now."""
        self.page.show_page(self._page_at if self.result is not None else None)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page as it is on screen."""
        return self._page_at(width).figure(theme) if self.result is not None else None

    def _page_at(self, width: float) -> LaidPage:
        result: TrainingMaskResult = self.result
        asked = TrainingMask.of(self.document) if self.document is not None else self._asked
        shown = min(self._shown, len(result.draws) - 1)
        draw = result.draws[shown]
        pieces = of_tokens(result.tokens, self.document)
        blocks: list[tuple[float, Laid]] = []
        missing = left_out_said(result.left_out)
        if missing:
            blocks.append((0, Words(missing, width, "small", "warning")))
        blocks.append((4, Words(verdict(result, draw, shown), width)))
        blocks.append((12, Steps(pieces, draw, width)))
        blocks.append((12, Legend(legend(asked), width)))
        said = " ".join(part for part in (POLICIES[asked.policy][1], result.note) if part)
        blocks.append((6, Words(said, width, "small", "muted")))
        blocks.append((20, Words("Over epochs", width, "title")))
        blocks.append((8, self._grids(pieces, shown, width)))
        blocks.append((10, Words(STATIC_DYNAMIC, width, "small", "muted")))
        blocks.append((6, Words(WHY_THREE, width, "small", "muted")))
        return stack(blocks, width)

    def _grids(self, pieces: tuple[Piece, ...], shown: int, width: float) -> Beside:
        result: TrainingMaskResult = self.result
        candidates = [pieces[position] for position in result.candidates]
        epochs = range(len(result.draws))
        wide = grid_width(width)
        copies = min(self._copies, len(result.draws))
        again = "the same masks" if copies == 1 else f"{count(copies, 'draw')} in turn"
        static = EpochGrid(
            f"Static: {again}",
            met(result, copies) + ".",
            candidates,
            [epoch % copies for epoch in epochs],
            result.draws,
            shown,
            wide,
        )
        dynamic = EpochGrid(
            "Dynamic: new masks every epoch",
            met(result, None) + ".",
            candidates,
            list(epochs),
            result.draws,
            shown,
            wide,
        )
        return Beside(static, dynamic, width)

    def _chosen(self, key: tuple[str, int]) -> None:
        kind, number = key
        if kind == "draw":
            self.option_changed.emit("training_mask.draw", number)
        else:
            self.select_requested.emit(number)


VIEW = TrainingMaskView
