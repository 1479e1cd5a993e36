"""The user's own files: nobody else on the machine may read them.

On Windows the folders of a user are theirs alone already, and modes say nothing.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from explorer.paths import Paths

FOLDER, FILE = 0o700, 0o600


def make_folder(folder: Path) -> None:
    """Make a folder of the user's alone; one that is there already stays as it is.

    Raises:
        OSError: It can't be made.
    """
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        # mkdir gives its mode to the last folder only, not to those above it.
        place.mkdir(mode=FOLDER, exist_ok=True)
    if not folder.is_dir():
        folder.mkdir()  # raises what is wrong


def make_file(path: Path) -> None:
    """Make an empty file of the user's alone; one that is there already becomes so.

    Raises:
        OSError: It can't be made.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))
    except FileExistsError:
        _restrict(path, FILE)


def tighten(paths: Paths) -> None:
    """Take from everybody else what an older version of the program, or the user's umask, gave."""
    for folder in (paths.config, paths.data, paths.results, paths.cache, paths.logs):
        if folder.is_dir():
            _restrict(folder, FOLDER)
    for path in _files(paths):
        _restrict(path, FILE)


def _files(paths: Paths) -> Iterator[Path]:
    for folder in (paths.config, paths.data, paths.results, paths.logs):
        with contextlib.suppress(OSError), os.scandir(folder) as found:
            for entry in found:
                if entry.is_file(follow_symlinks=False):
                    yield Path(entry.path)


def _restrict(path: Path, mode: int) -> None:
    # A folder or a file of somebody else, or a disk without modes, is used as it is.
    with contextlib.suppress(OSError):
        if os.name != "nt" and not path.is_symlink() and path.stat().st_mode & 0o077:
            path.chmod(mode)
