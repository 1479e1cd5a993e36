"""A process that has begun before anybody knows what it is to be."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
import standin
from listening import Listener, is_running, wait_until

from explorer import cli
from explorer.engine.configuration import EngineConfiguration
from explorer.engine.messages import Ask, Ready
from explorer.engine.process import engine_handle as beginning
from explorer.engine.process.client import EngineProcess
from explorer.engine.process.engine_handle import EngineHandle, begin
from explorer.paths import Paths
from explorer.program import Program

ROOT = Path(__file__).parents[3]


def test_the_engine_is_the_one_that_has_begun(configuration: EngineConfiguration) -> None:
    """And another one once that has ended."""
    ahead = begin(ahead=True)
    engine, listener = EngineProcess(configuration, begun=ahead), Listener()
    engine.start(listener)
    try:
        number = engine.submit("view", Ask(standin.Echo("here")))
        assert listener.end_of("view", number).result == "here"
        assert engine.pid == listener.wait_for(Ready).pid == ahead.pid
        assert ahead.exit_code is None
        engine.restart()
        listener.wait_for(Ready, lambda event: event.pid != ahead.pid)
        number = engine.submit("view", Ask(standin.Echo("again")))
        assert listener.end_of("view", number).result == "again"
        assert ahead.exit_code is not None
    finally:
        engine.close()


def test_one_that_has_ended_before_it_was_told_is_replaced(
    configuration: EngineConfiguration,
) -> None:
    ahead = begin(ahead=True)
    ahead.kill()
    assert ahead.wait()
    engine, listener = EngineProcess(configuration, begun=ahead), Listener()
    engine.start(listener)
    try:
        number = engine.submit("view", Ask(standin.Echo("here")))
        assert listener.end_of("view", number).result == "here"
    finally:
        engine.close()


def test_one_that_is_never_told_ends_with_its_engine(configuration: EngineConfiguration) -> None:
    ahead = begin(ahead=True)
    assert ahead.exit_code is None
    EngineProcess(configuration, begun=ahead).close()
    assert ahead.wait(0.0)


def test_one_that_is_never_told_ends_with_the_program(tmp_path: Path) -> None:
    script = tmp_path / "window.py"
    script.write_text(
        textwrap.dedent("""
            import sys
            from explorer.engine.process.engine_handle import begin

            print(begin(ahead=True).pid, flush=True)
            sys.stdin.read()
        """),
        encoding="utf-8",
    )
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as window:
        assert window.stdout is not None
        pid = int(window.stdout.readline())
        assert is_running(pid)
    assert wait_until(lambda: not is_running(pid))


def test_nothing_that_takes_time_is_imported_for_it() -> None:
    """It comes before the window, which waits for what is imported here."""
    code = "import sys, explorer.engine.process.engine_handle; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    own = {name for name in ran.stdout.split() if name.startswith("explorer")}
    assert own == {
        "explorer",
        "explorer.engine",
        "explorer.engine.process",
        "explorer.engine.process.engine_handle",
        "explorer.processes",
        "explorer.processes.beginning",
        "explorer.processes.own_processes",
        "explorer.processes.piped",
    }
    assert {"PySide6", "numpy", "msgspec", "multiprocessing"}.isdisjoint(ran.stdout.split())


def _no_process(**_: object) -> EngineHandle:
    raise BlockingIOError(11, "Resource temporarily unavailable")


@pytest.mark.parametrize("made", [lambda **_: "begun", _no_process])
def test_the_window_opens_whether_or_not_a_process_could_be_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, made: Callable[..., object]
) -> None:
    """Why there is none is told in the window, where the engine is started again."""
    opened: list[object] = []
    monkeypatch.setattr(beginning, "begin", made)
    monkeypatch.setattr(
        "explorer.app.run", lambda program, path, begun: opened.append((program, begun)) or 0
    )
    monkeypatch.setattr(cli, "has_display", lambda _: True)
    monkeypatch.setattr("explorer.system_libraries.missing", lambda _: ())
    program = Program(Paths.profile(tmp_path))
    assert cli._open_window(program) == 0
    assert opened == [(program, None if made is _no_process else "begun")]
