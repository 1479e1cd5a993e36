"""The first start: an environment of its own, and on into it. Standard library only.

If the Python that runs already has what pyproject.toml asks for, it is used. Otherwise a .venv
beside main.py is made or completed, and the program is started again in that. Once that is
done a start costs a few milliseconds and needs no network.
"""

import os
import sys
from pathlib import Path

_RELAUNCHED = "PLM_EXPLORER_RELAUNCHED"
INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells give it."""


def start(root: str, arguments: list[str]) -> int:
    """What main.py does: find or make the environment, then run the command line in it.

    `test` as the first argument asks for the test tools as well, and hands what follows to
    pytest. `--help` and `--version` are answered without setting anything up, unless a command is
    named: what that takes depends on the plugins.

    Args:
        root: The checkout.
        arguments: Without the program's name.

    Returns:
        The exit status; does not return where this process becomes another.
    """
    folder = Path(root)
    testing = arguments[:1] == ["test"]
    relaunched = os.environ.pop(_RELAUNCHED, "") == "1"
    python: str | None = sys.executable
    if testing or not _is_answered_bare(arguments):
        try:
            python = _ready_python(folder, ("test",) if testing else (), relaunched)
        except KeyboardInterrupt:
            sys.stderr.write("\nInterrupted. The next start goes on from here.\n")
            return INTERRUPTED
    if python is None:
        return 1
    if python != sys.executable:
        # It would take another one's library for its own.
        os.environ.pop("PYTHONHOME", None)
    if testing:
        os.chdir(folder)
        return _become([python, "-m", "pytest", *arguments[1:]])
    if python != sys.executable:
        os.environ[_RELAUNCHED] = "1"
        return _become([python, str(folder / "main.py"), *arguments])
    from explorer.cli import main

    return main(arguments)


def _is_answered_bare(arguments: list[str]) -> bool:
    """Whether only the program's help or version is asked for: no word, so no command, is there."""
    options = {"-h", "--help", "--version"}
    return not options.isdisjoint(arguments) and all(one.startswith("-") for one in arguments)


def _ready_python(root: Path, extras: tuple[str, ...], relaunched: bool) -> str | None:
    """The Python to go on with; None after saying why there is none."""
    from explorer.bootstrap.stamp import (
        FOLDER_NAME,
        is_current,
        python_of,
        read_stamp,
        remove_stamp,
    )

    folder = root / FOLDER_NAME
    inside = folder.exists() and Path(sys.prefix).resolve() == folder.resolve()
    current = is_current(root, extras)
    if inside and current:
        stamp = read_stamp(root)
        if stamp is not None and stamp.python == "{}.{}".format(*sys.version_info[:2]):
            return sys.executable
        # The system's Python was replaced under the environment: make that anew.
        remove_stamp(root)
        current = False
    if relaunched and not inside:
        sys.stderr.write(
            f"The Python in {folder} does not know its own environment.\n"
            f"What to do: delete {folder}, then start again.\n"
        )
        return None
    activated = sys.prefix != sys.base_prefix
    if not inside and (activated or not current):
        from explorer.bootstrap.requirements import installed, project_lines, unmet

        has = installed(sys.path)
        # A bare Python saves reading pyproject.toml.
        if has.keys() - {"pip", "setuptools", "wheel"} and not unmet(
            project_lines(root, extras), has
        ):
            return sys.executable
    if not current:
        from explorer.bootstrap.environment import Environment
        from explorer.bootstrap.failures import SetupFailure

        try:
            Environment(root, extras).prepare()
        except SetupFailure as failure:
            sys.stderr.write(f"{failure}\n")
            return None
    return str(python_of(root))


def _become(command: list[str]) -> int:
    """Go on as another program, with its exit status."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(command[0], command)  # noqa: S606  the command is this program
    import subprocess

    # Windows has no exec: stay, leave Ctrl-C to the child, and pass its status on.
    child = subprocess.Popen(command)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue
