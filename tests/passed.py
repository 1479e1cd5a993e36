"""Which test files have passed on what is there now, so that nobody need run them again.

A file that passed whole is written down with the digest of all that it stands on (tests/reach.py)
and of what is around it: the packages that are installed, Python, the machine, the settings of the
tests. That is kept in .pytest_cache, for this folder alone; `--cache-clear` forgets it.
"""

import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import sys
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import filelock
import pytest

from tests.named import Facts, facts_of
from tests.reach import Reach

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("explorer", "plugins", "tests", "resources", "docs", "benchmarks", ".ci", ".github")
PINS = ("pyproject.toml", "constraints.txt")
SETTINGS = ("ATEN_CPU_CAPABILITY", "PLM_EXPLORER_TEST_THREADS", "CUDA_VISIBLE_DEVICES")
"""What of the environment changes what tests compute."""
SPINE = ("tests/journeys/", "tests/test_house.py", "tests/test_conftest.py", "tests/test_choice.py")
"""What always runs: what people do from beginning to end, and the rules of the house."""
CONFORMANCE = "tests/engine/test_conformance.py"
FAMILIES = ("bert", "deberta", "t5", "gpt2")
"""Of that file they always run: an encoder, one with parts of its own, both stacks, a decoder."""
READER = "tests/named.py"
PASSED = "passed.json"
FACTS = "facts.json"
SELECTING = ("keyword", "markexpr", "deselect", "lf", "stepwise", "collectonly", "ff")
"""Options that leave some tests of a file out."""


def snapshot(root: Path = ROOT) -> dict[str, str]:
    """The digest of every file that a test may read, by its path; not of what Python leaves."""
    found = {}
    tops = [root / top for top in TOPS]
    files = [one for one in root.iterdir() if one.is_file()]
    files += [
        Path(folder, name) for top in tops for folder, _, names in os.walk(top) for name in names
    ]
    for file in files:
        path = file.relative_to(root)
        if "__pycache__" not in path.parts and not path.name.endswith((".db-shm", ".db-wal")):
            found[path.as_posix()] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


@functools.cache
def surroundings() -> str:
    """The digest of what every test stands on beside the repository."""
    packages = sorted(f"{one.name} {one.version}" for one in importlib.metadata.distributions())
    settings = [f"{name}={os.environ.get(name, '')}" for name in SETTINGS]
    own = [sys.version, platform.platform(), platform.processor(), *packages, *settings]
    return _digest(own)


def is_spine(test: str) -> bool:
    """Whether a test file always runs."""
    return test.startswith(SPINE)


class Passed:
    """What passed in a folder, and what has changed since.

    Args:
        folder: Where it is kept.
        root: The repository.
    """

    def __init__(self, folder: Path, root: Path = ROOT) -> None:
        self._folder = folder
        self._root = root

    def unchanged(self) -> list[str]:
        """Test files that passed on what is there now."""
        passed = _read(self._folder / PASSED)
        if not passed:
            return []
        files = snapshot(self._root)
        found = self._digests(files, passed.keys() & files.keys())
        return sorted(test for test, digest in found.items() if passed[test] == digest)

    def write(self, tests: Iterable[str], before: Mapping[str, str]) -> None:
        """Write down that test files passed.

        Args:
            tests: Them.
            before: The snapshot from before the first test; what was edited meanwhile was not
                tried as it is now.
        """
        files = snapshot(self._root)
        edited = {
            path for path in before.keys() | files.keys() if before.get(path) != files.get(path)
        }
        found = self._digests(files, files.keys() & tests, edited)
        with filelock.FileLock(self._folder / "lock"):
            self._replace(PASSED, _read(self._folder / PASSED) | found)

    def facts(self, files: Mapping[str, str]) -> Callable[[str], Facts]:
        """What each Python file names: as it is kept of what has not changed, else read anew.

        Args:
            files: A snapshot.
        """
        return self._facts_in(self._known(files), files)

    def _known(self, files: Mapping[str, str]) -> dict[str, Any]:
        """What was kept of files, by path and digest; of those that another reader read nothing."""
        found: dict[str, Any] = _read(self._folder / FACTS).get(files.get(READER, ""), {})
        return found

    def _facts_in(self, known: dict[str, Any], files: Mapping[str, str]) -> Callable[[str], Facts]:
        def facts(path: str) -> Facts:
            key = f"{path} {files[path]}"
            if key not in known:
                known[key] = asdict(_facts(path, self._root))
            return Facts.of(known[key])

        return facts

    def _digests(
        self, files: Mapping[str, str], tests: Iterable[str], edited: Container[str] = ()
    ) -> dict[str, str]:
        """The digest of what each test file stands on; of none that stands on what was edited."""
        self._folder.mkdir(parents=True, exist_ok=True)
        known = self._known(files)
        number = len(known)
        reach = Reach(files, self._facts_in(known, files))
        found = {}
        for test in tests:
            stands_on = sorted(reach.of(test).union(PINS))
            if not any(path in edited for path in stands_on):
                lines = [f"{path} {files.get(path)}" for path in stands_on]
                found[test] = _digest([surroundings(), *lines])
        if len(known) != number:
            current = {f"{path} {digest}" for path, digest in files.items()}
            kept = {key: known[key] for key in known.keys() & current}
            self._replace(FACTS, {files.get(READER, ""): kept})
        return found

    def _replace(self, name: str, kept: Mapping[str, Any]) -> None:
        unfinished = self._folder / f"{name}.{os.getpid()}"
        unfinished.write_text(json.dumps(kept, separators=(",", ":")), encoding="utf-8")
        unfinished.replace(self._folder / name)


def _facts(path: str, root: Path) -> Facts:
    try:
        return facts_of(path, (root / path).read_text("utf-8"))
    except (SyntaxError, UnicodeDecodeError):
        return Facts()  # as some data of the tests are meant to be


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _read(path: Path) -> dict[str, Any]:
    try:
        kept = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


class GenerationState:
    """Writes down what passed, where all tests of a file ran.

    Args:
        passed: Where to.
        root: The repository.
    """

    def __init__(self, passed: Passed, root: Path = ROOT) -> None:
        self._passed = passed
        self._before = snapshot(root)
        self.collected: dict[str, set[str]] = defaultdict(set)
        self.done: dict[str, set[str]] = defaultdict(set)
        self.failed: set[str] = set()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._collect(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        self._collect(ids)

    def _collect(self, ids: Iterable[str]) -> None:
        for one in ids:
            self.collected[_file(one)].add(one)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.add(_file(report.nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(_file(report.nodeid))
        elif report.when == "teardown":
            self.done[_file(report.nodeid)].add(report.nodeid)

    def whole(self) -> list[str]:
        """Files of which every test ran, and none failed."""
        return sorted(
            file
            for file, ids in self.collected.items()
            if file not in self.failed and ids == self.done[file]
        )

    def pytest_sessionfinish(self) -> None:
        self._passed.write(self.whole(), self._before)


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0]
