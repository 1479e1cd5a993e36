"""What can be done with logged runs: stars, notes, comparison, copies, merging, forgetting."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import QInputDialog

from explorer.api.question import Table
from explorer.sessions.change.marks import Change, Forget, Note, Rename, Star
from explorer.sessions.log.identity import now_milliseconds
from explorer.sessions.read.asked_otherwise import asked_otherwise
from explorer.sessions.read.comparing import (
    RunDifference,
    difference,
    reasons,
    verdict,
)
from explorer.sessions.records import LoggedRun, RunSummary, StoredRun
from explorer.text import N_, Phrase, _, ngettext
from explorer.text.printable import shortened
from explorer.ui.blocks.page.shown import Origin, Pinned
from explorer.ui.guarded import guarded
from explorer.ui.notices.reading_pages import ComparedPage
from explorer.ui.notices.wording import when
from explorer.ui.session_log.note_dialog import NoteDialog
from explorer.ui.session_log.notebook import NotebookExporter, left_out, runs_are_in

if TYPE_CHECKING:
    from explorer.ui.window.host import HostWindow

DATABASES = N_("Session databases (*.db)")
TABLES = N_("CSV table (*.csv);;JSON (*.json);;Parquet (*.parquet)")
PROGRAMS = N_("Notebook (*.ipynb);;Python script (*.py);;Markdown (*.md)")
BUNDLES = N_("Bundle for another machine (*.zip)")
QUOTED = 20


@guarded
class _Marking(QUndoCommand):
    """A change of the log that can be undone, named in the Edit menu."""

    def __init__(self, name: str, do: Change, undo: Change, put: Callable[[Change], None]) -> None:
        super().__init__(name)
        self._do, self._undo, self._put = do, undo, put

    def redo(self) -> None:
        """Do it, at first and again."""
        self._put(self._do)

    def undo(self) -> None:
        """Put back what was there."""
        self._put(self._undo)


class LogActions(QObject):
    """Does what the session log's table and the menus ask for.

    Attributes:
        session_name: What the user called this session; "" for nothing.
    """

    def __init__(self, window: "HostWindow") -> None:
        super().__init__(window)
        self._window = window
        self._bench = window.bench
        self.session_name = ""
        self._notebooks = NotebookExporter(window)
        log = window.log
        log.star_wanted.connect(self.star)
        log.note_wanted.connect(self.write_note)
        log.compare_wanted.connect(self.compare)
        self._bench.asking.replayed.connect(self._replayed)
        self._bench.recording.change_failed.connect(self._not_kept)
        if self._bench.queries is not None:
            self._bench.queries.pair_opened.connect(self._compare)
            self._bench.queries.done.connect(self._done)
            # A log that can't be read may be damaged without a write having met it yet.
            self._bench.queries.failed.connect(self._check)
        days = self._bench.settings_store.settings.keep_days
        if days is not None:
            self._bench.recording.change(Forget(days, now_milliseconds()))

    def _not_kept(self, problem: str) -> None:
        self._window.notifications.say("mark", Phrase(N_("The star or note is not kept.")), problem)

    def _check(self, _failure: object) -> None:
        self._bench.recording.check()

    # ---- stars and notes ---------------------------------------------------------------------

    def star(self, run_id: str, starred: bool) -> None:
        """Put a star on a run, or take it away."""
        name = _("put a star on a run") if starred else _("take a star away")
        self._mark(name, Star(run_id, starred), Star(run_id, not starred))

    def write_note(self, run: RunSummary) -> None:
        """Ask for a note."""

        def keep(text: str) -> None:
            if text != run.note:
                name = (
                    _("write the note '{text}'", text=shortened(text, QUOTED))
                    if text
                    else _("delete a note")
                )
                self._mark(name, Note(run.id, text), Note(run.id, run.note))

        NoteDialog(run, keep, self._window).open()

    def _mark(self, name: str, do: Change, undo: Change) -> None:
        put = self._bench.recording.change
        self._bench.state.stack.push(_Marking(name, do, undo, put))

    # ---- comparing ---------------------------------------------------------------------------

    def compare(self, first: str, second: str) -> None:
        """Show the second of two runs as the difference to the first."""
        if self._bench.queries is not None:
            self._bench.queries.open_pair(first, second)

    def _compare(self, first: StoredRun, second: StoredRun) -> None:
        self._find_difference(
            first.table, lambda: second.table, lambda found: self._show(first, second, found)
        )

    def _show(self, first: StoredRun, second: StoredRun, found: RunDifference) -> None:
        question = first.summary.operation
        said = verdict(found, (*asked_otherwise(first, second), *reasons(first, second)))
        drawn = self._window.view_area.has(question)
        if not drawn or not self._window.view_of(question).declared.draws_pinned:
            self._show_rows(first, second, said)
        if not drawn:
            self._window.notifications.say("compared", said)
            return
        self._window.view_area.bring_forward(question)
        view = self._window.view_of(question)
        name = _("compare with '{text}'", text=shortened(second.document.text, QUOTED))
        self._bench.asking.restore(second, name)
        if first.result is not None:
            view.pin_answer(Pinned(first.result, first.document, Origin.of(first)))
        else:
            view.unpin()
        self._window.notifications.say_of_comparison("compared", said, question)

    def _show_rows(self, first: StoredRun, second: StoredRun, said: str) -> None:
        """Both tables joined, for a view that draws no difference."""
        if first.table is None or second.table is None:
            return
        if first.table.columns == second.table.columns:
            ComparedPage(first, second, said, self._window).open()

    def _replayed(self, then: StoredRun, now: LoggedRun) -> None:
        notices = self._window.notifications.transient_notices
        seen = notices.seen(now.operation)

        def told(found: RunDifference) -> None:
            if seen is None or notices.seen(now.operation) != seen:
                return  # something else is looked at since
            why = reasons(then, now)
            self._window.notifications.say_of_answer(
                "replayed",
                Phrase(
                    N_("Asked again, {when}: {verdict}"),
                    when=when(then.summary.created_at),
                    verdict=verdict(found, why),
                ),
                now.operation,
            )

        self._find_difference(then.table, lambda: now.table, told)

    def _find_difference(
        self,
        first: Table | None,
        second: Callable[[], Table | None],
        told: Callable[[RunDifference], None],
    ) -> None:
        """Compare two tables on the log's thread: they may have thousands of rows."""
        if self._bench.queries is not None:
            self._bench.queries.then(lambda: difference(first, second()), told)

    # ---- the session -------------------------------------------------------------------------

    def name_session(self) -> None:
        """Ask for a name of the session that runs are kept in now."""
        dialog = QInputDialog(self._window)
        dialog.setObjectName("session_name_dialog")
        dialog.setWindowTitle(_("Name this session"))
        dialog.setLabelText(_("What is this session about? Its runs carry the name in the log."))
        dialog.setTextValue(self.session_name)
        dialog.textValueSelected.connect(self._name_session)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _name_session(self, name: str) -> None:
        before, self.session_name = self.session_name, name.strip()
        session = self._bench.recording.session_id
        if session and name.strip() != before:
            self._bench.recording.change(Rename(session, name.strip()))
            self._window.status.showMessage(_("The session has its name."), 4000)

    # ---- the database as a whole -------------------------------------------------------------

    def save_copy(self) -> None:
        """Ask where to, and copy the database as it is now."""
        self._window.dialogs.save(
            _("Save a copy of the session log"), "sessions.db", _(DATABASES), self._save_copy
        )

    def _save_copy(self, target: Path) -> None:
        from explorer.sessions.change.backup import copy_database

        source = self._bench.folders.sessions

        def work() -> str:
            copy_database(source, target)
            return _("A copy of the session log is in {target}.", target=target)

        self._work(work)

    def merge(self) -> None:
        """Ask for another database and take over its runs."""
        self._window.dialogs.file(_("Take over another session log"), _(DATABASES), self._merge)

    def _merge(self, other: Path) -> None:
        from explorer.sessions.change.merging import merge

        database = self._bench.folders.sessions

        def work() -> str:
            merged = merge(database, other)
            refused = [
                ngettext(
                    "Refused: {count} run, {reason}.",
                    "Refused: {count} runs, {reason}.",
                    count,
                    reason=reason,
                )
                for reason, count in merged.refused
            ]
            taken = ngettext(
                "{count} run is taken over from {name}; {known} were here already.",
                "{count} runs are taken over from {name}; {known} were here already.",
                merged.runs,
                name=other.name,
                known=merged.known,
            )
            return " ".join((taken, *refused))

        self._work(work)

    def export_listed(self) -> None:
        """Ask where to, and write every run that the log lists now."""
        self._window.dialogs.save(
            _("Export the runs that are listed"),
            "runs.csv",
            f"{_(TABLES)};;{_(PROGRAMS)};;{_(BUNDLES)}",
            self._export_listed,
        )

    def _export_listed(self, target: Path) -> None:
        from explorer.as_code.notebook import WRITERS, write_runs
        from explorer.sessions.bundle.writing import write_bundle
        from explorer.sessions.export.bulk import export_many, ids_of

        database, wanted = self._bench.folders.sessions, self._window.log.filters.wanted

        ending = target.suffix.lower()
        if ending == ".ipynb":
            self._notebooks.write(wanted, target)
            return

        def work() -> str:
            if ending == ".zip":
                bundle = write_bundle(database, ids_of(database, wanted), target)
                return runs_are_in(bundle.runs, target)
            if ending.removeprefix(".") in WRITERS:
                written = write_runs(database, ids_of(database, wanted), target)
            else:
                written = export_many(database, wanted, target)
            said = runs_are_in(written["runs"], target), left_out(written["skipped"])
            return " ".join(filter(None, said))

        self._work(work)

    def _work(self, work: Callable[[], str]) -> None:
        if self._bench.queries is not None:
            self._bench.queries.work(work)

    def _done(self, sentence: str) -> None:
        self._window.status.showMessage(sentence, 8000)
        self._window.log.refresh()
