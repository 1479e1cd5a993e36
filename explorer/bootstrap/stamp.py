"""The file in .venv that says it is complete, and for what.

It is written last, so an interrupted setup leaves none and is taken up again; it lies in the
folder, so that it goes with it. Reading it is what makes every later start instant.
"""

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

STAMP_NAME = "plm-explorer.stamp"
FOLDER_NAME = ".venv"


class Stamp(NamedTuple):
    """What an environment was set up for.

    Attributes:
        digest: Of pyproject.toml and constraints.txt as they were.
        python: The environment's own "3.11".
        extras: Which were installed.
    """

    digest: str
    python: str
    extras: tuple[str, ...]


def digest_of(root: Path) -> str:
    """A hash of what decides which packages are installed."""
    # One hash over both files, so that moving a line from one to the other counts too.
    hasher = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        path = root / name
        content = path.read_bytes() if path.exists() else b""
        hasher.update(b"%d " % len(content) + content)
    return hasher.hexdigest()


def read_stamp(root: Path) -> Stamp | None:
    """The stamp as it is, or None where there is none or it can't be read."""
    try:
        digest, python, *extras = (root / FOLDER_NAME / STAMP_NAME).read_text("utf-8").split()
    except (OSError, ValueError):
        return None
    return Stamp(digest, python, tuple(extras))


def write_stamp(root: Path, stamp: Stamp) -> None:
    """Write it in one step, so that nobody ever reads half of it."""
    target = root / FOLDER_NAME / STAMP_NAME
    half = target.with_name(f"{STAMP_NAME}.{os.getpid()}")
    half.write_text(" ".join([stamp.digest, stamp.python, *stamp.extras]) + "\n", encoding="utf-8")
    half.replace(target)


def remove_stamp(root: Path) -> None:
    """Say that the environment is not complete: done before anything in it is changed."""
    (root / FOLDER_NAME / STAMP_NAME).unlink(missing_ok=True)


def python_of(root: Path) -> Path:
    """Where the environment's Python is, whether or not it is there."""
    return root / FOLDER_NAME / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def packages_of(root: Path, python: str) -> Path:
    """Where the environment's packages are, for its Python "3.11"."""
    lib = "Lib" if os.name == "nt" else f"lib/python{python}"
    return root / FOLDER_NAME / lib / "site-packages"


def is_current(root: Path, extras: tuple[str, ...]) -> bool:
    """Whether the environment is complete for the files as they are now."""
    stamp = read_stamp(root)
    return (
        stamp is not None
        and set(extras) <= set(stamp.extras)
        and python_of(root).exists()
        and packages_of(root, stamp.python).is_dir()
        and stamp.digest == digest_of(root)
    )
