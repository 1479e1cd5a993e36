"""Writes the lecture that is open as a web page or a PDF, in a process of its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from explorer.text import N_, _, ngettext
from explorer.ui.controls.opened_by_system import open_in_system
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.notices.notices import Notice
from explorer.ui.own_process import OwnProcess

if TYPE_CHECKING:
    from explorer.ui.lectures.lecturing import Lecturing
    from explorer.ui.window.host import HostWindow

WORKER = "explorer.ui.export.handout.worker"
KINDS = {".html": N_("Web page (*.html)"), ".pdf": N_("PDF handout (*.pdf)")}
NOTICE = "handout"


class LectureExporter(QObject):
    """One export at a time; the window goes on meanwhile.

    Signals:
        changed: One has begun, or ended.
    """

    changed = Signal()

    def __init__(self, window: HostWindow, lecturing: Lecturing) -> None:
        super().__init__(window)
        self._window, self._lecturing = window, lecturing
        self._dialogs = FileDialogs(window)
        self._process: OwnProcess | None = None
        self._file = ""
        self._last: dict[str, Any] = {}

    @property
    def is_under_way(self) -> bool:
        """One is being written."""
        return self._process is not None

    def pick(self, ending: str) -> None:
        """Ask where, and write there.

        Args:
            ending: ".html" or ".pdf".
        """
        lecture = self._lecturing.lecture
        name = lecture.name if lecture is not None and self._lecturing.path else "lecture"
        title = _("Export the lecture")
        self._dialogs.save(title, f"{name}{ending}", _(KINDS[ending]), self.write)

    def write(self, path: Path) -> None:
        """Write the lecture that is open."""
        program = self._window.bench.program
        if self._process is not None or program is None:
            return
        self._file, self._last = str(path), {}
        handout = {"file": str(path), "lecture": self._lecturing.path}
        self._process = OwnProcess(WORKER, program, {"handout": handout}, self)
        self._process.told.connect(self._hear)
        self._process.ended.connect(self._finished)
        self._say(_("Exporting the lecture…"))
        self._process.start()
        self.changed.emit()

    def cancel(self) -> None:
        """Stop; nothing is written."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()
        self._window.notices.dismiss(NOTICE)
        self.changed.emit()

    def _say(self, words: str) -> None:
        ways = ((_("Cancel"), self.cancel),)
        notice = Notice(NOTICE, words, actions=ways, dismissed=self.cancel, is_spoken=False)
        self._window.notices.tell(notice)

    def _hear(self, told: dict[str, Any]) -> None:
        self._last = told
        if "words" in told:
            self._say(_("Exporting the lecture: {words}", words=told["words"]))

    def _finished(self) -> None:
        self._process = None
        self.changed.emit()
        told, notices = self._last, self._window.notices
        if "made" not in told:
            words = told.get("failed") or _("The lecture could not be exported.")
            advice = told.get("advice") or _("Try again; the program's log says more.")
            notices.tell(Notice(NOTICE, words, advice, level="warning"))
            return
        failing = len(told["failing"])
        hint = (
            ngettext("{count} scene does not hold.", "{count} scenes do not hold.", failing)
            if failing
            else ""
        )
        show = partial(open_in_system, self._file)
        words = _("Exported the lecture to {path}.", path=self._file)
        notices.tell(Notice(NOTICE, words, hint, actions=((_("Open it"), show),)))
