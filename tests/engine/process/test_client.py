import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import standin
from listening import Listener, is_running, wait_until

from explorer.api.question import Blame, ModelCard
from explorer.engine.configuration import EngineConfiguration
from explorer.engine.messages import (
    Answer,
    Ask,
    Died,
    Failed,
    ListPlugins,
    LoadModel,
    Progress,
    Ready,
    Stopped,
)
from explorer.engine.process.client import EngineProcess

Start = Callable[..., tuple[Any, Any]]
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


def test_start_submit_and_cancel_wait_for_nothing(configuration: EngineConfiguration) -> None:
    """They return while the engine has not said a word; a window that waited would stand still."""
    engine = EngineProcess(configuration)
    listener = Listener()
    engine.start(listener)
    for _ in range(100):
        number = engine.submit("view", Ask(standin.Echo("early")))
        engine.cancel("other")
    assert listener.events == []
    assert listener.end_of("view", number).result == "early"
    engine.close()


def test_numbers_grow_by_one_in_each_lane(start_engine: Start) -> None:
    engine, listener = start_engine()
    assert [engine.submit("a", ListPlugins()) for _ in range(3)] == [1, 2, 3]
    assert engine.submit("b", ListPlugins()) == 1
    listener.end_of("b", 1)


def test_nothing_of_an_older_call_is_told(start_engine: Start) -> None:
    engine, listener = start_engine()
    first = engine.submit("view", Ask(standin.Work(30, "old", is_deaf=True)))
    listener.wait_for(Progress)
    second = engine.submit("view", Ask(standin.Echo("new")))
    assert listener.end_of("view", second).result == "new"
    ends = [e for e in listener.of_lane("view") if not isinstance(e, Progress)]
    assert [e.number for e in ends] == [second]
    assert first < second


def test_a_request_that_cannot_be_sent_fails(start_engine: Start) -> None:
    engine, listener = start_engine()
    failed = listener.end_of("view", engine.submit("view", Ask(standin.Echo(lambda: None))))
    assert isinstance(failed, Failed)
    assert failed.failure.blame is Blame.BUG
    assert listener.end_of("view", engine.submit("view", Ask(standin.Echo(2)))).result == 2


def test_a_listener_that_raises_does_not_stop_the_engine(
    configuration: EngineConfiguration, expect_log: Callable[[str], None]
) -> None:
    expect_log("ERROR explorer.engine.process.client: Who listens to the engine failed at Ready")
    listener = Listener()

    def careless(event: Any) -> None:
        listener(event)
        if isinstance(event, Ready):
            raise LookupError("a listener's bug")

    engine = EngineProcess(configuration)
    engine.start(careless)
    number = engine.submit("view", Ask(standin.Echo("fine")))
    assert listener.end_of("view", number).result == "fine"
    engine.close()


@POSIX
def test_a_killed_engine_is_replaced_and_its_models_are_loaded_again(start_engine: Start) -> None:
    engine, listener = start_engine()
    for slot, name in (("B", "teacher"), ("A", "first"), ("A", "student")):
        lane = f"load:{slot}"
        listener.end_of(lane, engine.submit(lane, LoadModel(slot, name)))
    work = engine.submit("view", Ask(standin.Work(6000)))
    listener.wait_for(Progress, lambda event: event.lane == "view")
    before = len(listener.events)
    pid = engine.pid
    os.kill(pid, signal.SIGKILL)
    died = listener.wait_for(Died)
    assert died.reason == "The system stopped the engine, most likely because memory ran out."
    assert died.restarting
    assert [(call.lane, call.number) for call in died.lost] == [("view", work)]
    assert died.lost[0].request == Ask(standin.Work(6000))
    for lane, name, number in (("load:B", "teacher", 2), ("load:A", "student", 3)):
        again = listener.wait_for(Answer, lambda e, lane=lane: e.lane == lane, after=before)
        assert isinstance(again.result, ModelCard)
        assert again.result.title == name
        assert again.number == number
    assert engine.pid != pid
    for slot, name in (("A", "student"), ("B", "teacher")):
        answer = listener.end_of(
            "view", engine.submit("view", Ask(standin.Which(), {"model": slot}))
        )
        assert answer.result == name
    assert not is_running(pid)


@POSIX
@pytest.mark.parametrize(
    ("signal_number", "words"),
    [
        (signal.SIGSEGV, "segmentation fault"),
        (signal.SIGABRT, "a library gave up"),
        (signal.SIGTERM, "Another program"),
    ],
)
def test_the_reason_is_told_in_words(
    start_engine: Start, configuration: EngineConfiguration, signal_number: int, words: str
) -> None:
    engine, listener = start_engine()
    engine.submit("view", Ask(standin.Kill(signal_number)))
    died = listener.wait_for(Died)
    assert words in died.reason
    assert len(died.lost) == 1
    if signal_number == signal.SIGSEGV:
        assert configuration.logs is not None
        crash = (configuration.logs / "engine-crash.log").read_text(encoding="utf-8")
        assert "standin.py" in crash


@POSIX
def test_a_load_that_kills_the_engine_is_not_repeated(start_engine: Start) -> None:
    engine, listener = start_engine()
    listener.end_of("load:A", engine.submit("load:A", LoadModel("A", "small")))
    before = len(listener.events)
    engine.submit("load:A", LoadModel("A", "killer"))
    died = listener.wait_for(Died)
    assert [call.request for call in died.lost] == [LoadModel("A", "killer")]
    again = listener.wait_for(Answer, after=before)
    assert again.result.title == "small"


@POSIX
def test_an_engine_that_dies_again_and_again_waits_for_the_user(start_engine: Start) -> None:
    engine, listener = start_engine()
    for round_number in range(3):
        assert listener.end_of("view", engine.submit("view", Ask(standin.Echo(0)))).result == 0
        before = len(listener.events)
        engine.submit("view", Ask(standin.Kill(signal.SIGKILL)))
        died = listener.wait_for(Died, after=before)
        assert died.restarting == (round_number < 2)
    failed = listener.end_of("view", engine.submit("view", Ask(standin.Echo(1))))
    assert isinstance(failed, Failed)
    assert failed.failure.blame is Blame.MACHINE
    engine.restart()
    before = len(listener.events)
    listener.wait_for(Ready, after=before)
    assert listener.end_of("view", engine.submit("view", Ask(standin.Echo(2)))).result == 2


def test_an_engine_that_cannot_start_is_given_up_after_one_more_try(start_engine: Start) -> None:
    engine, listener = start_engine(build=standin.build_dead)
    number = engine.submit("view", Ask(standin.Echo(1)))
    first = listener.wait_for(Died)
    assert first.restarting
    assert "exit code 7" in first.reason
    last = listener.wait_for(Died, lambda event: not event.restarting)
    lost = [(c.lane, c.number) for event in (first, last) for c in event.lost]
    assert lost == [("view", number)]
    assert len([e for e in listener.events if isinstance(e, Died)]) == 2


def test_what_was_not_sent_when_it_died_is_sent_to_the_next(start_engine: Start) -> None:
    engine, listener = start_engine()
    listener.wait_for(Ready)
    engine.restart()
    number = engine.submit("view", Ask(standin.Echo("kept")))

    def is_told() -> bool:
        return any(isinstance(e, Died) for e in listener.events)

    assert wait_until(is_told)
    lost = next(e for e in listener.events if isinstance(e, Died)).lost
    if lost:
        # It had been written to the old process before that was gone: then it is told so.
        assert [(call.lane, call.number) for call in lost] == [("view", number)]
    else:
        assert listener.end_of("view", number).result == "kept"


def test_close_leaves_no_process_and_may_be_repeated(start_engine: Start) -> None:
    engine, listener = start_engine()
    listener.wait_for(Ready)
    pid = engine.pid
    started = time.monotonic()
    engine.close()
    assert time.monotonic() - started < 2.0
    assert not is_running(pid)
    assert engine.pid is None
    told = len(listener.events)
    engine.close()
    engine.submit("view", Ask(standin.Echo(1)))
    engine.cancel("view")
    engine.restart()
    assert engine.pid is None
    assert len(listener.events) == told
    assert not [e for e in listener.events if isinstance(e, Died)]


def test_close_ends_a_process_that_is_busy_or_just_starting(
    configuration: EngineConfiguration,
) -> None:
    engine = EngineProcess(configuration)
    engine.start(Listener())
    engine.close()
    assert engine.pid is None

    engine, listener = EngineProcess(configuration), Listener()
    engine.start(listener)
    engine.submit("view", Ask(standin.Work(6000, is_deaf=True)))
    listener.wait_for(Progress)
    pid = engine.pid
    engine.close()
    assert pid is not None
    assert not is_running(pid)


@POSIX
def test_close_ends_a_process_that_does_not_listen(start_engine: Start) -> None:
    engine, listener = start_engine()
    listener.wait_for(Ready)
    pid = engine.pid
    os.kill(pid, signal.SIGSTOP)
    engine.close()
    assert not is_running(pid)


def test_close_before_start_is_fine(configuration: EngineConfiguration) -> None:
    EngineProcess(configuration).close()


def test_close_from_the_listener_does_not_lock(configuration: EngineConfiguration) -> None:
    engine = EngineProcess(configuration)
    closed = threading.Event()

    def listener(_event: Any) -> None:
        engine.close()
        closed.set()

    engine.start(listener)
    assert closed.wait(30)
    assert wait_until(lambda: engine.pid is None)


@POSIX
def test_ctrl_c_is_the_windows_to_answer(start_engine: Start) -> None:
    engine, listener = start_engine()
    listener.wait_for(Ready)
    os.kill(engine.pid, signal.SIGINT)
    assert listener.end_of("view", engine.submit("view", Ask(standin.Echo(1)))).result == 1


@pytest.mark.parametrize("build", ["build", "build_without_kernel"])
@pytest.mark.parametrize("is_busy", [False, True])
def test_the_engine_goes_when_the_window_is_killed(
    tmp_path: Path, is_busy: bool, build: str
) -> None:
    script = tmp_path / "window.py"
    script.write_text(
        textwrap.dedent(f"""
            import threading
            from pathlib import Path

            if __name__ == "__main__":
                import standin
                from explorer.engine.process.client import EngineProcess
                from explorer.engine.configuration import EngineConfiguration
                from explorer.engine.messages import Ask, Progress, Ready

                here = Path({str(tmp_path)!r})
                engine = EngineProcess(
                    EngineConfiguration(here, here, with_torch=False, build=standin.{build})
                )

                def listener(event):
                    if isinstance(event, Progress if {is_busy} else Ready):
                        print(engine.pid, flush=True)

                engine.start(listener)
                if {is_busy}:
                    engine.submit("view", Ask(standin.Work(6000, is_deaf=True)))
                threading.Event().wait()
        """),
        encoding="utf-8",
    )
    folders = [str(Path(__file__).parents[level]) for level in (3, 1)]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(folders))
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment
    ) as window:
        assert window.stdout is not None
        try:
            pid = int(window.stdout.readline())
            assert is_running(pid)
        finally:
            window.kill()
    assert wait_until(lambda: not is_running(pid), timeout=2.0)


def test_stopped_is_told_for_the_newest_call_only(start_engine: Start) -> None:
    engine, listener = start_engine()
    numbers = [engine.submit("view", Ask(standin.Work(6000))) for _ in range(5)]
    listener.wait_for(Progress)
    engine.cancel("view")
    assert isinstance(listener.end_of("view", numbers[-1]), Stopped)
    stopped = [e.number for e in listener.events if isinstance(e, Stopped)]
    assert stopped == [numbers[-1]]
