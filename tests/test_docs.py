"""What documents and docstrings name is there: files and classes move, and words stay."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    one.relative_to(ROOT).as_posix()
    for one in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md"))
)
BUILT = {"dist/build.json", "plm-explorer/", "python/"}
"""Of a bundle: they are there once it is built."""
OURS = ("benchmarks", "docs", "explorer", "plugins", "resources", "tests")
NAMED = sorted(one.relative_to(ROOT).as_posix() for one in (ROOT / "docs").glob("*.md"))
THEIRS = {"ClassVar", "Explorer", "InfiniteLine", "ModuleList"}
"""Python's, torch's, pyqtgraph's and a bundle; of pyqtgraph also whatever ends in Item."""


@pytest.fixture(scope="module")
def endings():
    """Every way to name a file or a folder, from whichever folder above it, beginning with /."""
    found = set()
    for folder in OURS:
        for path in (ROOT / folder, *(ROOT / folder).rglob("*")):
            if "__pycache__" not in path.parts:
                found.add(f"/{path.relative_to(ROOT).as_posix()}")
    return {name[at:] for name in found for at in range(len(name)) if name[at] == "/"}


def paths_in(name):
    """What is written as a path; examples of code are read by other tests."""
    words = re.sub(r"```.*?```", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL)
    named = re.findall(r"`([\w./-]+(?:/|\.py|\.toml|\.json|\.md))`", words)
    return {one for one in named if "/" in one or one.endswith(".py")} - BUILT


@pytest.mark.parametrize("name", DOCUMENTS)
def test_paths_that_are_named_are_there(name, endings):
    at_the_top = {one.name for one in ROOT.iterdir()}
    lost = [
        path
        for path in paths_in(name)
        if f"/{path.strip('/')}" not in endings and path.strip("/") not in at_the_top
    ]
    assert lost == []


def test_the_map_of_the_program_has_paths_to_hold():
    assert len(paths_in("docs/architecture.md")) > 100


@pytest.fixture(scope="module")
def classes():
    """The words of the modules that define a class of that name."""
    found = {}
    for path in (*(ROOT / "explorer").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")):
        text = path.read_text("utf-8")
        if named := re.findall(r"^ *(?:class|type) (\w+)|^([A-Z]\w+) = ", text, re.MULTILINE):
            words = set(re.findall(r"\w+", text))
            for one, other in named:
                found.setdefault(one or other, set()).update(words)
    return found


def classes_in(name):
    """What is written as a class, `TwoWords`, or as a member of one, `Word.member`."""
    words = re.sub(r"```.*?```", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL)
    code = " ".join(re.findall(r"`([^`\n]+)`", words))
    return set(
        re.findall(
            r"(?<![\w./-])([A-Z][a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z]\w*(?=\.[a-z]))(?:\.(\w+))?", code
        )
    )


@pytest.mark.parametrize("name", NAMED)
def test_classes_that_are_named_are_there(name, classes):
    lost = [
        f"{one}.{member}"
        for one, member in classes_in(name)
        if not (one in THEIRS or one.endswith("Item"))
        and not (one in classes and (not member or member in classes[one]))
    ]
    assert lost == []


def test_the_guide_to_plugins_has_classes_to_hold():
    assert len(classes_in("docs/plugins.md")) > 40


@pytest.mark.parametrize("folder", ["explorer", "plugins"])
def test_members_that_the_program_names_in_words_are_there(folder, classes):
    lost = [
        f"{path.name}: {one}.{member}"
        for path in (ROOT / folder).rglob("*.py")
        for one, member in re.findall(r"`([A-Z][a-z]\w*)\.([a-z]\w*)`", path.read_text("utf-8"))
        if member not in classes.get(one, ())
    ]
    assert lost == []
