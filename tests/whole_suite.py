"""How the whole suite runs, as against a few files of it.

Two workers share the tests, the static checks run beside them, and the factory of the bundled
models (`explorer/pretraining`) is left alone while nobody has touched it.
"""

import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import static_checks

ROOT = Path(__file__).resolve().parent.parent
WORKERS = 2
FACTORY = (
    "explorer/pretraining",
    "explorer/numerics",
    "explorer/objectives",
    "explorer/world",
    "plugins/deberta",
    "plugins/spanbert",
    "plugins/tinybert",
    "tests/pretraining",
    "resources/models",
    "constraints.txt",
)
"""What the factory's tests stand on; a test holds that it imports little else of the program."""
RECENT = 20
"""Commits; what they changed counts as touched."""
FACTORY_TESTS = ROOT / "tests/pretraining"
ALWAYS = {"conftest.py", "test_bundled_models.py"}
"""Files of that folder that try what the program ships, through the program."""


@dataclass(frozen=True)
class Plan:
    """What the first process decides, for itself and its workers.

    Attributes:
        without_factory: Leave the factory's tests out.
        checks_folder: Where the static checks that run beside the tests leave what they say.
    """

    without_factory: bool = False
    checks_folder: str | None = None


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
    if config.args_source is not config.ArgsSource.TESTPATHS:
        return
    if getattr(option, "numprocesses", 0) is None and not option.usepdb:
        option.numprocesses = WORKERS
        if option.dist == "no":
            # Neighbours stay together as long as no worker is idle, so fixtures are made once.
            option.dist = "worksteal"
    selects = option.keyword or option.markexpr or option.collectonly
    beside = getattr(option, "numprocesses", 0) and not selects
    config.stash[PLAN] = Plan(
        without_factory=not option.all and is_unchanged(root, FACTORY),
        checks_folder=str(scratch / "static-checks") if beside else None,
    )


def tell_worker(node: Any) -> None:
    """Hand the plan on; workers read the command line anew and would make one of their own."""
    node.workerinput["plan"] = asdict(node.config.stash[PLAN])


def is_unchanged(root: Path, paths: tuple[str, ...]) -> bool:
    """Whether git is sure: no difference from some commits ago, and no new file.

    False where there is no git, no history that long, or no repository.
    """
    commands = (
        ["diff", "--quiet", f"HEAD~{RECENT}", "--", *paths],
        ["status", "--porcelain", "--untracked-files=all", "--", *paths],
    )
    for command in commands:
        try:
            ran = subprocess.run(["git", *command], cwd=root, capture_output=True)
        except OSError:
            return False
        if ran.returncode != 0 or ran.stdout:
            return False
    return True


def is_left_out(path: Path, config: pytest.Config) -> bool:
    """Whether a file is of the factory and nobody asked for it."""
    return bool(
        config.stash[PLAN].without_factory
        and path.suffix == ".py"
        and FACTORY_TESTS in path.parents
        and path.name not in ALWAYS
    )


def header(config: pytest.Config) -> str | None:
    """What is left out, for the first lines of the report."""
    if not config.stash[PLAN].without_factory:
        return None
    return (
        f"left out: the factory's tests; {', '.join(FACTORY)} are as they were {RECENT} commits "
        "ago. --all runs them."
    )


def begin(config: pytest.Config) -> "subprocess.Popen[bytes] | None":
    """Start the checks beside the tests, if they are to run there."""
    folder = config.stash[PLAN].checks_folder
    if folder is None or hasattr(config, "workerinput"):
        return None
    return static_checks.start(Path(folder))
