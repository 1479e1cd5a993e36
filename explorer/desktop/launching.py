"""The words that start this program again, whichever way it was installed."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import explorer
from explorer.paths import APP_NAME
from explorer.processes.own_processes import interpreter, is_bundle

LAUNCHERS = ("PLM_EXPLORER_LAUNCHER", "APPIMAGE")
"""Variables in which a bundle says what started it: its own launcher, or an AppImage's file."""


def command(
    environment: Mapping[str, str] = os.environ, typed: str = "", python: str = ""
) -> Sequence[str]:
    """What a desktop runs: a bundle's launcher, the script that pip made, or a checkout's main.py.

    Args:
        environment: Where a bundle says what it is.
        typed: What this process was started as; what Python says where nothing is given.
        python: The interpreter; this one where nothing is given.
    """
    for name in LAUNCHERS:
        if environment.get(name):
            return (environment[name],)
    python = python or interpreter()
    if is_bundle():
        return (python,)
    script = _script(typed or sys.argv[0], Path(python))
    if script is not None:
        return (str(script),)
    main = Path(explorer.__file__).parents[1] / "main.py"
    if main.is_file():
        return python, str(main)
    return python, "-m", "explorer.cli"


def _script(typed: str, python: Path) -> Path | None:
    """The script called as the program that was typed, or lies beside the interpreter."""
    places = [Path(typed)] if Path(typed).stem == APP_NAME else []
    places += [python.parent / APP_NAME, python.parent / f"{APP_NAME}.exe"]
    for place in places:
        if place.is_file():
            return place.absolute()
    found = (
        shutil.which(typed) if Path(typed).name == typed and Path(typed).stem == APP_NAME else ""
    )
    return Path(found).absolute() if found else None
