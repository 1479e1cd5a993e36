"""Where a process of the program's own code begins, before anything else is imported.

It ends when the one that started it ends, whatever it is doing.

PYTHONPATH tells it where the program is, and what it names Python looks into before its own
library and the installed packages. A folder of scripts that somebody named there for other
purposes may hold a `torch.py` or a `queue.py`, so all of it but the program comes last.
"""

import os
import sys
from collections.abc import Sequence

OWN = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100,PTH120

PARENT = "PLM_EXPLORER_PARENT"
"""The variable of the environment that says which process started this one."""
_PR_SET_PDEATHSIG = 1


def put_last() -> None:
    """Look into what PYTHONPATH names only for what is found nowhere else."""
    if sys.flags.ignore_environment:
        return
    told = os.environ.get("PYTHONPATH", "")
    named = {os.path.abspath(one) for one in told.split(os.pathsep)} - {OWN} if told else set()  # noqa: PTH100
    sys.path.sort(key=named.__contains__)


def be(arguments: Sequence[str]) -> None:
    """Be a module of the program.

    Args:
        arguments: Its full name; behind it, what it finds in `sys.argv[1:]`.
    """
    import runpy

    from explorer.processes.collector import end_at_once

    end_at_once()
    parent = os.environ.pop(PARENT, "")
    if parent:
        die_with(int(parent))
    sys.argv[1:] = arguments[1:]
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


def die_with(parent: int) -> None:
    """On Linux, have the kernel end this process when the thread that started it ends.

    The end of the pipe tells the same on every system, but needs Python to run.

    Args:
        parent: Process id of the process that started it.
    """
    if not sys.platform.startswith("linux"):
        return
    import contextlib
    import ctypes
    import signal

    # A C library without prctl leaves the pipe.
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        # The parent went before the kernel was told.
        os._exit(0)


if __name__ == "__main__":
    put_last()
    be(sys.argv[1:])
