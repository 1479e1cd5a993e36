"""Opens text files and model folders the user picks or drops, without stopping the window."""

import threading
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from explorer.api.question import ExplorerError, Failure, UserMistake
from explorer.files.typed_paths import refuse_impossible, unreadable
from explorer.text import N_

TEXT_ENDINGS = frozenset({".txt", ".md", ".text", ".rst", ".log", ".csv", ".tsv"})
MOST_CHARACTERS = 20_000
"""More than any of the models takes, and as much as the token strip draws with ease."""

_MOST_BYTES = 4 * MOST_CHARACTERS + 4


def is_text(path: Path) -> bool:
    """Whether a path looks like a text to read, by its name."""
    return path.suffix.lower() in TEXT_ENDINGS


def read_text(path: Path) -> tuple[str, bool]:
    """The beginning of a text file, and whether there is more of it.

    Raises:
        UserMistake: It can't be read, or is no text.
    """
    refuse_impossible(path)
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(path, error) from error
    text = _decoded(content, path.name)
    return text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS or len(content) > _MOST_BYTES


def _decoded(content: bytes, name: str) -> str:
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    # The cut may have gone through a character; only the very end may be damaged.
    for end in range(4):
        try:
            text = content[: len(content) - end].decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
        break
    raise UserMistake(
        N_("{name} is not a text file in UTF-8."),
        N_("Save it as UTF-8 and open it again."),
        name=name,
    )


class TextFiles(QObject):
    """Reads a file on a thread of its own.

    Signals:
        opened: The text, the file's name, and whether there was more than is taken.
        failed: A Failure.
    """

    opened = Signal(str, str, bool)
    failed = Signal(object)
    _read = Signal(int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._read.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def open(self, path: Path) -> None:
        """Read a file; a signal tells what came of it, unless another one is opened meanwhile."""
        self._number += 1
        work = threading.Thread(
            target=self._work, args=(self._number, path), name="text file", daemon=True
        )
        work.start()

    def _work(self, number: int, path: Path) -> None:
        answer: object
        try:
            answer = (*read_text(path), path.name)
        except ExplorerError as error:
            answer = Failure.of(error)
        try:
            self._read.emit(number, answer)
        except RuntimeError:
            return  # the window is gone

    def _deliver(self, number: int, answer: object) -> None:
        if number != self._number:
            return  # a newer file was opened, and a slow disk must not bring this one back
        if isinstance(answer, tuple):
            text, cut, name = answer
            self.opened.emit(text, name, cut)
        else:
            self.failed.emit(answer)
