"""What this process has: settings, the models that are loaded, the log that is written."""

import argparse
import atexit
import os
import sys
import threading
import warnings
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import headless
from explorer.api.family.load_options import numbers_of
from explorer.api.question import SLOTS, ModelCard, UserMistake
from explorer.api.question.roles import RoleBinding
from explorer.machine.turns import at_work
from explorer.scripting.mistakes import advised
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.engine.configuration import ModelRunner
    from explorer.engine.runner import Runner
    from explorer.program import Program
    from explorer.scripting.engine import EngineRunner

MOST_MODELS = 100
PLACES = (*SLOTS, *map(str, range(len(SLOTS) + 1, MOST_MODELS + 1)))
"""Where models lie: a window has two places, a script as many as it opens."""
SESSION_NAME = "Python"


@dataclass(frozen=True)
class OpenModel:
    """A model that is loaded.

    Attributes:
        slot: Where it lies.
        process: What has it.
        in_engine: It lies in the engine's process, not in this one.
    """

    slot: str
    process: "Process"
    in_engine: bool = False

    @property
    def card(self) -> ModelCard:
        """What is known of it.

        Raises:
            UserMistake: It was closed.
        """
        card = self.process.runner(in_engine=self.in_engine).cards.get(self.slot)
        if card is None or self.process is not current():
            raise UserMistake(N_("This model was closed."), N_("Open it again."))
        return card


class Process:
    """One program in this process: its settings, its models, its log.

    Args:
        program: The settings.
        logs: Whether answers are kept in the session log.
        in_engine: Whether models are loaded in the engine's process where nothing else is said.
    """

    def __init__(self, program: "Program", *, logs: bool = True, in_engine: bool = False) -> None:
        self.program, self.logs, self.in_engine = program, logs, in_engine
        self._changing = threading.RLock()
        """Held while something is looked up here, and never while a model is loaded or asked."""
        self._known: dict[tuple[Any, ...], OpenModel] = {}
        self._opening: dict[tuple[Any, ...], threading.Event] = {}
        self._places = iter(PLACES)
        self._free: list[str] = []
        self._log: headless.Log | None = None

    @cached_property
    def _here(self) -> "Runner":
        return self.program.runner(slots=PLACES)

    @cached_property
    def _engine(self) -> "EngineRunner":
        from explorer.scripting.engine import EngineRunner

        return EngineRunner(self.program.configuration(slots=PLACES))

    def runner(self, *, in_engine: bool) -> "ModelRunner":
        """What loads and asks models, in this process or in the engine's."""
        with self._changing:
            return self._engine if in_engine else self._here

    def opened(
        self,
        name: str,
        *,
        device: str = "",
        dtype: str = "",
        allow_pickle: bool = False,
        in_engine: bool | None = None,
    ) -> OpenModel:
        """A model that is loaded, now or before.

        Args:
            name: A bundled name, a hub id, or a path; with a number type after a colon.
            device: Where it runs; "" as all do.
            dtype: The numbers it is loaded as; "" as all are.
            allow_pickle: Open weights that are kept in a pickle.
            in_engine: In the engine's process; None as all are.

        Raises:
            ExplorerError: It is unknown, damaged, or needs a consent that was not given.
        """
        name, named = numbers_of(name)
        program = replace(
            self.program,
            device=device or self.program.device,
            dtype=dtype or named or self.program.dtype,
        )
        apart = self.in_engine if in_engine is None else in_engine
        key = (*self._files_of(program, name), program.device, program.dtype, apart)
        while True:
            with self._changing:
                found, under_way = self._known.get(key), self._opening.get(key)
                if found is not None:
                    return found
                if under_way is None:
                    under_way = self._opening[key] = threading.Event()
                    slot = self._free.pop() if self._free else next(self._places, "")
                    break
            # Another thread opens it; where that goes wrong, this one tries.
            under_way.wait()
        try:
            runner = self.runner(in_engine=apart)
            headless.load(runner, program, name, allow_pickle=allow_pickle, slot=slot)
            found = OpenModel(slot, self, apart)
        finally:
            with self._changing:
                if found is None:
                    self._free.append(slot)
                else:
                    self._known[key] = found
                del self._opening[key]
            under_way.set()
        return found

    def _files_of(self, program: "Program", name: str) -> tuple[Any, ...]:
        """Which checkpoint it is; one that was written anew, as by a training, is another one."""
        with self._changing:
            catalogue = program.catalogue(program.plugin_host())
            row = catalogue.find(name)
            files = catalogue.files(row)
        written = (
            (one, *_state(files.folder / one)) for one in ("config.json", *files.weight_files)
        )
        return row.id, str(files.folder), tuple(written)

    def close(self, model: OpenModel) -> None:
        """Free what a model takes; nothing happens where it was closed before."""
        with self._changing:
            keys = [key for key, one in self._known.items() if one.slot == model.slot]
            for key in keys:
                del self._known[key]
        if keys:
            runner = self.runner(in_engine=model.in_engine)
            with at_work(runner):
                runner.unload(model.slot)
            self._free.append(model.slot)

    def models(self, cast: RoleBinding, *, in_engine: bool) -> headless.LoadedModels:
        """Those that play the roles of a question, to be asked."""
        return headless.LoadedModels(self.runner(in_engine=in_engine), self.program, cast)

    @property
    def log(self) -> headless.Log:
        """The session log, in a session of this process's own."""
        with self._changing:
            if self._log is None:
                self._log = headless.Log(self.program, SESSION_NAME)
                atexit.register(self._log.close)
            return self._log

    def end(self) -> None:
        """Let go of all models, and write what waits for the log."""
        if self._log is not None:
            atexit.unregister(self._log.close)
            self._log.close()
            self._log = None
        for one in tuple(self._known.values()):
            self.close(one)
        if "_engine" in vars(self):
            self._engine.close()


def _state(path: Path) -> tuple[int, ...]:
    with suppress(OSError):
        found = path.stat()
        return found.st_mtime_ns, found.st_size, found.st_ino
    return ()


_CURRENT: list[Process] = []
_CHOOSING = threading.RLock()


def current() -> Process:
    """The one that questions are asked in; with the usual settings where nobody chose others."""
    with _CHOOSING:
        if not _CURRENT:
            use()
        return _CURRENT[0]


def use(
    *,
    profile: str | Path | None = None,
    device: str = "auto",
    dtype: str = "auto",
    offline: bool = False,
    safe_mode: bool = False,
    language: str = "",
    log: bool = True,
    engine: bool = False,
) -> None:
    """Choose settings, as the options of the command line have them; models that are open close.

    Args:
        profile: Keep everything the program writes in one folder.
        device: Where models run: "auto", "cpu", "cuda", "cuda:1", "mps", "offload".
        dtype: The numbers they are loaded as: "auto", "float32", "float16", "bfloat16", "8bit",
            "4bit".
        offline: Make it impossible to reach the network.
        safe_mode: Load no plugins but the bundled ones.
        language: Of texts and numbers in pictures, as "en"; "" for that of the environment.
        log: Keep what is asked in the session log.
        engine: Load models in the engine's process, as `open` has it.

    Raises:
        Mistake: There are no texts in this language, or the profile is no folder.
    """
    from explorer.cli import read_program
    from explorer.command_line.options.global_options import choose_language
    from explorer.engine.environment.waiting import use_if_ready
    from explorer.files.private import tighten
    from explorer.files.temporary import remove_left_over
    from explorer.processes import blas_threads

    with advised():
        choose_language(["--language", language] if language else [])
        told: dict[str, Any] = {"device": device, "dtype": dtype, "offline": offline}
        named = None if profile is None else Path(profile)
        program = read_program(
            argparse.Namespace(**told, profile=named, safe_mode=safe_mode, language=language)
        )
    # tqdm.auto, which transformers imports, misses widgets in a notebook; bars here are lines.
    warnings.filterwarnings("ignore", message="IProgress not found")
    if "numpy" not in sys.modules:
        blas_threads.start_none()
    program.bring_questions()
    tighten(program.paths)
    remove_left_over()
    use_if_ready(program.paths.engine)
    before, _CURRENT[:] = tuple(_CURRENT), [Process(program, logs=log, in_engine=engine)]
    for one in before:
        one.end()
    if offline:
        _cut_off()


def offline() -> None:
    """Make it impossible to reach the network from here on, for this process."""
    process = current()
    process.program = replace(process.program, offline=True)
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")
    _cut_off()


def _cut_off() -> None:
    """The libraries read the environment when they are imported, which may be over."""
    hub = sys.modules.get("huggingface_hub.constants")
    if hub is not None:
        hub.HF_HUB_OFFLINE = True  # type: ignore[attr-defined]
