"""What the engine's process arranges around itself before it works.

Environment variables that libraries read when they are imported, where output goes, what
happens on a signal, what happens when the window is gone.
"""

import contextlib
import ctypes
import faulthandler
import logging
import os
import platform
import signal
import sys
import threading
from pathlib import Path
from typing import IO, Any

from explorer import __version__
from explorer.files.private import make_file, make_folder
from explorer.processes import blas_threads, listed_once
from explorer.processes.beginning import die_with
from explorer.processes.piped import PipedMessages

LOG_LIMIT = 2_000_000
"""Bytes the engine's log may grow to before it starts over; a CUDA assert prints thousands of
lines."""

_KEEP_MEMORY = ((-1, 2**31 - 1), (-2, 64 * 2**20), (-3, 32 * 2**20))
"""M_TRIM_THRESHOLD, M_TOP_PAD and M_MMAP_THRESHOLD of glibc's malloc.h, in bytes."""

_LOG_CHECK = 2.0
"""Seconds between looks at the size of the log."""


def prepare_environment() -> None:
    """Set what libraries read at import.

    transformers and huggingface_hub are cut off from the network for good: loading never needs
    it, and downloads, which only happen when the user asks, have a connection of their own.
    """
    blas_threads.start_none()
    listed_once.list_once()
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    for name, value in {
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "HF_HUB_DISABLE_XET": "1",
        "PYTORCH_ENABLE_MPS_FALLBACK": "1",
        "TOKENIZERS_PARALLELISM": "true",
        # How often torch's threads look for work before they sleep (libgomp's own: 300,000). On a
        # busy machine they took the time from those they waited for: five times as long for the
        # same answers. This often spans what lies between two layers.
        "GOMP_SPINCOUNT": "10000",
    }.items():
        os.environ.setdefault(name, value)


def redirect_output(logs: Path | None) -> None:
    """Send everything printed, by Python or by C, to engine.log; a crash to engine-crash.log.

    Standard output belongs to the command line, and a window may have none.
    """
    log = _append(logs, "engine.log")
    for descriptor in (1, 2):
        os.dup2(log.fileno(), descriptor)
    log.close()
    sys.stdout = _text_output(1)
    sys.stderr = _text_output(2)
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.WARNING,
        format="%(asctime)s %(process)d %(name)s %(levelname)s %(message)s",
    )
    logging.captureWarnings(capture=True)
    # faulthandler writes while the process dies: it needs a file of its own that stays open.
    faulthandler.enable(_append(logs, "engine-crash.log"))
    if logs is not None:
        threading.Thread(target=_limit_log, name="log limit", daemon=True).start()


def ignore_interrupts() -> None:
    """Ctrl+C in a terminal reaches every process of the group; the window decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def lead_group() -> None:
    """Let the window end this process together with whatever plugins start from it."""
    if hasattr(os, "setpgrp"):
        with contextlib.suppress(OSError):
            os.setpgrp()


def let_forks_go(messages: PipedMessages) -> None:
    """Let a process that a plugin forks neither outlive this one nor keep its pipes open.

    The window would take an open pipe for an engine that is still there, and wait for it.

    Args:
        messages: The engine's end of the pipes.
    """
    if hasattr(os, "register_at_fork"):
        engine = os.getpid()

        def in_fork() -> None:
            messages.close()
            die_with(engine)

        os.register_at_fork(after_in_child=in_fork)


def keep_freed_memory() -> None:
    """Let glibc keep what a forward pass frees for the next one.

    By default it gives memory of this size back to the system, which then clears it anew, page
    by page, for every answer. Unloading a model still trims it. Elsewhere this does nothing.
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for option, size in _KEEP_MEMORY:
            mallopt(option, size)


def use_threads(torch: Any, threads: int) -> None:
    """Use every core, unless the user or OMP_NUM_THREADS says otherwise.

    The window is a process of its own and needs little: the system gives it its turn at once.
    """
    if threads <= 0 and os.environ.get("OMP_NUM_THREADS"):
        return
    torch.set_num_threads(threads if threads > 0 else _cores())


def versions(torch: Any = None, transformers: Any = None) -> dict[str, str]:
    """Of everything that can change a number; of torch and transformers once they are there."""
    found = {"python": platform.python_version(), "plm-explorer": __version__}
    for name, module in (("torch", torch), ("transformers", transformers)):
        if module is not None:
            found[name] = str(module.__version__)
    if torch is not None:
        import tokenizers

        found["tokenizers"] = tokenizers.__version__
    return found


def devices(torch: Any) -> tuple[str, ...]:
    """Where models can run here: "cpu" first, then every GPU."""
    found = ["cpu"]
    if torch.cuda.is_available():
        found += [f"cuda:{i}" for i in range(torch.cuda.device_count())]
    if torch.backends.mps.is_available():
        found.append("mps")
    return tuple(found)


def resident_bytes() -> int:
    """Memory this process holds."""
    import psutil

    return int(psutil.Process().memory_info().rss)


def _cores() -> int:
    """Physical cores this process may use: two torch threads on one core slow each other."""
    import psutil

    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    physical = psutil.cpu_count(logical=False)
    return min(allowed or 1, physical or allowed or 1)


def _append(logs: Path | None, name: str) -> IO[bytes]:
    if logs is None:
        return Path(os.devnull).open("ab", buffering=0)
    try:
        make_folder(logs)
        make_file(logs / name)
        return (logs / name).open("ab", buffering=0)
    except OSError:
        # A full or read-only disk must not keep models from running.
        return Path(os.devnull).open("ab", buffering=0)


def _text_output(descriptor: int) -> IO[str]:
    return open(descriptor, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)


def _limit_log() -> None:
    pause = threading.Event()
    while not pause.wait(_LOG_CHECK):
        trim_log()


def trim_log(limit: int = LOG_LIMIT) -> None:
    """Start the log over when it has grown beyond the limit."""
    # The file is open for appending, so that what is written next goes to its new end. A log
    # that is no file (the null device) cannot be cut, nor does it grow.
    with contextlib.suppress(OSError):
        if os.fstat(1).st_size > limit:
            os.ftruncate(1, 0)
