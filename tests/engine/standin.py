"""Requests and a runner that behave badly on purpose, inside a real engine process.

Found by the engine's process because tests/engine/conftest.py lets it look into this folder.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.api.family import (
    CheckpointFault,
    Context,
    Entity,
    LoadOptions,
    LoadReport,
    MachineFault,
    ModelStamp,
    PluginFault,
    Unavailable,
    UserMistake,
)
from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import ModelCard
from explorer.api.question.roles import RoleBinding
from explorer.choosing.times import SentenceTime
from explorer.engine.configuration import EngineConfiguration, Parts
from explorer.engine.messages import PluginRecord

LIBRARIES = "STANDIN_LIBRARIES"
"""The variable that names a folder of libraries that the engine finds before those installed."""
if os.environ.get(LIBRARIES):
    sys.path.insert(0, os.environ[LIBRARIES])

FAULTS = {
    "user": UserMistake,
    "checkpoint": CheckpointFault,
    "plugin": PluginFault,
    "machine": MachineFault,
    "unavailable": Unavailable,
}


@dataclass(frozen=True)
class Echo:
    value: Any


@dataclass(frozen=True)
class Work:
    """Steps of 10 ms each, with a look at the cancel flag before each; deaf ones never look."""

    steps: int
    name: str = ""
    is_deaf: bool = False


@dataclass(frozen=True)
class Share:
    """Steps of 10 ms each that give way to others after each; answers who worked in between.

    One that is held waits before its last step until the file is there, giving way meanwhile.
    """

    steps: int
    name: str = ""
    held_until: str = ""


@dataclass(frozen=True)
class Grow:
    """An array that is filled number by number, 10 ms each, and shown after each."""

    size: int


@dataclass(frozen=True)
class Compute:
    """Seconds of Python without a pause, on several threads."""

    seconds: float


@dataclass(frozen=True)
class Allocate:
    """So many bytes in one call of C that lets nobody else run meanwhile."""

    bytes: int


@dataclass(frozen=True)
class Raise:
    kind: str


@dataclass(frozen=True)
class Unpicklable:
    pass


@dataclass(frozen=True)
class Print:
    text: str
    times: int = 1


@dataclass(frozen=True)
class Kill:
    signal_number: int


@dataclass(frozen=True)
class Which:
    """Which checkpoint is in the slot."""


@dataclass(frozen=True)
class Reach:
    """Try to reach the hub, as a library might that does not find a file."""


@dataclass(frozen=True)
class Own:
    """Answer with a class only the engine's process can import."""


@dataclass(frozen=True)
class Imported:
    """Which of these modules the engine has imported."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Arrays:
    whole: np.ndarray
    row: np.ndarray


class CannotBePrinted(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this")


class Runner:
    def __init__(self) -> None:
        self.models: dict[str, str] = {}
        self.worked: list[str] = []
        self.is_busy = False

    def load(
        self, slot: str, checkpoint_id: str, options: LoadOptions, context: Context
    ) -> ModelCard:
        if checkpoint_id == "killer":
            os.kill(os.getpid(), signal.SIGKILL)
        context.progress("loading", 0.0, 1.0)
        context.check()
        self.models[slot] = checkpoint_id
        stamp = ModelStamp(checkpoint_id, "standin", "0" * 32, options.device, "float32")
        return ModelCard(
            slot=slot,
            stamp=stamp,
            title=checkpoint_id,
            architecture="",
            folder="",
            parameters=0,
            weights_bytes=0,
            max_length=None,
            mask_token=None,
            vocabulary_size=0,
            heads=(),
            operations=(),
            unavailable={},
            report=LoadReport(0),
        )

    def unload(self, slot: str) -> None:
        self.models.pop(slot, None)

    def entities_named(self, _slot: str, _beginning: str, _most: int) -> tuple[Entity, ...]:
        return ()

    def sentence_time(
        self, checkpoint_id: str, options: LoadOptions, context: Context
    ) -> SentenceTime:
        context.check()
        numbers = (1, options.device, "float32", 1, 9, 0.5, 0.5, 0.5, 0.5, 7, "2026-01-02")
        return SentenceTime(checkpoint_id, *numbers)

    def ask(self, request: Any, models: RoleBinding, context: Context) -> Any:
        slot = models["model"]
        return getattr(self, f"_{type(request).__name__.lower()}")(request, slot, context)

    def _echo(self, request: Echo, _slot: str, _context: Context) -> Any:
        if isinstance(request.value, np.ndarray):
            whole = request.value.copy()
            return Arrays(whole, whole[0])
        return request.value

    def _work(self, request: Work, _slot: str, context: Context) -> str:
        for step in range(request.steps):
            if not request.is_deaf:
                context.check()
            context.progress("working", step, request.steps)
            time.sleep(0.01)
        return request.name

    def _share(self, request: Share, _slot: str, context: Context) -> tuple[str, ...]:
        begun = len(self.worked)

        def rests() -> None:
            self.worked.append(f"{request.name} rests")

        for step in range(request.steps):
            context.check()
            context.progress(request.name, step, request.steps)
            while step + 1 == request.steps and self._is_held(request):
                time.sleep(0.01)
                context.give_way(rests)
            assert not self.is_busy, "two runs at once"
            self.is_busy = True
            time.sleep(0.01)
            self.worked.append(request.name)
            self.is_busy = False
            context.give_way(rests)
        return tuple(self.worked[begun:])

    def _grow(self, request: Grow, _slot: str, context: Context) -> np.ndarray:
        grown = np.full(request.size, np.nan)
        for place in range(request.size):
            context.check()
            time.sleep(0.01)
            grown[place] = place
            context.show(grown.copy)
        return grown

    @staticmethod
    def _is_held(request: Share) -> bool:
        return bool(request.held_until) and not Path(request.held_until).exists()

    def _allocate(self, request: Allocate, _slot: str, _context: Context) -> int:
        return len(b"x" * request.bytes)

    def _compute(self, request: Compute, _slot: str, _context: Context) -> str:
        end = time.monotonic() + request.seconds

        def compute() -> None:
            while time.monotonic() < end:
                sum(range(1_000_000))

        threads = [threading.Thread(target=compute) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return "computed"

    def _raise(self, request: Raise, _slot: str, _context: Context) -> None:
        if request.kind in FAULTS:
            raise FAULTS[request.kind](f"A fault of the {request.kind}.", "Do something else.")
        if request.kind == "bug":
            raise ZeroDivisionError("by zero")
        if request.kind == "memory":
            raise MemoryError
        if request.kind == "exit":
            sys.exit(3)
        if request.kind == "unprintable":
            raise CannotBePrinted
        if request.kind == "gpu":
            raise RuntimeError("CUDA error: device-side assert triggered")
        if request.kind == "gpu-memory":
            raise RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED")
        raise KeyError(request.kind)

    def _unpicklable(self, _request: Unpicklable, _slot: str, _context: Context) -> Any:
        return lambda: None

    def _print(self, request: Print, _slot: str, _context: Context) -> str:
        for _ in range(request.times):
            print(request.text)
        os.write(1, request.text.encode())
        os.write(2, request.text.encode())
        return "printed"

    def _kill(self, request: Kill, _slot: str, _context: Context) -> None:
        os.kill(os.getpid(), request.signal_number)
        time.sleep(10)

    def _which(self, _request: Which, slot: str, _context: Context) -> str | None:
        return self.models.get(slot)

    def _reach(self, _request: Reach, _slot: str, _context: Context) -> str:
        from huggingface_hub import HfApi

        try:
            HfApi(endpoint=os.environ["HF_ENDPOINT"]).model_info("owner/model")
        except Exception as error:  # noqa: BLE001  the test looks at its name
            return type(error).__name__
        return "reached"

    def _imported(self, request: Imported, _slot: str, _context: Context) -> tuple[str, ...]:
        return tuple(name for name in request.names if name in sys.modules)

    def _own(self, _request: Own, _slot: str, _context: Context) -> Any:
        # A module of this process alone, as a plugin's is.
        module = type(sys)("only_in_the_engine")
        exec("class Result: pass", module.__dict__)
        sys.modules[module.__name__] = module
        return module.Result()


class Catalogue:
    def __init__(self) -> None:
        self.rows = (Checkpoint("small", "Small", Source.BUNDLED),)

    def list(self, folders: tuple[str, ...] = ()) -> tuple[Checkpoint, ...]:
        return self.rows + tuple(Checkpoint(f, f, Source.FOLDER) for f in folders)

    def find(self, checkpoint_id: str) -> Checkpoint:
        return Checkpoint(checkpoint_id, checkpoint_id, Source.CACHE)

    def inspect(self, path: Path) -> Checkpoint:
        if not path.exists():
            raise UserMistake(f"There is nothing at {path}.")
        return Checkpoint(str(path), path.name, Source.FOLDER, str(path))


class Host:
    def described(self, _known: object = ()) -> tuple[PluginRecord, ...]:
        return (PluginRecord("standin", "Stand-in", "bundled", ""),)


def build(_configuration: EngineConfiguration) -> Parts:
    return Parts(Host(), Catalogue(), Runner())


def build_without_kernel(configuration: EngineConfiguration) -> Parts:
    """As on systems where the kernel does not end a process together with its parent."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
    return build(configuration)


def build_forking(configuration: EngineConfiguration) -> Parts:
    """As a plugin does that starts a process when it is imported, and forgets it."""
    child = os.fork()
    if child == 0:
        while True:
            time.sleep(1000)
    _tell_child(configuration, child)
    return build(configuration)


def build_starting(configuration: EngineConfiguration) -> Parts:
    """The same with another program."""
    sleeping = [sys.executable, "-c", "import time; time.sleep(1000)"]
    _tell_child(configuration, subprocess.Popen(sleeping).pid)
    return build(configuration)


def _tell_child(configuration: EngineConfiguration, child: int) -> None:
    with Path(configuration.bundled_plugins, "children").open("a", encoding="utf-8") as file:
        file.write(f"{child}\n")


def build_broken(_configuration: EngineConfiguration) -> Parts:
    raise PluginFault("The plugins cannot be read.", "Look at their folder.")


def build_dead(_configuration: EngineConfiguration) -> Parts:
    os._exit(7)
