"""What a bundle is told to hold is all that the program asks for, and nothing that it drops."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import explorer
from explorer.cli import all_commands
from explorer.installers.frozen import contents
from explorer.questions import own_folders
from tests.source_facts import When, facts_of

PACKAGE = Path(explorer.__file__).parent
ROOT = PACKAGE.parent
EXTRAS = {"bitsandbytes", "pyarrow", "ray", "openTSNE", "sklearn", "scipy"}
"""Dropped, and asked for where they are: the program says how to get them where they are not."""


@pytest.fixture(scope="module")
def modules():
    return set(contents.own_modules(PACKAGE))


def test_every_question_is_in_it(modules):
    folders = own_folders()
    assert len(folders) > 40
    assert {f"{folder}.question" for folder in folders} <= modules


def test_what_is_registered_by_being_there_is_in_it(modules):
    for name, command in all_commands().items():
        assert command.__name__ in modules, name
    for file in sorted((PACKAGE / "questions").rglob("question.py")):
        folder = ".".join(file.parent.relative_to(ROOT).parts)
        for part in ("question", "compute", "page", "headline"):
            if file.with_name(f"{part}.py").is_file():
                assert f"{folder}.{part}" in modules


def test_every_module_is_one_that_python_finds(modules):
    for name in ("explorer", "explorer.api", "explorer.ui.export.handout.worker"):
        assert name in modules
    for name in sorted(modules)[::25]:
        assert importlib.util.find_spec(name) is not None, name


def test_what_makes_models_and_installers_is_not_in_it(modules):
    assert not [name for name in modules if ".pretraining" in name or ".installers" in name]
    assert (PACKAGE / "pretraining").is_dir()


def test_processes_of_its_own_are_in_it(modules):
    """They are named by a string alone."""
    named = [
        line.partition('"')[2].rpartition('"')[0]
        for file in PACKAGE.rglob("*.py")
        for line in file.read_text("utf-8").splitlines()
        if line.startswith("WORKER = ")
    ]
    assert len(named) >= 3
    assert set(named) <= modules


def test_what_plugins_import_is_in_it():
    asked = contents.imported_by_plugins(ROOT / "plugins")
    assert "transformers.models.deberta.modeling_deberta" in asked
    assert "torch.overrides" in asked
    assert not [name for name in asked if name.startswith(("explorer", "plugins"))]


def test_files_that_are_no_modules_are_in_it(tmp_path):
    for name in ("a.py", "api.pyi", "bundled/plugins/one/__init__.py", "bundled/resources/x.toml"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    cached = tmp_path / "bundled/plugins/one/__pycache__/one.pyc"
    cached.parent.mkdir()
    cached.touch()
    found = {file.relative_to(tmp_path).as_posix() for file in contents.own_files(tmp_path)}
    assert found == {
        "api.pyi",
        "bundled/plugins/one/__init__.py",
        "bundled/resources/x.toml",
    }


DROPPED_WORD = re.compile(
    r"\b(" + "|".join({name.rpartition(".")[2] for name in contents.DROPPED}) + r")\b"
)


@pytest.fixture(scope="module")
def sources():
    """The text of every file of the program and its plugins."""
    files = [*(ROOT / "explorer").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]
    apart = {"pretraining", "installers"}
    kept = [file for file in sorted(files) if not apart & set(file.relative_to(ROOT).parts)]
    return {file: file.read_text("utf-8") for file in kept}


@pytest.fixture(scope="module")
def asked_for(sources):
    """(module that is imported, file, when), of files that have a dropped module's name in them."""
    return [
        (name, file.relative_to(ROOT).as_posix(), one.when)
        for file, text in sources.items()
        if DROPPED_WORD.search(text)
        for one in facts_of(file).imports
        for name in one.asked
    ]


def is_dropped(name):
    return any(f"{name}.".startswith(f"{one}.") for one in contents.DROPPED)


def test_nothing_that_is_dropped_is_imported(asked_for):
    """But for Qt's browser and extras, which the program looks for and does without."""
    optional = tuple(f"PySide6.{name}" for name in contents.QT_OPTIONAL)
    found = [
        (name, file)
        for name, file, _ in asked_for
        if is_dropped(name)
        and not name.startswith(optional)
        and name.partition(".")[0] not in EXTRAS
    ]
    assert not found


def test_what_the_program_does_without_is_never_imported_at_the_start(asked_for):
    begins = ("explorer/ui/web/sandbox.py",)  # imported where the browser is, and nowhere else
    found = [
        (name, file)
        for name, file, when in asked_for
        if is_dropped(name) and when is When.AT_IMPORT and file not in begins
    ]
    assert not found


def test_qts_modules_that_are_asked_for_stay(sources):
    asked = re.compile(r"^\s*(?:from|import) PySide6\.(\w+)", re.MULTILINE)
    used = {name for text in sources.values() for name in asked.findall(text)}
    assert {"QtCore", "QtGui", "QtWidgets", "QtSvg", "QtTest"} <= used
    assert used & set(contents.QT_DROPPED) == set(contents.QT_OPTIONAL)


IMPORTING = """
import importlib, json, sys
from importlib.machinery import PathFinder

dropped, wanted = json.loads(sys.stdin.read())
found = PathFinder.find_spec


def find(name, path=None, target=None):
    if not any(f"{name}.".startswith(f"{one}.") for one in dropped):
        return found(name, path, target)


PathFinder.find_spec = find
for name in wanted:
    importlib.import_module(name)
"""


@pytest.mark.timeout(180)
def test_what_the_program_imports_does_without_what_is_dropped(sources):
    """Packages have requirements of their own, as torch, which imports some of its tests."""
    asked = re.compile(r"^\s*(?:from|import) ([a-z]\w*(?:\.\w+)*)", re.MULTILINE)
    names = {name for text in sources.values() for name in asked.findall(text)}
    ours = {"explorer", "plugins", *EXTRAS, *sys.stdlib_module_names}
    wanted = sorted(name for name in names if name.partition(".")[0] not in ours)
    wanted = [name for name in wanted if importlib.util.find_spec(name.partition(".")[0])]
    assert {"torch", "transformers", "pyqtgraph", "bertviz"} <= {
        one.partition(".")[0] for one in wanted
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IMPORTING],
        input=json.dumps([contents.DROPPED, wanted]),
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-1500:]
