"""Makes the engine's environment with uv, in a process of its own that can be stopped."""

import queue
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from explorer.api.family import Cancelled, ExplorerError, MachineFault
from explorer.bootstrap.failures import last_errors, reason_of
from explorer.engine.environment.bundle import Bundle, Variant
from explorer.engine.environment.index_settings import for_uv
from explorer.engine.environment.place import PackagesFolder
from explorer.files.typed_paths import unwritable
from explorer.processes.own_processes import interpreter, without_python_settings
from explorer.text import N_
from explorer.text.formatting.quantities import bytes_precisely

LOOK_S = 0.2
"""Seconds between looks whether it is to stop."""

GRACE_S = 5
"""Seconds uv gets to end by itself."""

UNPACKED = 4.5
"""Bytes on the disk for a byte of download at most, downloads included: torch 2.13's wheel for the
CPU, 178 MB, unpacks to 596 MB."""

WAITING, LOOKING, DOWNLOADING, UNPACKING = (
    N_("Another window is installing it"),
    N_("Asking the package index"),
    N_("Downloading {name}"),
    N_("Unpacking"),
)

_DOWNLOAD = re.compile(r"^\s*Downloading (\S+)")
_DOWNLOADED = re.compile(r"^\s*Downloaded (\S+)")
_PREPARED = re.compile(r"^\s*Prepared \d+")
_WRONG_HASH = re.compile(r"[Hh]ash\smismatch(?:\sfor\s`([^`]+)`)?")


@dataclass(frozen=True)
class InstallStep:
    """How far it is.

    Attributes:
        stage: One of this module's, marked for translation.
        name: The package it is about, or "".
        done: Bytes of packages that have come, at least.
        total: Bytes of all of them; 0 where nobody knows.
    """

    stage: str
    name: str = ""
    done: int = 0
    total: int = 0


Tell = Callable[[InstallStep], None]


def make(
    bundle: Bundle,
    place: PackagesFolder,
    variant: Variant,
    tell: Tell = lambda _step: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Install a variant; what was installed before stays until the new one is complete.

    What has been downloaded stays where this ends early, package by package, and is not fetched
    again.

    Args:
        bundle: What the program came in.
        place: Where to.
        variant: One of the bundle's.
        tell: Called with every step, on this thread.
        is_cancelled: Asked five times a second.

    Raises:
        Cancelled: It was stopped.
        MachineFault: It did not work, and what to do.
    """
    try:
        place.folder.mkdir(parents=True, exist_ok=True)

        def is_there() -> bool:
            return place.ready(bundle) == variant.name

        with _alone(place, is_there, tell, is_cancelled) as is_done:
            if not is_done:
                _install(bundle, place, variant, tell, is_cancelled)
    except OSError as error:
        raise unwritable(place.folder, error) from error


@contextmanager
def _alone(
    place: PackagesFolder,
    is_there: Callable[[], bool],
    tell: Tell,
    is_cancelled: Callable[[], bool],
) -> Iterator[bool]:
    """Be the only one at it; tells whether somebody else has done it meanwhile."""
    lock = FileLock(place.folder / "lock")
    while True:
        try:
            lock.acquire(timeout=LOOK_S)
            break
        except Timeout:
            tell(InstallStep(WAITING))
            if is_cancelled():
                raise Cancelled from None
    try:
        yield is_there()
    finally:
        lock.release()


def _install(
    bundle: Bundle,
    place: PackagesFolder,
    variant: Variant,
    tell: Tell,
    is_cancelled: Callable[[], bool],
) -> None:
    shutil.rmtree(place.unfinished, ignore_errors=True)
    _refuse_full_disk(place, variant)
    environment = for_uv(without_python_settings())
    environment.setdefault("UV_CACHE_DIR", str(place.cache))
    environment["UV_NO_PROGRESS"] = "1"
    said = _run(
        _command(bundle, place, variant, environment), environment, variant, tell, is_cancelled
    )
    if said is not None:
        # Its details are uv's own words.
        raise _failure(said, variant) from ChildProcessError(said.strip())
    place.finish(variant)


def _command(
    bundle: Bundle, place: PackagesFolder, variant: Variant, environment: dict[str, str]
) -> Sequence[str]:
    command = [str(bundle.uv), "pip", "install", "--python", interpreter()]
    command += ["--target", str(place.unfinished), "--no-deps", "--require-hashes"]
    # Whoever names folders or a kind of torch of their own is asked those.
    if variant.backend and not {"UV_FIND_LINKS", "UV_TORCH_BACKEND"} & environment.keys():
        command += ["--torch-backend", variant.backend]
    return [*command, "-r", str(variant.lock)]


def _run(
    command: Sequence[str],
    environment: dict[str, str],
    variant: Variant,
    tell: Tell,
    is_cancelled: Callable[[], bool],
) -> str | None:
    """Run uv to its end; returns what it said where it failed."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise MachineFault(
            N_("The installer {name} can't be started ({strerror})."),
            N_("Unpack the program again."),
            name=Path(command[0]).name,
            strerror=error.strerror or str(error),
        ) from error
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reading = threading.Thread(target=_read, args=(process, lines), name="uv", daemon=True)
    reading.start()
    progress = _InstallProgress(variant)
    said: list[str] = []
    tell(progress.step)
    try:
        while (line := _next(lines, is_cancelled)) is not None:
            said.append(line)
            if progress.hear(line):
                tell(progress.step)
        status = process.wait()
    finally:
        _end(process)
        reading.join()
    return "".join(said) if status else None


def _read(process: subprocess.Popen[str], lines: "queue.SimpleQueue[str | None]") -> None:
    assert process.stderr is not None
    with process.stderr as said:
        for line in said:
            lines.put(line)
    lines.put(None)


def _next(lines: "queue.SimpleQueue[str | None]", is_cancelled: Callable[[], bool]) -> str | None:
    while True:
        if is_cancelled():
            raise Cancelled
        try:
            return lines.get(timeout=LOOK_S)
        except queue.Empty:
            continue


def _end(process: "subprocess.Popen[str]") -> None:
    """End uv where it is still at work; nothing where it has ended."""
    process.terminate()
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class _InstallProgress:
    """What uv's lines tell: it says when a download begins and ends, of all that take a while."""

    def __init__(self, variant: Variant) -> None:
        self._sizes = {package.name: package.size for package in variant.packages}
        self._under_way: list[str] = []
        self._come: set[str] = set()
        self.step = InstallStep(LOOKING, total=variant.size)

    def hear(self, line: str) -> bool:
        """Take a line; returns whether it told anything."""
        if found := _DOWNLOAD.match(line):
            self._under_way.append(found[1])
        elif found := _DOWNLOADED.match(line):
            self._come.add(found[1])
            self._under_way = [name for name in self._under_way if name != found[1]]
        elif _PREPARED.match(line):
            total = sum(self._sizes.values())
            self.step = InstallStep(UNPACKING, "", total, total)
            return True
        else:
            return False
        total = sum(self._sizes.values())
        done = sum(self._sizes.get(name, 0) for name in self._come)
        # The largest is what one waits for.
        names = sorted(self._under_way, key=lambda name: -self._sizes.get(name, 0))
        self.step = InstallStep(
            DOWNLOADING if names else LOOKING, names[0] if names else "", done, total
        )
        return True


def _refuse_full_disk(place: PackagesFolder, variant: Variant) -> None:
    need = variant.size * UNPACKED
    if shutil.disk_usage(place.folder).free < need:
        raise _no_room(place.folder, need)


def _no_room(folder: Path, need: float) -> MachineFault:
    return MachineFault(
        N_("There is not enough room on the disk of {folder}: it takes {size}."),
        N_("Make room, then try again."),
        folder=folder,
        size=bytes_precisely(need),
    )


def _failure(said: str, variant: Variant) -> ExplorerError:
    if wrong := _WRONG_HASH.search(said):
        return MachineFault(
            N_("What came as {name} is not what this program was made with, and was thrown away."),
            N_("Try again; if it stays so, the package index or a proxy hands out another file."),
            name=wrong[1] or "a package",
        )
    reason = reason_of(said)
    if reason.kind == "network":
        return MachineFault(
            N_("The package index can't be reached."),
            N_("Check the connection, then try again: what has come is kept."),
        )
    if reason.kind == "space":
        return MachineFault(
            N_("The disk is full: it takes {size}."),
            N_("Make room, then try again."),
            size=bytes_precisely(variant.size * UNPACKED),
        )
    return MachineFault(
        N_("The installer failed ({said})."),
        N_("Try again, or install the program with pip."),
        said=" ".join(last_errors(said, 2)) or "?",
    )
