"""Folders for what is needed only while the program runs.

Each carries the number of its process, so that what a killed one left can be told from what is
in use, and removed.
"""

import contextlib
import os
import re
import shutil
import tempfile
from pathlib import Path

_NAME = re.compile(r"plm-explorer-[a-z]+-(\d+)-\w+")


def prefix(purpose: str) -> str:
    """How the name of a temporary folder begins."""
    return f"plm-explorer-{purpose}-{os.getpid()}-"


def remove_left_over(folder: Path | None = None) -> None:
    """Remove the folders of processes that are gone.

    Args:
        folder: Where they are; None for the system's folder of temporary files.
    """
    with contextlib.suppress(OSError), os.scandir(folder or tempfile.gettempdir()) as found:
        for entry in found:
            named = _NAME.fullmatch(entry.name)
            if named is None or not entry.is_dir(follow_symlinks=False):
                continue
            if _is_ours(entry) and not _is_running(int(named[1])):
                shutil.rmtree(Path(entry.path), ignore_errors=True)


def _is_ours(entry: "os.DirEntry[str]") -> bool:
    return os.name == "nt" or entry.stat(follow_symlinks=False).st_uid == os.getuid()


def _is_running(process: int) -> bool:
    import psutil  # only where there is something to ask about

    # A number that no system gives to a process is nobody's.
    with contextlib.suppress(OverflowError):
        return bool(psutil.pid_exists(process))
    return False
