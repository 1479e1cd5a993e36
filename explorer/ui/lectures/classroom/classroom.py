"""Saves one's own answers, and shows those of a class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from explorer.api.question import Failure
from explorer.files.typed_paths import unwritable
from explorer.lectures.lessons.answers_file import ENDING, AnswerSheet, sheet_of, write_sheet
from explorer.lectures.lessons.classroom import ClassAnswers, answers_among, read_class
from explorer.text import N_, _
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.lectures.classroom.class_page import ClassPage
from explorer.ui.lectures.classroom.own_answers import OwnAnswersDialog
from explorer.ui.notices.notices import Notice
from explorer.ui.views.latest_work import LatestWork

if TYPE_CHECKING:
    from explorer.ui.lectures.lecturing import Lecturing
    from explorer.ui.window.host import HostWindow

ANSWERS = N_("Answers (*.answers.json)")
TABLE = N_("Table (*.csv)")
NOTICE = "answers"


class Classroom(QObject):
    """Dialogs for answers; files are read and written on a thread of their own."""

    def __init__(self, window: HostWindow, lecturing: Lecturing) -> None:
        super().__init__(window)
        self._window, self._lecturing = window, lecturing
        self._dialogs = FileDialogs(window)
        self._reading = LatestWork("class", self)
        self._reading.done.connect(self._show)
        self._reading.trouble.connect(self._refused)
        self._writing = LatestWork("answers", self)
        self._writing.done.connect(self._written)
        self._writing.trouble.connect(self._refused)

    # ---- one's own ---------------------------------------------------------------------------

    def save_own(self) -> OwnAnswersDialog | None:
        """Ask for a name and a place; None where nothing was answered yet, which is told."""
        at, answers, path = self._lecturing.at, self._lecturing.answers, self._lecturing.path
        scene = None if at is None else at.scene
        asks = () if scene is None else scene.asks
        found = {} if scene is None else {one: answers.of(path, scene, one) for one in asks}
        given = {number: one for number, one in found.items() if one is not None}
        if scene is None or not given:
            self._window.notifications.say(
                NOTICE, _("Nothing was answered in this lesson yet: answer a question first.")
            )
            return None
        dialog = OwnAnswersDialog(scene.title(), len(given), self._window)

        def ask_where(name: str) -> None:
            def save(path: Path) -> None:
                dialog.accept()
                sheet = sheet_of(scene, given, name)
                self._writing.ask(lambda: _with_sheet(sheet, path))

            file = f"{scene.name}{ENDING}"
            self._dialogs.save(_("Save my answers"), file, _(ANSWERS), save)

        dialog.save_wanted.connect(ask_where)
        dialog.open()
        return dialog

    # ---- a class -----------------------------------------------------------------------------

    def pick(self) -> None:
        """Ask for a folder of answers, and show them."""
        self._dialogs.folder(_("Open a folder of answers"), lambda folder: self.open([folder]))

    def open(self, places: Sequence[Path]) -> None:
        """Show the answers in some files or folders."""
        self._reading.ask(lambda: read_class(places))

    def open_or(self, places: Sequence[Path], otherwise: Callable[[], None]) -> None:
        """Show the answers among some files and folders, or do something else without any."""

        def work() -> ClassAnswers | Callable[[], None]:
            found = answers_among(places)
            return read_class(found) if found else otherwise

        self._reading.ask(work)

    def export(self, answers: ClassAnswers) -> None:
        """Ask where, and write the table of a class."""

        def save(path: Path) -> None:
            self._writing.ask(lambda: _with_table(answers, path))

        self._dialogs.save(_("Export the answers"), "answers.csv", _(TABLE), save)

    def _show(self, found: ClassAnswers | Callable[[], None]) -> None:
        if isinstance(found, ClassAnswers):
            ClassPage(found, self.export, self._window).show()
        else:
            found()

    def _written(self, path: Path) -> None:
        self._window.notices.tell(Notice(NOTICE, _("Saved {path}.", path=str(path))))

    def _refused(self, failure: Failure) -> None:
        self._window.notifications.failure(NOTICE, failure)


def _with_sheet(sheet: AnswerSheet, path: Path) -> Path:
    write_sheet(sheet, path)
    return path


def _with_table(answers: ClassAnswers, path: Path) -> Path:
    try:
        # A spreadsheet takes a file without the mark for one in its own old encoding.
        path.write_text(answers.csv(), "utf-8-sig", newline="")
    except OSError as error:
        raise unwritable(path, error) from error
    return path
