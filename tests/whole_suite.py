"""How the whole suite runs, as against a few files of it.

A worker a core, two at least, share the tests, the static checks run beside them, and the factory
of the bundled models (`explorer/pretraining`) is left alone while nobody has touched it
(tests/factory.py).
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

from tests import factory, static_checks

ROOT = Path(__file__).resolve().parent.parent
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
        without_factory: Leave the factory's tests out.
        changed: What of the factory has changed since all of its tests passed.
        checks_folder: Where the static checks that run beside the tests leave what they say.
        compiled: The file that tells that the first worker has compiled all tests and what they
            import; None where that was done before.
    """

    without_factory: bool = False
    changed: tuple[str, ...] = ()
    checks_folder: str | None = None
    compiled: str | None = None


PLAN = pytest.StashKey[Plan]()


def prepare(config: pytest.Config, scratch: Path, root: Path = ROOT) -> None:
    """Make the plan, and ask for workers where no files and no number of workers were named.

    Args:
        config: Before xdist looks at it.
        scratch: A folder that lasts as long as the tests.
        root: The repository.
    """
    option = config.option
    if hasattr(config, "workerinput"):
        config.stash[PLAN] = Plan(**config.workerinput["plan"])
        return
    config.stash[PLAN] = Plan()
    if option.all:
        config.pluginmanager.register(factory.Stamping())
    if config.args_source is not config.ArgsSource.TESTPATHS:
        return
    if getattr(option, "numprocesses", 0) is None and not option.usepdb:
        option.numprocesses = workers(_cores(), psutil.virtual_memory().available)
    if getattr(option, "numprocesses", 0) and option.dist == "no":
        # Neighbours stay together as long as no worker is idle, so fixtures are made once.
        option.dist = "worksteal"
    selects = option.keyword or option.markexpr or option.collectonly
    beside = getattr(option, "numprocesses", 0) and not selects
    changed = () if option.all else tuple(factory.changed(root))
    config.stash[PLAN] = Plan(
        without_factory=not (option.all or changed),
        changed=changed,
        checks_folder=str(scratch / "static-checks") if beside else None,
        compiled=str(scratch / "compiled") if beside and not _is_compiled(config) else None,
    )


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
    """Whether a file is of the factory and nobody asked for it."""
    return config.stash[PLAN].without_factory and factory.is_left_out(path)


def header(config: pytest.Config) -> str | None:
    """What is left out, or why it is not, for the first lines of the report."""
    plan = config.stash[PLAN]
    if plan.without_factory:
        return (
            "left out: the factory's tests; nothing that they stand on has changed since all of "
            "them passed. --all runs them."
        )
    if plan.changed:
        return (
            f"the factory's tests run: {', '.join(plan.changed)} changed since all of them "
            f"passed. `python main.py test --all {factory.TESTS}` runs them alone, and stamps "
            "what they passed on."
        )
    return None


def begin(config: pytest.Config) -> "subprocess.Popen[bytes] | None":
    """Start the checks beside the tests, if they are to run there."""
    folder = config.stash[PLAN].checks_folder
    if folder is None or hasattr(config, "workerinput"):
        return None
    return static_checks.start(Path(folder))
