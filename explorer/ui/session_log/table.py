"""The session log as a table: newest first, more when scrolled to."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from explorer.questions import all_questions
from explorer.sessions.log.headline import headline_said
from explorer.sessions.records import RunSummary
from explorer.text import N_, _, said
from explorer.text.bidi import isolated
from explorer.text.formatting import dates, quantities
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.notices import wording
from explorer.ui.session_log.queries import PAGE, LogPage
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import current_theme

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()

RUN = int(Qt.ItemDataRole.UserRole) + 1
COLUMNS = ("", N_("Time"), N_("Question"), N_("Model"), N_("Text"), N_("Answer"), N_("Took"))
SENTENCE_ENDS = ".。"
STAR, TIME, QUESTION, MODEL, TEXT, ANSWER, TOOK = range(len(COLUMNS))


def title_of(question: str) -> str:
    """A question's title; its name where this version does not know it."""
    known = all_questions().get(question)
    return _(known.title) if known is not None else question


def text_of(run: RunSummary) -> str:
    """What was asked about, with brackets around what was masked.

    It is "" for a question that is not, or was not, asked of the user's sentence.
    """
    if run.of_no_text:
        return ""
    known = all_questions().get(run.operation)
    return "" if known is not None and not known.reads_text else run.marked or run.text


@guarded
class LogModel(QAbstractTableModel):
    """Rows of the log.

    Signals:
        more_wanted: The id of the last row: the page behind it is asked for.
    """

    more_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[RunSummary] = []
        self._titles: Mapping[str, str] = {}
        self._has_more = False

    def take_over(self, other: "LogModel") -> None:
        """Show the rows that another table has read; words are made of them anew."""
        self.beginResetModel()
        self._runs, self._has_more = list(other.runs), other.canFetchMore()
        self.endResetModel()

    def set_titles(self, titles: Mapping[str, str]) -> None:
        """Know what people read for models, by their ids."""
        self._titles = titles
        if self._runs:
            last = self.index(len(self._runs) - 1, MODEL)
            self.dataChanged.emit(self.index(0, MODEL), last)

    def models_said(self, run: RunSummary) -> str:
        """Who answered: all that played a role, by the titles they have in the library."""
        every = dict.fromkeys(run.played or (run.model_id,))
        return ", ".join(map(self.title_of_model, every))

    def title_of_model(self, model_id: str) -> str:
        """Its title in the library; the end of its id where that has none."""
        return self._titles.get(model_id, model_id.rpartition("/")[2])

    @property
    def runs(self) -> tuple[RunSummary, ...]:
        """Those that were read so far, newest first."""
        return tuple(self._runs)

    def show_page(self, page: LogPage) -> None:
        """Take a first page in the place of everything, or put a further one below."""
        if page.before is None:
            self._show_first(page)
            return
        if not self._runs or self._runs[-1].id != page.before:
            return
        self._has_more = len(page.runs) == PAGE
        if page.runs:
            first = len(self._runs)
            self.beginInsertRows(QModelIndex(), first, first + len(page.runs) - 1)
            self._runs.extend(page.runs)
            self.endInsertRows()

    def run_at(self, row: int) -> RunSummary:
        """The run of a row."""
        return self._runs[row]

    def row_of(self, run_id: str) -> int:
        """Where a run is; -1 when it is not among the rows."""
        return next((i for i, run in enumerate(self._runs) if run.id == run_id), -1)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        """Rows read so far."""
        return 0 if parent.isValid() else len(self._runs)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        """As many as there are titles."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = int(Qt.ItemDataRole.DisplayRole),
    ) -> Any:
        """Titles of the columns."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _(COLUMNS[section])
        if role == Qt.ItemDataRole.TextAlignmentRole and section == TOOK:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and section == STAR:
            return _("A click puts a star on a run, or takes it away")
        return None

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """A cell."""
        if not index.isValid():
            return None
        run = self._runs[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            if index.column() == MODEL:
                return self.models_said(run)
            return _cell(run, index.column())
        if role == RUN:
            return run
        if role == Qt.ItemDataRole.DecorationRole and index.column() == STAR:
            return icon("star", "mask") if run.starred else icon("star-outline", "border")
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == STAR:
            return _("with a star") if run.starred else _("without a star")
        if role == Qt.ItemDataRole.ToolTipRole:
            told = f"{dates.in_full(run.created_at)} · {run.id}"
            parts = (text_of(run), said(run.headline), run.note, self.models_said(run), told)
            return plain_tip("\n".join(filter(None, parts)))
        if role == Qt.ItemDataRole.ForegroundRole:
            theme = current_theme()
            if run.failed and index.column() == ANSWER:
                return theme.danger
            return theme.muted if index.column() in {TIME, TOOK} else None
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == TOOK:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def canFetchMore(self, parent: Index = NOWHERE) -> bool:
        """Whether older runs are in the log."""
        return not parent.isValid() and self._has_more

    def fetchMore(self, parent: Index = NOWHERE) -> None:
        """Ask for them; they come later."""
        if not parent.isValid() and self._has_more:
            self._has_more = False
            self.more_wanted.emit(self._runs[-1].id)

    def _show_first(self, page: LogPage) -> None:
        new = list(page.runs)
        known = self._runs[0].id if self._runs else None
        fresh = next((i for i, run in enumerate(new) if run.id == known), -1)
        same = [run.id for run in self._runs[: len(new) - fresh]]
        is_whole = len(new) >= min(PAGE, len(self._runs))
        if fresh >= 0 and is_whole and [run.id for run in new[fresh:]] == same:
            # Only new ones came, or stars and notes: the selection and the scrolling stay.
            if fresh:
                self.beginInsertRows(QModelIndex(), 0, fresh - 1)
                self._runs[:0] = new[:fresh]
                self.endInsertRows()
            self._show_changes(new)
            return
        self.beginResetModel()
        self._runs = new
        self._has_more = len(new) == PAGE
        self.endResetModel()

    def _show_changes(self, new: list[RunSummary]) -> None:
        """Take what was changed of runs that are among the rows."""
        for row, run in enumerate(new):
            if run != self._runs[row]:
                self._runs[row] = run
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(COLUMNS) - 1))


def _cell(run: RunSummary, column: int) -> str:
    if column == TIME:
        return wording.when(run.created_at)
    if column == QUESTION:
        return title_of(run.operation)
    if column == TEXT:
        # In its own direction, whatever the window's.
        return isolated(text_of(run))
    if column == ANSWER:
        words = headline_said(run)
        # One line of both: the end of the answer's sentence would be one in its middle.
        return f"{words.rstrip(SENTENCE_ENDS)} — {run.note}" if run.note else words
    if column == STAR:
        return ""
    return quantities.took(run.duration)
