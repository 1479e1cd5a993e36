"""Saves or copies what a view or a logged run holds, and says how it went."""

import contextlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from explorer.api.question import ExplorerError, Failure, Table, UserMistake
from explorer.export_choices import Form, PictureChoice, TableChoice, TableForm
from explorer.sessions.export.provenance import Provenance
from explorer.sessions.records import StoredRun
from explorer.text import N_, _
from explorer.text import said as in_words
from explorer.text.lists import all_of
from explorer.ui.export import code
from explorer.ui.export import files as export
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.views.page_view import PageView
from explorer.ui.workbench.settings_store import SettingsStore

MANY = 20_000
"""Rows from which on a table is written aside: the window must not stand still meanwhile."""


class Exporter(QObject):
    """Asks how and where to, writes, and tells.

    Attributes:
        left_out: Keys of the parts that pictures of a question left out the last time, where they
            were chosen.

    Signals:
        done: One sentence for the status bar.
        failed: A Failure.
    """

    done = Signal(str)
    failed = Signal(object)
    _told = Signal(object)

    def __init__(
        self, dialogs: FileDialogs, settings_store: SettingsStore, window: QWidget, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._dialogs, self._settings_store, self._window = dialogs, settings_store, window
        self._told.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self.left_out: dict[str, frozenset[str]] = {}

    def view(self, view: PageView, kind: str) -> None:
        """Export a view's answer as one of ViewFrame's kinds."""
        if not view.has_result:
            mistake = UserMistake(
                N_("{title} has nothing to export yet."),
                N_("Ask something first."),
                title=view.title,
            )
            self.failed.emit(Failure.of(mistake))
            return
        kinds = {
            "picture": self._picture,
            "table": self._table,
            "copy_picture": self._copy_picture,
            "copy_table": self._copy_table,
        }
        kinds.get(kind, partial(self._copy_code, kind))(view)

    def _picture(self, view: PageView) -> None:
        from explorer.ui.export.picture_dialog import PictureDialog

        choice = self._settings_store.settings.picture
        off = self.left_out.get(view.question)
        dialog = PictureDialog(view, choice, off, self._window)
        dialog.changed.connect(partial(self._remember, view))
        dialog.save_wanted.connect(
            lambda choice, off: self._save_picture(view, choice, off, dialog.accept)
        )
        dialog.copy_wanted.connect(
            lambda choice, off: self._try(
                lambda: export.copy_picture(view, choice, off), _("The picture is copied.")
            )
        )
        dialog.open()

    def _remember(self, view: PageView, choice: PictureChoice, off: export.LeftOut) -> None:
        self._settings_store.change(picture=choice)
        if off is not None:
            self.left_out[view.question] = frozenset(off)

    def _save_picture(
        self,
        view: PageView,
        choice: PictureChoice,
        off: export.LeftOut,
        then: Callable[[], None],
    ) -> None:
        self._save(
            _("Export {title}", title=view.title),
            export.suggested_name(view, choice.form),
            get_args(Form),
            lambda path, form: export.save_picture(view, path, replace(choice, form=form), off),
            then,
            also=choice.also,
        )

    def _table(self, view: PageView) -> None:
        from explorer.ui.export.table_dialog import TableDialog

        try:
            tables, caption = export.tables_of(view), view.caption(rows=True, in_file=True)
            provenance = view.provenance()
        except ExplorerError as error:
            self.failed.emit(Failure.of(error))
            return
        choice = self._settings_store.settings.table
        dialog = TableDialog(view.title, tables, choice, self._window)

        def save(table: Table, choice: TableChoice) -> None:
            self._settings_store.change(table=choice)
            self._save(
                _("Export {title}", title=view.title),
                export.suggested_name(view, choice.form),
                get_args(TableForm),
                lambda path, form: export.save_table(
                    path, table, caption, replace(choice, form=form), provenance
                ),
                dialog.accept,
                is_long=len(table.rows) > MANY,
            )

        dialog.save_wanted.connect(save)
        dialog.open()

    def _copy_picture(self, view: PageView) -> None:
        choice = self._settings_store.settings.picture
        off = self.left_out.get(view.question)
        self._try(lambda: export.copy_picture(view, choice, off), _("The picture is copied."))

    def _copy_table(self, view: PageView) -> None:
        self._try(lambda: export.copy_table(view), _("The table is copied."))

    def _copy_code(self, kind: str, view: PageView) -> None:
        shown = view.shown()
        run = None if shown is None else code.asked_in(view.of, view.origin, shown)
        self._try(lambda: code.copy_code(run, kind), _("The code is copied."))

    def run(self, stored: StoredRun, kind: str) -> None:
        """Export a logged run's rows as "csv" or "json", or copy it as code."""
        if kind in code.WRITTEN:
            self._try(lambda: code.copy_code(stored, kind), _("The code is copied."))
            return
        table = stored.table
        if table is None:
            mistake = UserMistake(
                stored.unreadable or N_("This run has no table."),
                N_("Choose a run that was answered."),
            )
            self.failed.emit(Failure.of(mistake))
            return
        place = self._settings_store.settings.table.caption
        provenance = Provenance.of_stored(stored)
        caption = provenance.said()
        choice = TableChoice("csv" if kind == "csv" else "json", place)
        self._save(
            _("Export the run"),
            f"{stored.summary.operation.replace('_', '-')}-{stored.summary.id}.{kind}",
            get_args(TableForm),
            lambda path, form: export.save_table(
                path, table, caption, replace(choice, form=form), provenance
            ),
            is_long=len(table.rows) > MANY,
        )

    def _save(
        self,
        title: str,
        name: str,
        forms: Sequence[str],
        write: Callable[[Path, Any], None],
        then: Callable[[], None] = lambda: None,
        *,
        is_long: bool = False,
        also: Sequence[str] = (),
    ) -> None:
        def chosen(path: Path) -> None:
            form = path.suffix.lower().removeprefix(".")
            others = [path.with_suffix(f".{one}").name for one in also if one != form]
            said = _("Saved {path}.", path=path)
            if others:
                names = in_words(all_of(others))
                said = _("Saved {path}, and next to it {names}.", path=path, names=names)
            if is_long:
                then()
                self._try_aside(lambda: write(path, form), said)
            elif self._try(lambda: write(path, form), said):
                then()

        # The one that was chosen comes first: the file is one of these without an ending, too.
        first = Path(name).suffix.removeprefix(".")
        kinds = [f"{_(export.KINDS[one])} (*.{one})" for one in sorted(forms, key=first.__ne__)]
        self._dialogs.save(title, name, ";;".join(kinds), chosen, also)

    def _try_aside(self, work: Callable[[], None], said: str) -> None:
        """Do it in a thread, and tell when it is done."""

        def run() -> None:
            told: object = said
            try:
                work()
            except ExplorerError as error:
                told = Failure.of(error)
            # The window may be gone by then.
            with contextlib.suppress(RuntimeError):
                self._told.emit(told)

        threading.Thread(target=run, name="table writer", daemon=True).start()

    def _tell(self, told: object) -> None:
        if isinstance(told, str):
            self.done.emit(told)
        else:
            self.failed.emit(told)

    def _try(self, work: Callable[[], None], said: str) -> bool:
        try:
            work()
        except ExplorerError as error:
            self.failed.emit(Failure.of(error))
            return False
        self.done.emit(said)
        return True
