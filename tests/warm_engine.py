"""Engines that begin with torch imported: forked from a process that imported it once a worker.

An engine of its own imports torch and transformers for two to three seconds. What a journey tries
begins behind that, and the tests of starts (tests/engine/process, tests/test_app.py) begin one.
"""

import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from io import FileIO
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from explorer.engine.process import client, engine_handle
from explorer.engine.process.engine_handle import EngineHandle
from explorer.engine.process.entry import run
from explorer.processes.beginning import die_with
from explorer.processes.piped import PipedMessages

if TYPE_CHECKING:
    import pytest

IMPORTED = [
    "torch",
    "transformers.models.auto.modeling_auto",
    "transformers.models.bert.modeling_bert",
    "explorer.engine.process.server",
    "explorer.engine.runner",
    "explorer.hf.family.base",
]
HAS_FORKS = "forkserver" in multiprocessing.get_all_start_methods()


def warm_forks() -> Any:
    """Makes processes that have imported torch when they begin; spawns them where it can't."""
    if not HAS_FORKS:
        return multiprocessing.get_context("spawn")
    forks: Any = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(IMPORTED)
    return forks


LENT = "PLM_EXPLORER_TEST_FORKS"
"""In the environment of a program of a test: where it has its engine forked."""


def use(monkeypatch: "pytest.MonkeyPatch") -> None:
    """Let engines of this test begin so, where the system can."""
    if HAS_FORKS:
        monkeypatch.setattr(client, "begin", Forked)


def lent() -> dict[str, str]:
    """What a program of its own is told in its environment, for `borrow`."""
    if not HAS_FORKS:
        return {}
    warm_forks()
    forkserver.ensure_running()
    return {LENT: str(vars(forkserver._forkserver)["_forkserver_address"])}


def borrow() -> None:
    """In a program of its own: let its engines be forked from what this worker has imported.

    Where the test says nothing of it (`lent`), they begin as ever.
    """
    if (address := os.environ.pop(LENT, "")) == "":
        return
    server: Any = forkserver._forkserver
    server._forkserver_address = address
    server._forkserver_alive_fd = os.open(os.devnull, os.O_RDONLY)
    server.ensure_running = lambda: None
    # Else each engine would read the program's script, which imports Qt.
    vars(sys.modules["__main__"]).pop("__file__", None)
    engine_handle.begin = client.begin = _forked


def _forked(*, ahead: bool = False) -> EngineHandle:
    del ahead  # it has imported everything
    return Forked()


class Forked(EngineHandle):
    """An engine's process that was forked."""

    def __init__(self) -> None:
        forks = warm_forks()
        theirs, ours = forks.Pipe(duplex=False)
        mine, their = forks.Pipe(duplex=False)
        self._forked = forks.Process(
            target=_be, args=(theirs, their, dict(os.environ), sys.path), daemon=True
        )
        self._forked.start()
        theirs.close()
        their.close()
        self.messages = _messages(mine, ours)

    @property
    def pid(self) -> int:
        return int(self._forked.pid)

    @property
    def exit_code(self) -> int | None:
        code: int | None = self._forked.exitcode
        return code

    def terminate(self) -> None:
        self._forked.terminate()

    def kill(self) -> None:
        self._forked.kill()

    def wait(self, seconds: float | None = None) -> bool:
        self._forked.join(seconds)
        return not self._forked.is_alive()


def _messages(read: Connection, written: Connection) -> PipedMessages:
    ends = [os.dup(one.fileno()) for one in (read, written)]
    for one in (read, written):
        one.close()
    return PipedMessages(FileIO(ends[0], "rb"), FileIO(ends[1], "wb"))


def _be(
    read: Connection, written: Connection, environment: Mapping[str, str], path: Sequence[str]
) -> None:
    """Be the engine, with the environment that one of its own would have."""
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = path
    # It is the server's child, and ends with it.
    die_with(os.getppid())
    run(_messages(read, written))
