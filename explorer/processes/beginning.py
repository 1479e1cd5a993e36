"""Where a process of the program's own code begins, before anything else is imported.

PYTHONPATH tells it where the program is, and what it names Python looks into before its own
library and the installed packages. A folder of scripts that somebody named there for other
purposes may hold a `torch.py` or a `queue.py`, so all of it but the program comes last.
"""

import os
import sys
from collections.abc import Sequence

OWN = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100,PTH120


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

    sys.argv[1:] = arguments[1:]
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    put_last()
    be(sys.argv[1:])
