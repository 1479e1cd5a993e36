"""How the whole suite runs, as against a few files of it.

A worker a core, two at least, share the tests, and the static checks run beside them. What passed
on what is there now is left out, the spine apart (tests/passed.py); `--all` leaves nothing out.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests import passed, static_checks

FEWEST = 2
"""Workers: tests wait now and then, for a process or a timer."""
MEMORY = 3 * 2**30
"""Bytes that a worker comes to have by the end, where two share all tests."""
PATIENCE = 120.0
"""Seconds that workers wait for the first one's bytecode, which may have died."""


@dataclass(frozen=True)
class Plan:
    """What the first process decides, for itself and its workers.

    Attributes:
        left_out: Test files that passed on what is there now.
        checks_folder: Where the static checks that run beside the tests leave what they say.
        compiled: The file that tells that the first worker has compiled all tests and what they
            import; None where that was done before.
    """

    left_out: frozenset[str] = frozenset()
    checks_folder: str | None = None
    compiled: str | None = None


PLAN = pytest.StashKey[Plan]()


def prepare(config: pytest.Config, scratch: Path) -> None:
    """Make the plan, and ask for workers where no files and no number of workers were named.

    Args:
        config: Before xdist looks at it.
        scratch: A folder that lasts as long as the tests.
    """
    option = config.option
    if hasattr(config, "workerinput"):
        config.stash[PLAN] = Plan(**config.workerinput["plan"])
        return
    config.stash[PLAN] = Plan()
    if config.args_source is not config.ArgsSource.TESTPATHS:
        return
    if getattr(option, "numprocesses", 0) is None and not option.usepdb:
        option.numprocesses = workers(_cores(), psutil.virtual_memory().available)
    if getattr(option, "numprocesses", 0) and option.dist == "no":
        # Neighbours stay together as long as no worker is idle, so fixtures are made once.
        option.dist = "worksteal"
    selects = any(getattr(option, name, None) for name in passed.SELECTING)
    beside = getattr(option, "numprocesses", 0) and not selects
    kept = None if selects else _kept(config)
    all_run = option.all or getattr(option, "cacheclear", False)
    left_out = [] if all_run or kept is None else kept.unchanged()
    config.stash[PLAN] = Plan(
        left_out=frozenset(one for one in left_out if not passed.is_spine(one)),
        checks_folder=str(scratch / "static-checks") if beside else None,
        compiled=str(scratch / "compiled") if beside and not _is_compiled(config) else None,
    )
    if kept is not None:
        config.pluginmanager.register(passed.GenerationState(kept, config.rootpath))


def _kept(config: pytest.Config) -> passed.Passed | None:
    """What passed here before; None where pytest is to keep nothing."""
    if not config.pluginmanager.has_plugin("cacheprovider"):
        return None
    folder = config.rootpath / config.getini("cache_dir") / "d/passed"
    return passed.Passed(folder, config.rootpath)


def workers(cores: int, memory: int) -> int:
    """How many share the tests.

    Args:
        cores: That this process may use.
        memory: Bytes that nobody uses.
    """
    return max(FEWEST, min(cores, memory // MEMORY))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or FEWEST


def _is_compiled(config: pytest.Config) -> bool:
    return any(config.rootpath.glob("tests/**/__pycache__/test_*-pytest-*.pyc"))


@contextmanager
def one_compiles(config: pytest.Config) -> Iterator[None]:
    """Collect after the first worker, if nothing is compiled yet.

    All workers collect all tests in the same order: side by side each would compile everything,
    which takes longer than the rest of the collection. The static checks use the time meanwhile.
    """
    path, worker = config.stash[PLAN].compiled, getattr(config, "workerinput", None)
    if path is None or worker is None:
        yield
    elif worker["workerid"] == "gw0":
        try:
            yield
        finally:
            Path(path).touch()
    else:
        deadline = time.monotonic() + PATIENCE
        while not Path(path).exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        yield


def tell_worker(node: Any) -> None:
    """Hand the plan on; workers read the command line anew and would make one of their own."""
    node.workerinput["plan"] = asdict(node.config.stash[PLAN])


def is_left_out(path: Path, config: pytest.Config) -> bool:
    """Whether nothing of a file need run: it passed on what is there now."""
    test = _name(path, config)
    return test in config.stash[PLAN].left_out and test != passed.CONFORMANCE


def is_wanted(item: pytest.Item, config: pytest.Config) -> bool:
    """Whether a test runs: costly ones with --all; of the families' conformance four always do."""
    if item.get_closest_marker("costly") and not config.option.all:
        return False
    test = _name(item.path, config)
    if test != passed.CONFORMANCE or test not in config.stash[PLAN].left_out:
        return True
    return item.name.endswith(tuple(f"[{family}]" for family in passed.FAMILIES))


def _name(path: Path, config: pytest.Config) -> str:
    inside = path.is_relative_to(config.rootpath)
    return path.relative_to(config.rootpath).as_posix() if inside else ""


def header(config: pytest.Config) -> str | None:
    """What is left out, for the first lines of the report."""
    number = len(config.stash[PLAN].left_out)
    if not number:
        return None
    return (
        f"left out: {number} files of tests that passed, and nothing that they stand on has "
        "changed since. --all runs them."
    )


def begin(config: pytest.Config) -> "subprocess.Popen[bytes] | None":
    """Start the checks beside the tests, if they are to run there."""
    folder = config.stash[PLAN].checks_folder
    if folder is None or hasattr(config, "workerinput"):
        return None
    return static_checks.start(Path(folder))
