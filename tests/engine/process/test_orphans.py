"""Nothing of the engine outlives it, and the engine doesn't outlive the window."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import standin
from listening import is_running, wait_until

from explorer.engine.messages import Answer, Ask, Died

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")

TESTS = Path(__file__).parents[1]
BUILDS = [standin.build_forking, standin.build_starting]


def children(folder: Path) -> list[int]:
    """Processes that the plugin has started."""
    return [int(line) for line in (folder / "children").read_text("utf-8").split()]


def gone(pids: list[int]) -> bool:
    are_gone = wait_until(lambda: not any(map(is_running, pids)))
    for pid in filter(is_running, pids):
        os.kill(pid, signal.SIGKILL)
    return are_gone


@pytest.fixture
def forgetful(
    request: pytest.FixtureRequest, start_engine: Callable[..., tuple[Any, Any]], tmp_path: Path
) -> Any:
    """An engine with a plugin that has started a process, and answers."""
    engine, listener = start_engine(bundled_plugins=tmp_path, build=request.param)
    number = engine.submit("view", Ask(standin.Echo("fine")))
    assert isinstance(listener.end_of("view", number), Answer)
    assert all(map(is_running, children(tmp_path)))
    return engine, listener


@pytest.mark.parametrize("forgetful", BUILDS, indirect=True)
def test_what_a_plugin_has_started_ends_with_the_program(forgetful: Any, tmp_path: Path) -> None:
    engine, _ = forgetful
    engine.close()
    assert gone(children(tmp_path))


@pytest.mark.parametrize("forgetful", BUILDS, indirect=True)
def test_what_a_plugin_has_started_ends_with_an_engine_that_dies(
    forgetful: Any, tmp_path: Path
) -> None:
    engine, listener = forgetful
    first = children(tmp_path)
    os.kill(engine.pid, signal.SIGKILL)
    # A forked process has the pipe too: that it is still open tells nothing.
    died = listener.wait_for(Died, timeout=10)
    assert "memory ran out" in died.reason
    assert gone(first)
    number = engine.submit("view", Ask(standin.Echo("again")))
    assert listener.end_of("view", number).result == "again"


def test_a_process_that_a_plugin_has_forked_goes_when_the_window_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "window.py"
    script.write_text(
        textwrap.dedent(f"""
            import threading
            from pathlib import Path

            if __name__ == "__main__":
                import standin
                from explorer.engine.process.client import EngineProcess
                from explorer.engine.configuration import EngineConfiguration
                from explorer.engine.messages import Answer, Ask

                here = Path({str(tmp_path)!r})
                engine = EngineProcess(
                    EngineConfiguration(
                        here, here, with_torch=False, build=standin.build_forking
                    )
                )

                def listener(event):
                    if isinstance(event, Answer):
                        print(engine.pid, flush=True)

                engine.start(listener)
                engine.submit("view", Ask(standin.Echo("fine")))
                threading.Event().wait()
        """),
        encoding="utf-8",
    )
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(TESTS.parents[1]), str(TESTS)]))
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment
    ) as window:
        assert window.stdout is not None
        try:
            pids = [int(window.stdout.readline()), *children(tmp_path)]
            assert all(map(is_running, pids))
        finally:
            window.kill()
    assert gone(pids)
