"""Loads and answers with hardly any memory left: each ends, in one sentence, and the next works."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from listening import Listener
from test_loading_at_length import QUESTION, append_tensor, started, write_many_heads

from explorer.api.question import Blame
from explorer.engine.messages import Answer, Ask, Failed, LoadModel, Unload
from explorer.engine.process.client import EngineProcess
from explorer.paths import Paths

resource = pytest.importorskip("resource", reason="Windows has no limit of this kind")

if not hasattr(resource, "prlimit"):
    pytest.skip("only Linux limits another process", allow_module_level=True)

ROOT = Path(__file__).resolve().parents[2]
SOON = 20.0
MEGABYTE = 1_000_000


class Limited:
    """An engine whose memory can be taken away and given back."""

    def __init__(self, engine: EngineProcess, listener: Listener) -> None:
        self.engine = engine
        self.listener = listener
        assert engine.pid is not None
        self._pid: int = engine.pid
        self._before = resource.prlimit(self._pid, resource.RLIMIT_AS)

    def leave(self, size: int) -> None:
        """From now on it gets only so many bytes more."""
        limit = psutil.Process(self._pid).memory_info().vms + size
        resource.prlimit(self._pid, resource.RLIMIT_AS, (limit, self._before[1]))

    def give_back(self) -> None:
        resource.prlimit(self._pid, resource.RLIMIT_AS, self._before)

    def load(self, folder: str) -> Any:
        lane = "load:A"
        number = self.engine.submit(lane, LoadModel("A", folder))
        return self.listener.end_of(lane, number, timeout=SOON)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Limited]:
    with started(tmp_path_factory.mktemp("profile")) as (running, listener):
        yield Limited(running, listener)


@pytest.fixture
def limited(shared: Limited) -> Iterator[Limited]:
    yield shared
    shared.give_back()


@pytest.fixture
def bulky(paths: Paths, tmp_path: Path) -> Any:
    """Makes a checkpoint with a tensor of so many bytes more, that nothing uses."""

    def make(size: int) -> str:
        folder = tmp_path / "bulky"
        folder.mkdir()
        for file in (Path(paths.bundled_models) / "bert-miniature").iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        append_tensor(folder / "model.safetensors", size, "F32")
        return str(folder)

    return make


def must_be_memory(ended: Any) -> None:
    assert isinstance(ended, Failed), ended
    assert ended.failure.blame is Blame.MACHINE, ended.failure
    assert "not enough memory" in ended.failure.message
    assert "\n" not in ended.failure.message
    assert ended.failure.hint


@pytest.mark.parametrize("left", [0, 1, 4, 12, 40])
def test_a_load_ends_however_little_is_left(limited: Limited, left: int) -> None:
    limited.leave(left * MEGABYTE)
    ended = limited.load("bert-miniature")
    if not isinstance(ended, Answer):
        must_be_memory(ended)
    limited.give_back()
    assert isinstance(limited.load("bert-miniature"), Answer)
    asked = limited.engine.submit("view", Ask(QUESTION, {"model": "A"}))
    assert isinstance(limited.listener.end_of("view", asked, timeout=SOON), Answer)


def test_what_a_load_takes_and_what_is_free_are_told(limited: Limited, bulky: Any) -> None:
    folder = bulky(600 * MEGABYTE)
    limited.leave(400 * MEGABYTE)
    ended = limited.load(folder)
    must_be_memory(ended)
    values = ended.failure.values
    assert (values["name"], values["free"]) == ("bulky", "400 MB")
    needed = float(str(values["needed"]).removesuffix(" MB"))
    assert 600 < needed < 660, "its numbers, once"
    assert all(str(values[name]) in ended.failure.message for name in ("name", "needed", "free"))


def test_a_model_for_which_the_machine_has_no_memory_is_refused_before_it_is_read(
    limited: Limited, bulky: Any
) -> None:
    size = psutil.virtual_memory().available + psutil.swap_memory().free
    folder = bulky(size)
    # Were it not refused, the limit would save the machine that runs this test.
    limited.leave(size + 1_000 * MEGABYTE)
    ended = limited.load(folder)
    must_be_memory(ended)
    assert limited.listener.events[-1] is ended
    stages = [getattr(e, "stage", "") for e in limited.listener.of_lane("load:A")[-2:]]
    assert "making the model" not in stages


def test_a_model_in_half_the_numbers_needs_half_the_memory(limited: Limited, bulky: Any) -> None:
    from explorer.api.family import LoadOptions

    folder = bulky(400 * MEGABYTE)
    limited.leave(1_000 * MEGABYTE)
    number = limited.engine.submit("load:A", LoadModel("A", folder, LoadOptions(dtype="float16")))
    assert isinstance(limited.listener.end_of("load:A", number, timeout=SOON), Answer)
    limited.listener.end_of("unload", limited.engine.submit("unload", Unload("A")))


def in_a_process(folder: Path, code: str) -> list[str]:
    """Lines that a window's process prints, whose own memory is limited."""
    file = folder / "little.py"
    file.write_text(START + code, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, str(file), str(folder)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests/engine")))},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout.splitlines()


START = """
import resource, sys
from pathlib import Path

import psutil

from explorer.document import Document
from explorer.engine.configuration import EngineConfiguration
from explorer.engine.messages import Ask, Died, LoadModel
from explorer.engine.process.client import EngineProcess
from explorer.paths import Paths
from explorer.questions.attention.attention.question import AttentionRequest
from listening import Listener

FOLDER = Path(sys.argv[1])

def engine():
    return EngineProcess(EngineConfiguration.of(Paths.profile(FOLDER / "profile", {}), threads=1))
"""


def test_too_little_memory_to_start_with_is_no_broken_installation(tmp_path: Path) -> None:
    code = """
if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (700_000_000, 700_000_000))
    listener, running = Listener(), engine()
    running.start(listener)
    ended = listener.end_of("load:A", running.submit("load:A", LoadModel("A", "bert-miniature")))
    running.close()
    print(ended.failure.blame, ended.failure.message, ended.failure.hint, sep="\\n")
"""
    blame, message, hint = in_a_process(tmp_path, code)
    assert blame == "machine"
    assert "not enough memory" in message
    assert "restart" in hint


def test_an_answer_for_which_the_window_has_no_memory_is_lost_and_told(
    paths: Paths, tmp_path: Path
) -> None:
    write_many_heads(Path(paths.bundled_models) / "bert-miniature", tmp_path / "many-heads")
    code = """
import pytest
from tests import warm_engine

class Generous(Listener):
    def __call__(self, event):
        if isinstance(event, Died):
            resource.setrlimit(resource.RLIMIT_AS, before)  # for the process that starts next
        super().__call__(event)

if __name__ == "__main__":
    warm_engine.use(pytest.MonkeyPatch())  # two begin: what they need is imported once
    before = resource.getrlimit(resource.RLIMIT_AS)
    listener, running = Generous(), engine()
    running.start(listener)
    many_heads = LoadModel("A", str(FOLDER / "many-heads"))
    print(type(listener.end_of("load:A", running.submit("load:A", many_heads))).__name__)
    limit = psutil.Process().memory_info().vms + 20_000_000
    resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
    heads = tuple(f"{layer}.{head}" for layer in range(3) for head in range(32))
    long = Ask(AttentionRequest("teacher " * 480, heads=heads))  # its answer has 90 MB
    number = running.submit("view", long)
    died = listener.wait_for(Died, timeout=20.0)
    print(died.reason)
    print(died.restarting, [call.number for call in died.lost] == [number])
    short = Ask(AttentionRequest.of(Document("The teacher reads .")))
    print(type(listener.end_of("view", running.submit("view", short))).__name__)
    running.close()
"""
    loaded, reason, kept, answered = in_a_process(tmp_path, code)
    assert (loaded, answered) == ("Answer", "Answer")
    assert "not enough memory" in reason
    assert kept == "True True"
