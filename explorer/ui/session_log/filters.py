"""Which runs the session log shows: words, question, model, time, stars."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from explorer.sessions.read.listing import RunFilter
from explorer.text import N_, _
from explorer.ui.controls.search_field import SearchField
from explorer.ui.session_log.queries import LogPage
from explorer.ui.session_log.table import title_of
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon

TYPING_PAUSE_MS = 150
TIMES = ((N_("Any time"), None), (N_("Today"), 0), (N_("Last 7 days"), 7), (N_("Last 30 days"), 30))
"""What the list says, and how many days before today it begins."""


class LogFilters(QWidget):
    """The row of filters.

    Signals:
        changed: Another choice, or words that have settled.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchField(self)
        self.search.setObjectName("log_search")
        self.search.setAccessibleName(_("Search the session log"))
        self.search.setPlaceholderText(_("Search texts, answers and notes"))
        self.question = self._box("log_operation", _("All questions"), _("Question"))
        self.model_box = self._box("log_model", _("All models"), _("Model"))
        self.time = self._box("log_time", _(TIMES[0][0]), _("Time"))
        for text, days in TIMES[1:]:
            self.time.addItem(_(text), days)
        self.starred = QToolButton(self)
        self.starred.setObjectName("log_starred")
        self.starred.setAccessibleName(_("Only runs with a star"))
        self.starred.setToolTip(_("Only runs with a star"))
        self.starred.setIcon(icon("star-outline", "text"))
        icon_in_size(self.starred)
        self.starred.setCheckable(True)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(8, 8, 8, 0)
        row.addWidget(self.search, 1)
        for widget in (self.question, self.model_box, self.time, self.starred):
            row.addWidget(widget)
        self.search.textChanged.connect(lambda _: self._pause.start())
        self.search.returnPressed.connect(self._settled)
        for box in self.boxes:
            box.activated.connect(lambda _: self._settled())
        self.starred.toggled.connect(lambda _: self._settled())

    @property
    def wanted(self) -> RunFilter:
        """What is chosen."""
        return RunFilter(
            self.search.text().strip(),
            self.question.currentData(),
            self.model_box.currentData(),
            starred=True if self.starred.isChecked() else None,
            since=_since(self.time.currentData()),
        )

    def take_over(self, other: "LogFilters") -> None:
        """Choose what another row of filters has chosen."""
        self.blockSignals(True)
        self.search.setText(other.search.text())
        for box, chosen in zip(self.boxes, other.boxes, strict=True):
            data = chosen.currentData()
            if data is not None and box.findData(data) < 0:
                box.addItem(chosen.currentText(), data)
            box.setCurrentIndex(max(0, box.findData(data)) if data is not None else 0)
        self.starred.setChecked(other.starred.isChecked())
        self._pause.stop()
        self.blockSignals(False)

    @property
    def boxes(self) -> tuple[QComboBox, QComboBox, QComboBox]:
        """The lists that one chooses from."""
        return self.question, self.model_box, self.time

    def add(self, button: QPushButton) -> None:
        """Put a button at the end of the row."""
        self._row.addWidget(button)

    def offer(self, page: LogPage, title_of_model: Callable[[str], str]) -> None:
        """Fill the lists with what is in the log.

        Args:
            page: Knows what there is.
            title_of_model: What is read for a model, by its id.
        """
        questions = [(title_of(name), name) for name in page.operations]
        _offer(self.question, questions)
        _offer(self.model_box, [(title_of_model(name), name) for name in page.model_ids])

    def name_models(self, title_of_model: Callable[[str], str]) -> None:
        """Write the models as they are called now."""
        for at in range(1, self.model_box.count()):
            self.model_box.setItemText(at, title_of_model(self.model_box.itemData(at)))

    def _settled(self) -> None:
        self._pause.stop()
        self.changed.emit()

    def _box(self, name: str, everything: str, spoken: str) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(name)
        box.setAccessibleName(_("{what} filter", what=spoken))
        box.addItem(everything, None)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        return box


def _since(days: int | None) -> str | None:
    """The beginning, in UTC, of the local day so many days ago."""
    if days is None:
        return None
    midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight - timedelta(days=days)).astimezone(UTC).isoformat()


def _offer(box: QComboBox, entries: list[tuple[str, str]]) -> None:
    """Fill a filter's list, keeping what is chosen."""
    chosen = box.currentData()
    if chosen is not None and chosen not in [name for _, name in entries]:
        entries = [*entries, (chosen, chosen)]
    if [box.itemData(i) for i in range(1, box.count())] == [name for _, name in entries]:
        return
    box.blockSignals(True)
    while box.count() > 1:
        box.removeItem(1)
    for title, name in entries:
        box.addItem(title, name)
    box.setCurrentIndex(max(0, box.findData(chosen)) if chosen is not None else 0)
    box.blockSignals(False)
