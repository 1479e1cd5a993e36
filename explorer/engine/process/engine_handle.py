"""The engine's process as the window has it, and how it begins.

It takes as long to import torch as everything else at a start takes together. So it is begun
before the window's own libraries are imported, and told later what it is to be: nothing that
takes time may be imported here.
"""

import contextlib
import os
import subprocess

from explorer.processes.piped import PipedMessages, piped

ENTRY = "explorer.engine.process.entry"
AHEAD = "ahead"


class EngineHandle:
    """A process that waits for its configuration, the first message it reads.

    Attributes:
        messages: What goes between.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self.messages = PipedMessages.with_process(process)

    @property
    def pid(self) -> int:
        """Its number, also once it is gone."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """What it ended with, negative for a signal; None while it runs."""
        return self._process.poll()

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended; whether it has."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode is not None


def begin(*, ahead: bool = False) -> EngineHandle:
    """Start the engine's process. It ends when this one does.

    Args:
        ahead: It is told what to be only later, and imports what it may need until then.

    Raises:
        OSError: The system starts no further process.
    """
    # Off for other processes, where many answer at once.
    parallel = os.environ.get("TOKENIZERS_PARALLELISM", "true")
    arguments = [AHEAD] if ahead else []
    return EngineHandle(
        piped(ENTRY, None, *arguments, buffering=0, TOKENIZERS_PARALLELISM=parallel)
    )
