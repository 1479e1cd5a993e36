"""Writes the listed runs as a notebook in a process of its own, which draws their pages."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from explorer.serialise import to_json
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.schema.atomic import remove_unfinished
from explorer.text import _, ngettext
from explorer.ui.controls.opened_by_system import open_in_system
from explorer.ui.notices.notices import Notice
from explorer.ui.own_process import OwnProcess

if TYPE_CHECKING:
    from explorer.ui.window.host import HostWindow

WORKER = "explorer.command_line.workers.notebook_worker"
NOTICE = "notebook"


class NotebookExporter(QObject):
    """One export at a time; the window goes on meanwhile."""

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self._window = window
        self._process: OwnProcess | None = None
        self._file = Path()
        self._last: dict[str, Any] = {}

    @property
    def is_under_way(self) -> bool:
        """One is being written."""
        return self._process is not None

    def write(self, wanted: RunFilter, path: Path) -> None:
        """Write the runs of a filter."""
        program = self._window.bench.program
        if program is None:
            return
        self.cancel()
        self._file, self._last = path, {}
        self._process = OwnProcess(
            WORKER, program, {"file": str(path), "runs": to_json(wanted)}, self
        )
        self._process.told.connect(self._hear)
        self._process.ended.connect(self._finished)
        self._say(_("Exporting runs to {name}…", name=path.name))
        self._process.start()

    def cancel(self) -> None:
        """Stop; nothing is written."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()
            remove_unfinished(self._file)
        self._window.notices.dismiss(NOTICE)

    def _say(self, words: str) -> None:
        ways = ((_("Cancel"), self.cancel),)
        notice = Notice(NOTICE, words, actions=ways, dismissed=self.cancel, is_spoken=False)
        self._window.notices.tell(notice)

    def _hear(self, told: dict[str, Any]) -> None:
        self._last = told
        if "done" in told:
            numbers = {"done": told["done"], "count": told["count"]}
            name = self._file.name
            self._say(_("Exporting runs to {name}: {done} of {count}", name=name, **numbers))

    def _finished(self) -> None:
        self._process = None
        told, notices = self._last, self._window.notices
        if "runs" not in told:
            remove_unfinished(self._file)
            words = told.get("failed") or _("The runs could not be exported.")
            advice = told.get("advice") or _("Try again; the program's log says more.")
            notices.tell(Notice(NOTICE, words, advice, level="warning"))
            return
        words = runs_are_in(told["runs"], self._file)
        show = partial(open_in_system, self._file.parent)
        ways = ((_("Show in file manager"), show),)
        notices.tell(Notice(NOTICE, words, left_out(told["skipped"]), actions=ways))


def runs_are_in(count: int, target: Path) -> str:
    """How many runs a file has."""
    return ngettext(
        "{count} run is in {target}.", "{count} runs are in {target}.", count, target=target
    )


def left_out(skipped: int) -> str:
    """How many it has not; "" for none."""
    if not skipped:
        return ""
    return ngettext(
        "{count} was skipped: what is stored of it is damaged.",
        "{count} were skipped: what is stored of them is damaged.",
        skipped,
    )
