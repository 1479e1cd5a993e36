"""How often, from which seed on, and over which file."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QSpinBox, QToolButton, QWidget

from explorer.ui.theme.icons import icon
from explorer.ui.views.state_pages import label

HEIGHT = 28
FILES = "Sentences (*.txt *.csv *.tsv)"


class ManyControls(QWidget):
    """Number of draws, first seed, and the file with how much of it is read.

    Signals:
        draws_changed: How often each sentence is corrupted.
        seed_changed: Of the first draw.
        limit_changed: Sentences of a file.
        file_chosen: Its path.
        file_dropped: The sentence on screen is asked about again.
    """

    draws_changed = Signal(int)
    seed_changed = Signal(int)
    limit_changed = Signal(int)
    file_chosen = Signal(str)
    file_dropped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("manyControls")
        self.draws = _number("manyDraws", "Draws of each sentence", " draws", 1, 10_000, self)
        self.draws.valueChanged.connect(self.draws_changed)
        self.seed = _number("manySeed", "Seed of the first draw", "", 0, 999_999, self)
        self.seed.setPrefix("from seed ")
        self.seed.valueChanged.connect(self.seed_changed)
        self.limit = _number("manyLimit", "Sentences that are read", " sentences", 1, 100_000, self)
        self.limit.setPrefix("at most ")
        self.limit.valueChanged.connect(self.limit_changed)
        self.name = label("manyFile", "small", self)
        self.name.setWordWrap(False)
        self.drop = QToolButton(self)
        self.drop.setObjectName("manyDropFile")
        self.drop.setText("Back to the sentence")
        self.drop.setIcon(icon("close", "text"))
        self.drop.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.drop.clicked.connect(self.file_dropped)
        self.file = QToolButton(self)
        self.file.setObjectName("manyOpenFile")
        self.file.setText("File of sentences…")
        self.file.setIcon(icon("folder-open-outline", "text"))
        self.file.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.file.setToolTip("Corrupt and judge every sentence of a text file or table")
        self.file.clicked.connect(self.open_file)
        self.file.hide()
        # Imported where it is used: superqt takes longer than all other modules of the views.
        from superqt import QFlowLayout

        row = QFlowLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setHorizontalSpacing(8)
        row.setVerticalSpacing(6)
        # What may be hidden comes last: the flow leaves a gap for it.
        for widget in (self.draws, self.seed, self.limit, self.name, self.drop):
            widget.setFixedHeight(HEIGHT)
            row.addWidget(widget)

    def open_file(self) -> None:
        """Ask for a file."""
        dialog = QFileDialog(self, "Open sentences")
        dialog.setObjectName("file_dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([FILES, "All files (*)"])
        dialog.fileSelected.connect(self.file_chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def show_options(self, *, draws: int, seed: int, limit: int, path: str) -> None:
        """Show what is set, without telling."""
        for box, value in ((self.draws, draws), (self.seed, seed), (self.limit, limit)):
            box.blockSignals(True)
            box.setValue(value)
            box.blockSignals(False)
        self.limit.setVisible(bool(path))
        self.name.setVisible(bool(path))
        self.name.setText(Path(path).name)
        self.name.setToolTip(path)
        self.drop.setVisible(bool(path))


def _number(name: str, words: str, suffix: str, low: int, high: int, parent: QWidget) -> QSpinBox:
    box = QSpinBox(parent)
    box.setObjectName(name)
    box.setAccessibleName(words)
    box.setToolTip(words)
    box.setRange(low, high)
    box.setSuffix(suffix)
    box.setKeyboardTracking(False)
    return box
