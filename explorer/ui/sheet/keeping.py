"""Keeps the comparison sheet on disk from one start of the program to the next."""

import contextlib
import queue
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.api.question import ExplorerError
from explorer.files.private import make_folder
from explorer.serialise import from_json, to_json
from explorer.sessions.schema.atomic import write_atomically
from explorer.text import _
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.sheet.kept_entries import KeptEntry, line_of

DELAY_MS = 400
"""Changes are gathered this long; a crash loses no more than this."""
MOST_BYTES = 48_000_000
"""Of the file. What has no room in it is on the sheet until the program ends."""


@dataclass(frozen=True)
class _SheetHead:
    """The first line; the others are entries."""

    title: str = ""


@dataclass(frozen=True)
class Recalled:
    """What was on the sheet when the program ended.

    Attributes:
        title: Of the sheet; "" for the usual one.
        entries: In their order.
        lost: How many there were besides that can't be read.
    """

    title: str = ""
    entries: tuple[KeptEntry, ...] = ()
    lost: int = 0


@dataclass(frozen=True)
class _KeptSheet:
    title: str
    entries: tuple[SheetEntry, ...]


@dataclass
class KeptLines:
    """Entries as they are written, each made once."""

    known: dict[int, tuple[SheetEntry, str]] = field(default_factory=dict)

    def of(self, entries: Sequence[SheetEntry]) -> list[str]:
        """A line an entry; "" for one that can't be written."""
        self.known = {id(one): self.known.get(id(one)) or (one, _line_of(one)) for one in entries}
        return [self.known[id(one)][1] for one in entries]


class SheetKeeping(QObject):
    """One file, read once and written shortly after each change, away from the window's thread.

    Args:
        path: The file; there is none while the sheet is empty.
        parent: Ends it with its own end.

    Signals:
        left_out: How many entries have no room in the file, once that is another number.
        problem: Why the file can't be written.
    """

    left_out = Signal(int)
    problem = Signal(str)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._sheet: _KeptSheet | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._hand_over)
        self._work: queue.SimpleQueue[_KeptSheet | None] = queue.SimpleQueue()
        self._reader: threading.Thread | None = None
        self._writer: threading.Thread | None = None
        self._recalled = Recalled()

    def begin(self) -> None:
        """Begin to read what was kept."""
        if self._reader is None:
            self._reader = threading.Thread(target=self._read, name="sheet reader", daemon=True)
            self._reader.start()

    def recall(self) -> Recalled:
        """What was kept; waits until it is read."""
        self.begin()
        if self._reader is not None:
            self._reader.join()
        return self._recalled

    def keep(self, title: str, entries: Sequence[SheetEntry]) -> None:
        """Write a sheet shortly.

        Args:
            title: Of the sheet; "" for the usual one.
            entries: In their order.
        """
        self._sheet = _KeptSheet(title, tuple(entries))
        if not self._timer.isActive():
            self._timer.start()

    def close(self) -> None:
        """Write what is not written yet and end the thread."""
        if self._timer.isActive():
            self._timer.stop()
            self._hand_over()
        if self._writer is not None:
            self._work.put(None)
            self._writer.join(10.0)

    def _hand_over(self) -> None:
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, name="sheet writer", daemon=True)
            self._writer.start()
        self._work.put(self._sheet)

    def _write(self) -> None:
        lines, told = KeptLines(), 0
        while (sheet := self._work.get()) is not None:
            problem, left_out = "", 0
            try:
                left_out = _written(self._path, sheet, lines)
            except ExplorerError as error:
                problem = f"{error.said} {error.advice}".strip()
            except OSError as error:
                problem = _("The comparison sheet is not kept ({error}).", error=error)
            with contextlib.suppress(RuntimeError):  # the window is gone
                if problem:
                    self.problem.emit(problem)
                if left_out != told:
                    self.left_out.emit(left_out)
            told = left_out

    def _read(self) -> None:
        try:
            head, *lines = self._path.read_text("utf-8").split("\n")
            title = from_json(_SheetHead, head).title
        except (OSError, ValueError):
            return  # there was none, or nothing of it can be read
        entries = []
        for line in lines:
            with contextlib.suppress(Exception):  # whatever another version has written
                entries.append(KeptEntry(line))
        self._recalled = Recalled(title, tuple(entries), len(lines) - len(entries))


def _line_of(entry: SheetEntry) -> str:
    try:
        return line_of(entry)
    except Exception:  # noqa: BLE001  what a plugin answers may hold anything
        return ""


def _written(path: Path, sheet: _KeptSheet, lines: KeptLines) -> int:
    """Write the file, or take it away; returns how many entries it has no room for."""
    if not sheet.entries and not sheet.title:
        path.unlink(missing_ok=True)
        return 0
    kept, room = [to_json(_SheetHead(sheet.title))], MOST_BYTES
    for line in lines.of(sheet.entries):
        size = len(line.encode())
        if line and size <= room:
            kept.append(line)
            room -= size
    make_folder(path.parent)
    write_atomically(path, "\n".join(kept).encode("utf-8"), private=True)
    return len(sheet.entries) + 1 - len(kept)
