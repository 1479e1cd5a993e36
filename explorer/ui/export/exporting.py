"""Saves or copies what a view or a logged run holds, and says how it went."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from explorer.api import ExplorerError, Failure, UserMistake
from explorer.sessions.export.tables import caption_of, table_to_json, write_atomically, write_csv
from explorer.sessions.records import StoredRun
from explorer.text import N_, _
from explorer.ui.export import files as export
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.views.page_view import PageView

COPIED = {"copy_picture": N_("The picture is copied."), "copy_table": N_("The table is copied.")}


class Exporting(QObject):
    """Asks where to, writes, and tells.

    Signals:
        done: One sentence for the status bar.
        failed: A Failure.
    """

    done = Signal(str)
    failed = Signal(object)

    def __init__(self, dialogs: FileDialogs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dialogs = dialogs

    def view(self, view: PageView, kind: str) -> None:
        """Export a view's answer as one of ViewFrame's kinds."""
        if not view.has_result:
            mistake = UserMistake(
                N_("{title} has nothing to export yet."),
                N_("Ask something first."),
                title=view.title,
            )
            self.failed.emit(Failure.of(mistake))
        elif kind in COPIED:
            self._try(lambda: export.export(view, kind), _(COPIED[kind]))
        else:
            self._save(
                _("Export {title}", title=view.title),
                export.suggested_name(view, kind),
                f"{_(export.KINDS[kind])} (*.{kind})",
                lambda path: export.export(view, kind, path),
            )

    def run(self, stored: StoredRun, kind: str) -> None:
        """Export a logged run's rows as "csv" or "json"."""
        table = stored.table
        if table is None:
            mistake = UserMistake(
                stored.unreadable or N_("This run has no table."),
                N_("Choose a run that was answered."),
            )
            self.failed.emit(Failure.of(mistake))
            return
        caption = caption_of(stored)

        def write(path: Path) -> None:
            if kind == "csv":
                write_csv(path, table, caption, "file")
            else:
                write_atomically(path, table_to_json(table, caption).encode("utf-8"))

        self._save(
            _("Export the run"),
            f"{stored.summary.operation.replace('_', '-')}-{stored.summary.id}.{kind}",
            f"{_(export.KINDS[kind])} (*.{kind})",
            write,
        )

    def _save(self, title: str, name: str, kind: str, write: Callable[[Path], None]) -> None:
        self._dialogs.save(
            title,
            name,
            kind,
            lambda path: self._try(lambda: write(path), _("Saved {path}.", path=path)),
        )

    def _try(self, work: Callable[[], None], said: str) -> None:
        try:
            work()
        except ExplorerError as error:
            self.failed.emit(Failure.of(error))
        else:
            self.done.emit(said)
