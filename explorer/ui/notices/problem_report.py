"""Report a problem: what a developer needs, on screen first, then in a file or on the clipboard."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer import __version__
from explorer.api.question import ExplorerError, Failure
from explorer.machine.problem_report import Surroundings, problem_report
from explorer.sessions.schema.atomic import write_atomically
from explorer.text import _
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.workbench.workbench import Workbench

FILE_NAME = "plm-explorer-problem.md"


class ProblemReport(QDialog):
    """The whole report, to read and to change before it goes anywhere.

    Signals:
        failed: Why it could not be saved, a Failure.
        saved: Where it was saved, a Path.
    """

    failed = Signal(object)
    saved = Signal(object)

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("problem_report")
        self.setWindowTitle(_("Report a problem"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._files = FileDialogs(self)
        explained = plain_label(
            self,
            _(
                "This is all that the report holds, and it goes nowhere by itself. Say what "
                "happened, take out what you would rather keep to yourself (log lines may quote "
                "a sentence), then save it or copy it."
            ),
        )
        explained.setWordWrap(True)
        self.text = QPlainTextEdit(report, self)
        self.text.setObjectName("problem_report_text")
        self.text.setAccessibleName(_("Report"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setTabChangesFocus(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        for label, name, does in (
            (_("&Save…"), "problem_report_save", self._save),
            (_("&Copy all"), "problem_report_copy", self._copy),
        ):
            buttons.addButton(self._button(label, name, does), buttons.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.addWidget(explained)
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        self.resize(760, 560)

    def _button(self, label: str, name: str, does: Callable[[], None]) -> QPushButton:
        button = QPushButton(label, self)
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.clicked.connect(does)
        return button

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    def _save(self) -> None:
        kind = _("Text")
        self._files.save(_("Save the report"), FILE_NAME, f"{kind} (*.md)", self._write)

    def _write(self, path: Path) -> None:
        try:
            write_atomically(path, self.text.toPlainText().encode("utf-8"), private=True)
        except ExplorerError as error:
            self.failed.emit(Failure.of(error))
            return
        self.saved.emit(path)
        self.close()


def report_of(bench: Workbench, failure: Failure | None = None) -> str:
    """The report of a window as it is now."""
    import PySide6

    ready = bench.bridge.latest_ready
    versions = {
        "plm-explorer": __version__,
        "PySide6": PySide6.__version__,
        **({} if ready is None else ready.versions),
    }
    surroundings = Surroundings(versions, _models(bench), _screen())
    return problem_report(surroundings, bench.settings_store.settings, bench.folders.logs, failure)


def _models(bench: Workbench) -> list[str]:
    return [
        f"{slot}: {card.stamp.id} ({card.stamp.family}, {card.stamp.device}, {card.stamp.dtype}, "
        f"{card.stamp.fingerprint})"
        for slot, card in sorted(bench.models.cards.items())
    ]


def _screen() -> list[str]:
    found = [
        f"screen: {one.size().width()} x {one.size().height()}, scale {one.devicePixelRatio():g}"
        for one in QGuiApplication.screens()
    ]
    return [f"platform: {QGuiApplication.platformName()}", *found]
