"""The bundle's window on a screen of its own: opened, waited for, photographed, closed."""

import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from explorer.installers.bare import screen
from explorer.installers.bare.debian import HOME, Root
from explorer.installers.failures import CheckFailure

PATIENCE_S = 300
"""For anything that is waited for."""

CLOSING_S = 60
"""For its end, once it is asked to close."""

DATABASE = f"{HOME}/.local/share/plm-explorer/sessions.db"
SCREEN = "tmp/screen/Xvfb_screen0"

# Closed as a window manager closes it: politely, and then it has to be gone.
SCRIPT = """\
mkdir -p /tmp/screen
Xvfb :7 -screen 0 1600x1000x24 -fbdir /tmp/screen >/dev/null 2>&1 &
until [ -S /tmp/.X11-unix/X7 ]; do sleep 0.1; done
DISPLAY=:7 "$@" &
window=$!
until [ -e /tmp/close ]; do sleep 0.1; kill -0 $window || exit 9; done
kill -TERM $window
wait $window
"""


class BareWindow:
    """A window that is open.

    Attributes:
        root: Where it runs.
        log: What it says.
        answered: How many questions had been answered before it was opened.
    """

    def __init__(self, root: Root, log: Path, arguments: Sequence[str]) -> None:
        for left in ("close", ".X7-lock", ".X11-unix/X7"):  # by a window before
            (root.folder / "tmp" / left).unlink(missing_ok=True)
        self.root = root
        self.log = log
        self.answered = len(answers_in(self.database))
        command = ["sh", "-c", SCRIPT, "sh", root.program, *arguments]
        self._process = root.start(command, {}, log)

    @property
    def database(self) -> Path:
        """The log of the user's sessions, from outside."""
        return self.root.folder / DATABASE

    @property
    def answers(self) -> list[str]:
        """What it has answered, oldest first."""
        return answers_in(self.database)[self.answered :]

    def wait(self, until: Callable[[], object], what: str) -> float:
        """Wait for something; gives the seconds that it took.

        Args:
            until: Whether it has come.
            what: What is missing where it does not come.

        Raises:
            CheckFailure: It has not come in time, or the window is gone.
        """
        began = time.monotonic()
        while not until():
            if self._process.poll() is not None or time.monotonic() - began > PATIENCE_S:
                raise CheckFailure(f"{what}: {self.log.read_text('utf-8', 'replace')[-2000:]}")
            time.sleep(0.1)
        return round(time.monotonic() - began, 1)

    def first_answer(self) -> tuple[str, float]:
        """The first that it gives, and the seconds until then.

        Raises:
            CheckFailure: None has come in time, or the window is gone.
        """
        seconds = self.wait(lambda: self.answers, "no prediction")
        return self.answers[0], seconds

    def picture(self, file: Path) -> int:
        """Save the screen as it is; gives the number of colours."""
        return screen.picture(self.root.folder / SCREEN, file)

    def picture_at_rest(self, file: Path) -> int:
        """Save the screen when nothing moves on it any more; gives the number of colours."""
        dump = self.root.folder / SCREEN
        before, seen = b"", dump.read_bytes()
        while before != seen:
            time.sleep(1)
            before, seen = seen, dump.read_bytes()
        return self.picture(file)

    def close(self) -> None:
        """Ask it to close, and wait until it has.

        Raises:
            CheckFailure: It ended with another status than 0, or not in time.
        """
        (self.root.folder / "tmp/close").touch()
        try:
            status = self._process.wait(CLOSING_S)
        except subprocess.TimeoutExpired:
            status = None
        if status != 0:
            raise CheckFailure(f"closing ended with {status}")

    def kill(self) -> None:
        """Let nothing of it be left."""
        self._process.kill()
        self._process.wait()


@contextmanager
def opened(root: Root, log: Path, arguments: Sequence[str] = ()) -> Iterator[BareWindow]:
    """Open the bundle's window, and ask it to close at the end of the block.

    Args:
        root: Where it runs.
        log: For what it says.
        arguments: Of the program.

    Raises:
        CheckFailure: It ended with another status than 0, or not in time.
    """
    window = BareWindow(root, log, arguments)
    try:
        yield window
        window.close()
    finally:
        window.kill()


def answers_in(database: Path) -> list[str]:
    """What was answered, oldest first."""
    if not database.is_file():
        return []
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as read:
        try:
            rows = read.execute("SELECT headline FROM runs WHERE NOT failed ORDER BY created_at")
            return [row[0] for row in rows]
        except sqlite3.OperationalError:  # its tables are being made
            return []
