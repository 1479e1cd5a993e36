import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import standin
from listening import wait_until
from small_hub import small_hub

from explorer.api.family import LoadOptions
from explorer.api.question import Blame, ModelCard
from explorer.engine.configuration import EngineConfiguration
from explorer.engine.messages import (
    Answer,
    Ask,
    Died,
    Failed,
    Inspect,
    ListCheckpoints,
    ListPlugins,
    LoadModel,
    MeasureTime,
    Progress,
    Ready,
    Stopped,
    Unload,
)
from explorer.engine.process import surroundings

Start = Callable[..., tuple[Any, Any]]


def ask(engine: Any, listener: Any, request: Any, lane: str = "view") -> Any:
    return listener.end_of(lane, engine.submit(lane, Ask(request)))


def test_ready_comes_at_once_and_again_when_models_can_run(start_engine: Start) -> None:
    engine, listener = start_engine()
    first = listener.wait_for(Ready)
    assert first.pid == engine.pid != os.getpid()
    assert first.devices == ()
    assert first.versions["python"].startswith("3.")
    second = listener.wait_for(Ready, lambda event: event.devices != ())
    assert second.devices[0] == "cpu"
    assert second.problem is None


def test_an_answer_carries_time_and_memory(start_engine: Start) -> None:
    engine, listener = start_engine()
    answer = ask(engine, listener, standin.Work(5, "done"))
    assert answer.result == "done"
    assert 0.05 <= answer.duration < 5.0
    assert 5_000_000 < answer.memory_bytes < 4_000_000_000


def test_the_library_answers_while_a_model_works(start_engine: Start) -> None:
    engine, listener = start_engine()
    work = engine.submit("view", Ask(standin.Work(6000)))
    listener.wait_for(Progress)
    answer = listener.end_of("library", engine.submit("library", ListCheckpoints(("f",))))
    assert [row.id for row in answer.result] == ["small", "f"]
    plugins = listener.end_of("plugins", engine.submit("plugins", ListPlugins()))
    assert [record.id for record in plugins.result] == ["standin"]
    assert not [e for e in listener.of_lane("view") if not isinstance(e, Progress)]
    engine.cancel("view")
    assert isinstance(listener.end_of("view", work), Stopped)


def test_inspect_reads_a_path_or_says_what_is_wrong(start_engine: Start, tmp_path: Path) -> None:
    engine, listener = start_engine()
    found = listener.end_of("open", engine.submit("open", Inspect(str(tmp_path))))
    assert found.result.folder == str(tmp_path)
    missing = listener.end_of("open", engine.submit("open", Inspect(str(tmp_path / "no"))))
    assert missing.failure.blame is Blame.USER


def test_a_model_is_loaded_and_unloaded(start_engine: Start) -> None:
    engine, listener = start_engine(device="cuda:7")
    card = listener.end_of("load:A", engine.submit("load:A", LoadModel("A", "small"))).result
    assert isinstance(card, ModelCard)
    assert card.stamp.device == "cuda:7", "auto means what the configuration says"
    options = LoadOptions(device="cpu")
    card = listener.end_of(
        "load:A", engine.submit("load:A", LoadModel("A", "small", options))
    ).result
    assert card.stamp.device == "cpu"
    assert ask(engine, listener, standin.Which()).result == "small"
    timed = listener.end_of("measure", engine.submit("measure", MeasureTime("large"))).result
    assert (timed.checkpoint, timed.device) == ("large", "cuda:7")
    assert ask(engine, listener, standin.Which()).result == "small"
    gone = listener.end_of("load:A", engine.submit("load:A", Unload("A")))
    assert gone.result is None
    assert ask(engine, listener, standin.Which()).result is None


def test_a_flood_in_a_lane_gives_few_answers_and_the_last_one_right(start_engine: Start) -> None:
    engine, listener = start_engine()
    listener.wait_for(Ready)
    for number in range(1, 201):
        assert engine.submit("view", Ask(standin.Work(1, str(number)))) == number
    answer = listener.end_of("view", 200)
    assert answer.result == "200"
    answers = [e for e in listener.events if isinstance(e, Answer)]
    assert len(answers) < 20
    assert not [e for e in listener.events if isinstance(e, Failed)]


def test_a_long_run_stops_within_a_step_of_the_cancel(start_engine: Start) -> None:
    engine, listener = start_engine()
    number = engine.submit("view", Ask(standin.Work(6000)))
    listener.wait_for(Progress)
    started = time.monotonic()
    engine.cancel("view")
    assert isinstance(listener.end_of("view", number), Stopped)
    assert time.monotonic() - started < 0.5
    assert ask(engine, listener, standin.Echo("still here")).result == "still here"


def test_a_deaf_run_that_was_cancelled_has_no_answer(start_engine: Start) -> None:
    engine, listener = start_engine()
    number = engine.submit("view", Ask(standin.Work(50, "late", is_deaf=True)))
    listener.wait_for(Progress)
    engine.cancel("view")
    assert isinstance(listener.end_of("view", number), Stopped)


def test_a_waiting_call_can_be_cancelled(start_engine: Start) -> None:
    engine, listener = start_engine()
    work = engine.submit("first", Ask(standin.Work(6000)))
    listener.wait_for(Progress)
    waiting = engine.submit("second", Ask(standin.Echo(1)))
    engine.cancel("second")
    assert isinstance(listener.end_of("second", waiting), Stopped)
    engine.cancel("first")
    assert isinstance(listener.end_of("first", work), Stopped)


def test_progress_is_told_twenty_times_a_second_at_most(start_engine: Start) -> None:
    engine, listener = start_engine()
    answer = ask(engine, listener, standin.Work(100))
    told = [e for e in listener.events if isinstance(e, Progress)]
    assert 3 <= len(told) <= answer.duration * 20 + 5
    assert told[0].stage == "working"
    assert [e.done for e in told] == sorted(e.done for e in told)
    assert told[0].total == 100


@pytest.mark.parametrize(
    ("kind", "blame"),
    [
        ("user", Blame.USER),
        ("unavailable", Blame.USER),
        ("checkpoint", Blame.CHECKPOINT),
        ("plugin", Blame.PLUGIN),
        ("machine", Blame.MACHINE),
        ("memory", Blame.MACHINE),
        ("gpu-memory", Blame.MACHINE),  # of which a GPU gets over
        ("bug", Blame.BUG),
        ("exit", Blame.BUG),
        ("unprintable", Blame.BUG),
    ],
)
def test_errors_come_back_as_data(shared_engine: tuple[Any, Any], kind: str, blame: Blame) -> None:
    engine, listener = shared_engine
    failed = ask(engine, listener, standin.Raise(kind))
    assert isinstance(failed, Failed)
    assert failed.failure.blame is blame
    assert failed.failure.message
    if blame is not Blame.BUG and "memory" not in kind:
        assert failed.failure.message == f"A fault of the {kind}."
        assert failed.failure.hint == "Do something else."
    assert ("standin.py" in failed.failure.traceback) == (
        blame is not Blame.USER and kind != "unprintable"
    )
    assert ask(engine, listener, standin.Echo(kind)).result == kind


def test_an_answer_that_cannot_be_pickled_is_a_failure(shared_engine: tuple[Any, Any]) -> None:
    engine, listener = shared_engine
    failed = ask(engine, listener, standin.Unpicklable())
    assert isinstance(failed, Failed)
    assert failed.failure.blame is Blame.BUG
    assert "cannot cross the process boundary" in failed.failure.message
    assert ask(engine, listener, standin.Echo(1)).result == 1


def test_an_answer_the_window_cannot_read_is_a_failure(shared_engine: tuple[Any, Any]) -> None:
    engine, listener = shared_engine
    failed = ask(engine, listener, standin.Own())
    assert isinstance(failed, Failed)
    assert failed.failure.blame is Blame.PLUGIN
    assert "only_in_the_engine" in failed.failure.message
    assert ask(engine, listener, standin.Echo(1)).result == 1


def test_arrays_arrive_owned_and_read_only(shared_engine: tuple[Any, Any]) -> None:
    engine, listener = shared_engine
    sent = np.arange(12.0, dtype=np.float32).reshape(3, 4)
    got = ask(engine, listener, standin.Echo(sent)).result
    np.testing.assert_array_equal(got.whole, sent)
    np.testing.assert_array_equal(got.row, sent[0])
    for array in (got.whole, got.row):
        assert not array.flags.writeable
        assert array.dtype == np.float32


def test_what_handlers_print_goes_to_the_log(
    start_engine: Start, configuration: EngineConfiguration, capfd: pytest.CaptureFixture[str]
) -> None:
    engine, listener = start_engine()
    assert ask(engine, listener, standin.Print("hello from a handler")).result == "printed"
    assert configuration.logs is not None
    log = configuration.logs / "engine.log"
    assert log.read_text(encoding="utf-8").count("hello from a handler") == 3
    assert capfd.readouterr() == ("", "")


def test_the_log_does_not_grow_for_ever(
    start_engine: Start, configuration: EngineConfiguration
) -> None:
    engine, listener = start_engine()
    ask(engine, listener, standin.Print("x" * 1000, times=4000))
    assert configuration.logs is not None
    log = configuration.logs / "engine.log"
    assert wait_until(lambda: log.stat().st_size < 2_000_000, timeout=20)


def test_no_logs_folder_is_fine(start_engine: Start, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be", encoding="utf-8")
    for logs in (None, blocked / "logs"):
        engine, listener = start_engine(logs=logs)
        assert ask(engine, listener, standin.Print("hello")).result == "printed"


def test_parts_that_cannot_be_built_fail_every_call_and_no_more(start_engine: Start) -> None:
    engine, listener = start_engine(build=standin.build_broken)
    for lane, request in (("library", ListCheckpoints()), ("view", Ask(standin.Echo(1)))):
        failed = listener.end_of(lane, engine.submit(lane, request))
        assert failed.failure.message == "The plugins cannot be read."
    assert not [e for e in listener.events if isinstance(e, Died)]


def test_a_gpu_fault_is_told_and_ends_the_process(start_engine: Start) -> None:
    engine, listener = start_engine()
    failed = ask(engine, listener, standin.Raise("gpu"))
    assert "device-side assert" in failed.failure.message
    died = listener.wait_for(Died)
    assert died.reason == "The GPU reported an error that only a new engine process clears."
    assert died.restarting
    assert died.lost == ()
    assert ask(engine, listener, standin.Echo("again")).result == "again"


def test_the_configuration_can_be_changed_for_the_next_process(start_engine: Start) -> None:
    engine, listener = start_engine(device="cpu")
    listener.wait_for(Ready)
    engine.configuration = replace(engine.configuration, device="mps")
    engine.restart()
    died = listener.wait_for(Died)
    assert died.reason == "The engine was restarted."
    card = listener.end_of("load:A", engine.submit("load:A", LoadModel("A", "small"))).result
    assert card.stamp.device == "mps"


def test_libraries_in_the_engine_cannot_reach_the_network(
    start_engine: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    with small_hub() as hub:
        hub.add("owner/model", {"config.json": b"{}"})
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.delenv("HF_HUB_OFFLINE")
        monkeypatch.delenv("TRANSFORMERS_OFFLINE")
        engine, listener = start_engine()
        assert ask(engine, listener, standin.Reach()).result == "OfflineModeIsEnabled"
        assert hub.requests == []


def test_torch_uses_every_core_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    class Torch:
        threads: list[int] = []

        def set_num_threads(self, count: int) -> None:
            self.threads.append(count)

    torch = Torch()
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    for cores, wanted in ((1, 1), (2, 2), (8, 8)):
        monkeypatch.setattr(surroundings, "_cores", lambda cores=cores: cores)
        surroundings.use_threads(torch, 0)
        assert torch.threads.pop() == wanted
    surroundings.use_threads(torch, 5)
    assert torch.threads.pop() == 5
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    surroundings.use_threads(torch, 0)
    assert torch.threads == []


def test_freed_memory_is_kept_where_glibc_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[int, int] = {}

    class Glibc:
        def mallopt(self, option: int, size: int) -> int:
            asked[option] = size
            return 1

    monkeypatch.setattr(surroundings.ctypes, "CDLL", lambda _name: Glibc())
    monkeypatch.setattr(surroundings.sys, "platform", "linux")
    surroundings.keep_freed_memory()
    assert set(asked) == {-1, -2, -3}
    assert all(0 < size < 2**31 for size in asked.values())
    asked.clear()
    monkeypatch.setattr(surroundings.ctypes, "CDLL", lambda _name: object())  # another C library
    surroundings.keep_freed_memory()
    assert asked == {}


@pytest.mark.parametrize("broken", ["modeling_utils.py", "__init__.py"])
def test_libraries_that_cannot_be_imported_are_named_to_every_call(
    start_engine: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
) -> None:
    package = tmp_path / "path" / "transformers"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('__version__ = "5.0"\n', encoding="utf-8")
    (package / broken).write_text(
        'raise RuntimeError("operator torchvision::nms does not exist")\n', encoding="utf-8"
    )
    monkeypatch.setenv(standin.LIBRARIES, str(package.parent))
    engine, listener = start_engine(with_torch=True)
    load = engine.submit("load:A", LoadModel("A", "small"))
    ready = listener.wait_for(Ready, lambda event: event.problem is not None)
    assert ready.devices == ()
    ends = [listener.end_of("load:A", load), ask(engine, listener, standin.Echo(1))]
    for problem in (ready.problem, *(end.failure for end in ends)):
        assert problem.blame is Blame.MACHINE
        assert "The library transformers cannot be used here" in problem.message
        assert "operator torchvision::nms does not exist" in problem.message
        assert "start the program again" in problem.hint
    assert listener.end_of("library", engine.submit("library", ListCheckpoints())).result


def test_scipy_is_not_imported_with_transformers(start_engine: Start) -> None:
    """Where it is installed, losses of object detection would have it: a tenth of a start."""
    engine, listener = start_engine(with_torch=True)
    names = ("transformers.modeling_utils", "scipy.optimize")
    assert ask(engine, listener, standin.Imported(names)).result == names[:1]
