"""What an attention view can be set to: a row of tools above all heads, one above the head."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSlider,
    QToolButton,
    QWidget,
)

from explorer.document import Document
from explorer.numerics.attention_patterns import MEASURES
from explorer.questions.attention.attention.question import AttentionResult
from explorer.ui.theme.icons import icon
from explorer.ui.views.attending.reading import (
    CHANGE,
    KIND_TITLES,
    meaning_of,
    meaning_of_choice,
    offered_measures,
    title_of,
)

SHOWN = (("both", "Both"), ("all", "All heads"), ("one", "One head"))
DRAWN = (("matrix", "Matrix"), ("lines", "Lines"))
SPECIAL = (
    ("shown", "Special: shown"),
    ("hidden", "Special: hidden"),
    ("renormalised", "Special: renormalised"),
)
NARROW = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
"""A combo box is no wider than it must be; its list shows the whole words."""

STEPS = 100
"""Of the threshold's slider, 0 to 1."""

DEFAULT_THRESHOLD = 0.05


class Segmented(QWidget):
    """A row of buttons of which exactly one is on.

    Signals:
        chosen: The option's key and its value; None for the first, which is the default.
    """

    chosen = Signal(str, object)

    def __init__(
        self, key: str, words: str, choices: Sequence[tuple[str, str]], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName(key.replace(".", "_"))
        self.setAccessibleName(words)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.buttons: dict[str, QToolButton] = {}
        self._first = choices[0][0]
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(1)
        for value, text in choices:
            button = QToolButton(self)
            button.setObjectName(f"{self.objectName()}_{value}")
            button.setText(text)
            button.setAccessibleName(f"{words}: {text}")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            told = None if value == self._first else value
            button.clicked.connect(lambda _on, told=told: self.chosen.emit(key, told))
            self._group.addButton(button)
            line.addWidget(button)
            self.buttons[value] = button

    def show_choice(self, value: Any) -> None:
        """Show a choice without telling; the first for one that is not there."""
        self.buttons.get(str(value), self.buttons[self._first]).setChecked(True)


class Tools(QWidget):
    """A wrapping row of tools; each tells a key of the document's options and its value.

    Signals:
        changed: Key and value; a value of None is the default.
        moved: The same of what changes while it is dragged or typed.
    """

    changed = Signal(str, object)
    moved = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Imported where it is used: superqt takes longer than all other modules of the views.
        from superqt import QFlowLayout

        self._row = QFlowLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)

    def choice(
        self,
        key: str,
        words: str,
        choices: Sequence[tuple[str, str]],
        *,
        in_row: bool = True,
    ) -> QComboBox:
        """A combo box; its first choice is the default."""
        box = QComboBox(self)
        box.setObjectName(key.replace(".", "_"))
        box.setAccessibleName(words)
        box.setToolTip(words)
        box.setSizeAdjustPolicy(NARROW)
        box.setMinimumContentsLength(12)
        for value, text in choices:
            box.addItem(text, value)
        box.activated.connect(
            lambda index: self.changed.emit(key, box.itemData(index) if index else None)
        )
        if in_row:
            self._row.addWidget(box)
        return box

    def switch(self, key: str, text: str, tip: str) -> QToolButton:
        """A button that is on or off; off is the default."""
        button = QToolButton(self)
        button.setObjectName(key.replace(".", "_"))
        button.setText(text)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setCheckable(True)
        self._row.addWidget(button)
        button.clicked.connect(lambda on: self.changed.emit(key, True if on else None))
        return button

    def segments(self, key: str, words: str, choices: Sequence[tuple[str, str]]) -> "Segmented":
        """Buttons of which exactly one is on; the first is the default."""
        made = Segmented(key, words, choices, self)
        made.chosen.connect(self.changed)
        self._row.addWidget(made)
        return made

    def add(self, widget: QWidget) -> None:
        """Take in a widget of another kind."""
        self._row.addWidget(widget)


class HeadsTools(Tools):
    """Above all heads: which attention, how it is read, in which order."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # It stands in the header of the view's frame, where there is room.
        self.show_what = Segmented("attention.show", "Show", SHOWN, self)
        self.show_what.chosen.connect(self.changed)
        self.show_what.hide()
        self.kind = self.choice("attention.kind", "Which attention", (), in_row=False)
        self.kind.hide()
        self.words = self.switch(
            "attention.words",
            "Words",
            "Pieces of a word as one: the weight to a word is the sum over its pieces, the weight "
            "from it their mean",
        )
        self.special = self.choice(
            "attention.special",
            "What becomes of special tokens; renormalised, they are hidden and rows sum to one",
            SPECIAL,
        )
        self.logarithmic = self.switch(
            "attention.log", "Log", "Colours by powers of ten, down to 1/10,000"
        )
        self.rank = self.choice("attention.rank", "Order of the heads", ())
        self.save = QToolButton(self)
        self.save.setObjectName("attention_save")
        self.save.setAccessibleName("Save all attention")
        self.save.setToolTip("Save the weights of every layer and head as one .npz file")
        self.save.setIcon(icon("content-save-outline", "text"))
        self.save.setIconSize(QSize(16, 16))
        self.save.hide()
        self.answer = QLineEdit(self)
        self.answer.setObjectName("attention_answer")
        self.answer.setAccessibleName("What the decoder reads")
        self.answer.setPlaceholderText("Decoder's text: what it writes itself")
        self.answer.setToolTip("A text for the decoder to read; empty for what it writes itself")
        self.answer.setMinimumWidth(230)
        self.answer.textEdited.connect(
            lambda text: self.moved.emit("attention.answer", text or None)
        )
        self.add(self.answer)
        self._offer_ranks((), change=False)

    def show_options(self, document: Document) -> None:
        """Show what a document is set to, without telling."""
        self.show_what.show_choice(document.option("attention.show", "both"))
        self.words.setChecked(bool(document.option("attention.words", False)))
        self.logarithmic.setChecked(bool(document.option("attention.log", False)))
        select(self.special, document.option("attention.special", "shown"))
        select(self.rank, document.option("attention.rank", ""))
        select(self.kind, document.option("attention.kind", ""))
        answer = str(document.option("attention.answer", ""))
        if self.answer.text() != answer:
            with QSignalBlocker(self.answer):
                self.answer.setText(answer)

    def show_result(
        self, result: AttentionResult | None, document: Document, *, change: bool
    ) -> None:
        """Offer what a result has."""
        kinds = result.kinds if result is not None else ()
        with QSignalBlocker(self.kind):
            self.kind.clear()
            for number, kind in enumerate(kinds):
                self.kind.addItem(KIND_TITLES[kind], kind if number else "")
            select(self.kind, document.option("attention.kind", ""))
        self.kind.setVisible(len(kinds) > 1)
        self.answer.setVisible("cross" in kinds)
        self._offer_ranks(offered_measures(result) if result is not None else (), change=change)
        select(self.rank, document.option("attention.rank", ""))

    def _offer_ranks(self, measures: Sequence[str], *, change: bool) -> None:
        titles = {measure.name: measure.title for measure in MEASURES}
        offered = [("", "By layer")]
        if change:
            offered.append((CHANGE, "Ranked: change"))
        offered += [(name, f"Ranked: {titles[name]}") for name in measures]
        if [self.rank.itemData(i) for i in range(self.rank.count())] == [k for k, _ in offered]:
            return
        with QSignalBlocker(self.rank):
            self.rank.clear()
            for index, (name, text) in enumerate(offered):
                self.rank.addItem(text, name)
                tip = meaning_of(name) or "A line a layer, a column a head"
                self.rank.setItemData(index, tip, Qt.ItemDataRole.ToolTipRole)


class HeadTools(Tools):
    """Above the head in full: which one, and how it is drawn."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.which = QComboBox(self)
        self.which.setObjectName("attention_head")
        self.which.setAccessibleName("Which head, or how several are made one")
        self.which.setSizeAdjustPolicy(NARROW)
        self.which.setMinimumContentsLength(10)
        self.which.activated.connect(
            lambda index: self.changed.emit("attention.head", self.which.itemData(index))
        )
        self.add(self.which)
        self.draw = self.segments("attention.draw", "Draw as", DRAWN)
        self.threshold = QSlider(Qt.Orientation.Horizontal, self)
        self.threshold.setObjectName("attention_threshold")
        self.threshold.setAccessibleName("Weights from which on a line is drawn")
        self.threshold.setToolTip("Weights from which on a line is drawn")
        self.threshold.setRange(0, STEPS)
        self.threshold.setFixedWidth(90)
        self.threshold.valueChanged.connect(
            lambda value: self.moved.emit("attention.threshold", value / STEPS)
        )
        self.threshold_label = QLabel(self)
        self.threshold_label.setProperty("role", "small")
        self.from_on = QWidget(self)
        line = QHBoxLayout(self.from_on)
        line.setContentsMargins(0, 4, 0, 0)
        line.addWidget(self.threshold_label)
        line.addWidget(self.threshold)
        self.add(self.from_on)
        self.show_threshold(DEFAULT_THRESHOLD)

    def show_options(self, document: Document) -> None:
        """Show what a document is set to, without telling."""
        drawn = document.option("attention.draw", "matrix")
        self.draw.show_choice(drawn)
        lines = drawn == "lines"
        self.from_on.setVisible(lines)
        self.show_threshold(threshold_of(document))

    def show_threshold(self, value: float) -> None:
        """Show a threshold, without telling."""
        self.threshold_label.setText(f"from {value:.2f} on")
        with QSignalBlocker(self.threshold):
            self.threshold.setValue(round(value * STEPS))

    def show_choices(self, result: AttentionResult | None, choice: str) -> None:
        """Offer the chosen head, and what can be made of several."""
        offered: list[str] = []
        if result is not None:
            layer = choice.partition(".")[0]
            offered = [choice]
            number = int(layer) if layer.isdecimal() else 0
            offered += [f"{number}.mean", f"{number}.max", "mean", "max"]
            if result.kind != "cross":
                offered += ["rollout", f"rollout.{number}"]
        offered = list(dict.fromkeys(offered))
        with QSignalBlocker(self.which):
            self.which.clear()
            for index, one in enumerate(offered):
                self.which.addItem(title_of(one), one)
                self.which.setItemData(index, meaning_of_choice(one), Qt.ItemDataRole.ToolTipRole)
            self.which.setCurrentIndex(0)
        self.which.setToolTip(meaning_of_choice(choice) or "Which head, or several as one")


def select(box: QComboBox, value: Any) -> None:
    """Show a choice without telling; the first where it is not offered."""
    with QSignalBlocker(box):
        box.setCurrentIndex(max(0, box.findData(value)) if box.count() else -1)


def threshold_of(document: Document) -> float:
    """The weight from which on lines are drawn."""
    value = document.option("attention.threshold", DEFAULT_THRESHOLD)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return min(max(float(value), 0.0), 1.0) if is_number else DEFAULT_THRESHOLD
