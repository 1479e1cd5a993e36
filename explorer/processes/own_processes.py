"""Processes of the program's own code: how they are started, and what their environment says.

Where Python runs the program, another process is Python with a module of it. It reads what the
process that starts it has read of the user's settings for Python, and finds what is installed
before what PYTHONPATH names. In a bundle
(docs/installers.md) there is no Python, only the program itself: it is then started with a first
argument that no person types, and `run_asked` is that process's beginning.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import explorer
from explorer.processes import beginning

_also: list[str] = []

ASKED = "--own-process"
"""The first argument of a bundle that is to be a module of its own; that module comes next."""


def is_bundle() -> bool:
    """Whether the program runs without a Python of its own to start others with."""
    return bool(getattr(sys, "frozen", False))


def interpreter() -> str:
    """The Python that runs this, or the bundle itself."""
    return sys.executable


def command_line(module: str, *arguments: str) -> list[str]:
    """What starts a module of the program in another process.

    Args:
        module: Its full name; what it does stands behind `if __name__ == "__main__"`.
        arguments: What it finds in `sys.argv[1:]`.
    """
    if is_bundle():
        return [sys.executable, ASKED, module, *arguments]
    # Not what lies in the folder where somebody happens to be (-P), nor what the user has installed
    # for other programs (-s) where this one does without it.
    flags = ["-P", *(["-s"] if sys.flags.no_user_site else [])]
    return [sys.executable, *flags, "-m", beginning.__name__, module, *arguments]


def run_asked(arguments: Sequence[str]) -> bool:
    """Be the process that `command_line` asks for, in a bundle; False if nothing of the kind is.

    Args:
        arguments: Those of this process, without its own name.
    """
    own = f"{explorer.__name__}."
    if len(arguments) < 2 or arguments[0] != ASKED or not arguments[1].startswith(own):
        return False
    beginning.be(arguments[1:])
    return True


def give_back_system_libraries() -> None:
    """Let what a bundle starts of the system's programs find the system's libraries.

    A bundle is started with its own folder in the linker's path, which the linker has read by now,
    and the path it had in a variable beside it. A browser that read the bundle's libraries would
    not start; another process of the bundle's is told to begin as the first one did.
    """
    if not is_bundle():
        return
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        before = os.environ.pop(f"{name}_ORIG", None)
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before
    # PyInstaller's starter reads it, and takes it away.
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"


def also_found_in(folder: str) -> None:
    """Let processes that are started from now on look into another folder, after all others."""
    if folder not in _also:
        _also.append(folder)


def search_path() -> str:
    """Where Python finds the program, before what it was told to look at and listened to."""
    own = str(Path(explorer.__file__).parents[1])
    told = "" if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "")
    return os.pathsep.join(filter(None, (own, told, *_also)))


def environment(**more: str) -> dict[str, str]:
    """This process's environment, with the program's own code, for a process that it starts.

    Args:
        more: Variables that are added.
    """
    own = {"PYTHONPATH": search_path(), "PYTHONUTF8": "1", "TOKENIZERS_PARALLELISM": "false"}
    around = {name: told for name, told in os.environ.items() if name != "PYTHONHOME" or _is_home()}
    return {**around, **own, beginning.PARENT: str(os.getpid()), **more}


def without_python_settings() -> dict[str, str]:
    """This process's environment, for a program that starts a Python where it sees fit."""
    told = {"PYTHONPATH", "PYTHONHOME"}
    return {name: text for name, text in os.environ.items() if name not in told}


def _is_home() -> bool:
    """Whether this Python lies where PYTHONHOME says; it may not find its own library without."""
    told = os.environ["PYTHONHOME"].split(os.pathsep)[0]
    return not sys.flags.ignore_environment and Path(told).resolve() == Path(sys.prefix).resolve()
