"""When the tests of the factory of the bundled models run: when what they stand on is not stamped.

`python main.py test --all`, or `python main.py test --all tests/pretraining` for them alone, runs
them always, and when all of them pass writes the digests of all that they stand on to
tests/pretraining/passed.json. While those are the digests of today, they are left out.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
STANDS_ON = (
    "explorer/pretraining",
    "explorer/api/ports/graph_reasoner.py",
    "explorer/knowledge",
    "explorer/numerics",
    "explorer/objectives",
    "explorer/world",
    "explorer/questions/generation/task_layout/tasks.py",
    "explorer/questions/pairs/sentence_pair/objectives.py",
    "plugins/deberta",
    "plugins/ernie_thu",
    "plugins/kagnet",
    "plugins/spanbert",
    "plugins/tinybert",
    "tests/pretraining",
    "resources/models",
    "constraints.txt",
)
"""What the factory's tests stand on; a test holds that it imports little else of the program."""
TESTS = "tests/pretraining"
ALWAYS = {"conftest.py", "test_bundled_models.py"}
"""Files of that folder that try what the program ships, through the program."""
STAMP = f"{TESTS}/passed.json"
SELECTING = ("keyword", "markexpr", "deselect", "lf", "stepwise", "collectonly")
"""Options that leave some tests out."""


def digests(root: Path, paths: Sequence[str] = STANDS_ON) -> dict[str, str]:
    """The digest of each path's files, their names included; not of what Python leaves there."""
    return {path: _digest(root, path) for path in paths}


def changed(root: Path, paths: Sequence[str] = STANDS_ON) -> list[str]:
    """The paths that are not as they were when all of the factory's tests passed."""
    try:
        stamped = json.loads((root / STAMP).read_text("utf-8"))
    except (OSError, ValueError):
        stamped = {}
    return [path for path, digest in digests(root, paths).items() if stamped.get(path) != digest]


def is_left_out(path: Path) -> bool:
    """Whether a file holds tests that only a change of the factory brings back."""
    return path.suffix == ".py" and ROOT / TESTS in path.parents and path.name not in ALWAYS


def _digest(root: Path, path: str) -> str:
    top = root / path
    files = [top] if top.is_file() else sorted(top.rglob("*"))
    found = hashlib.sha256()
    for file in files:
        name = file.relative_to(root)
        if file.is_dir() or "__pycache__" in name.parts or name == Path(STAMP):
            continue
        own = hashlib.sha256(file.read_bytes()).hexdigest()
        found.update(f"{own}  {name.as_posix()}\n".encode())
    return found.hexdigest()


class Stamping:
    """Writes the stamp when all of the factory's tests ran and passed.

    What they stand on is looked at before the first and after the last, so that a file that was
    edited meanwhile is not taken for one that was tried.
    """

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.before = digests(root)
        self.passed: set[str] = set()
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.partition("::")[0]
        if not is_left_out(ROOT / file):
            return
        if report.failed:
            self.failed.add(file)
        elif report.when == "call":
            self.passed.add(file)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.is_complete(session.config.option, session.config.args):
            text = json.dumps(self.before, indent=2)
            (self.root / STAMP).write_text(text + "\n", encoding="utf-8")

    def is_complete(self, option: Any, arguments: Sequence[str]) -> bool:
        """Whether every test of every file passed, on what is there now as well."""
        files = {
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / TESTS).rglob("test_*.py")
            if is_left_out(path)
        }
        everything = not any(getattr(option, name, None) for name in SELECTING)
        return (
            everything
            and not any("::" in argument for argument in arguments)
            and not self.failed
            and self.passed == files
            and digests(self.root) == self.before
        )
