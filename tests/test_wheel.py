"""The wheel stands on its own: plugins and resources inside, and none of the checkout used.

How the bundled models were made (explorer/pretraining) and installers are (explorer/installers) is
not in it, and nothing asks for it.
"""

import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILMS = {
    film.name: max(int(one.name.partition("-")[2]) for one in film.glob("checkpoint-*"))
    for film in (ROOT / "resources" / "films").iterdir()
}
LAST_FRAMES = [f"{name}@step{step}" for name, step in FILMS.items()]
"""What the library lists of each film that comes with the program."""

MADE_WITH = ("explorer/pretraining/", "explorer/installers/")

RUN = """
import contextlib, importlib, io, json, pkgutil, sys
from explorer.cli import main

told = {}
for name, arguments in json.loads(sys.argv[1]).items():
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    told[name] = {"status": status, "out": out.getvalue(), "err": err.getvalue()}
    told[name]["libraries"] = sorted({module.partition(".")[0] for module in sys.modules})

import explorer

failed = {}
for found in pkgutil.walk_packages(explorer.__path__, "explorer."):
    if found.name.startswith("explorer.bundled") or found.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(found.name)
    except ModuleNotFoundError as error:
        failed[found.name] = str(error)
files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
told["files"] = sorted(file for file in files if file)
told["path"] = sys.path
told["modules"] = {"seen": sorted(sys.modules), "failed": failed}
print(json.dumps(told))
"""

WITHOUT_QT = """
import contextlib, importlib.util, io, json, sys
from types import ModuleType, SimpleNamespace

import explorer
from explorer.cli import main

names = ("PySide6", "shiboken6", "pyqtgraph", "qtawesome")
told = {"here": [name for name in names if importlib.util.find_spec(name)], "said": {}}
explorer.use(profile=sys.argv[1], device="cpu", language="en")
answer = explorer.ask("masked_tokens", "I liked the movie. The movie was [MASK].", top_k=3)
library = ModuleType("pandas")
library.DataFrame = lambda cells, columns: SimpleNamespace(cells=cells, columns=columns, attrs={})
sys.modules["pandas"] = library
told["cells"] = answer.frame().cells
told["html"] = answer._repr_html_()
try:
    answer.save("picture.pdf")
except explorer.Trouble as error:
    told["refused"] = [str(error), *error.__notes__]
ask = ["ask", "masked_tokens", "The movie was [MASK].", "--no-log"]
for name, words in {"rows": ask, "picture": [*ask, "--picture", "page.png"], "window": []}.items():
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(["--profile", sys.argv[1], "--device", "cpu", *words])
    told["said"][name] = [status, out.getvalue(), err.getvalue()]
print(json.dumps(told))
"""
QT = ("pyside6", "shiboken6", "pyqtgraph", "qtawesome", "pytest_qt", "pytestqt", "qtpy")
"""What is Qt of the packages that are installed, as their folders begin."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def target(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet"]
    command += ["--disable-pip-version-check", "--target", folder, wheel]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return folder


FILL = ("fill", "I liked the movie. The movie was [MASK].", "--json", "--top", "3")
OVER = ("--ask", "masking_policy", "--model", "bert-miniature", "--json")


@pytest.fixture(scope="module")
def installed(target, tmp_path_factory):
    """What the installed program said to one command after the other, and then had imported.

    Its Python reads no .pth file, so no editable install.
    """
    folder = tmp_path_factory.mktemp("ran")
    work = folder / "elsewhere"
    work.mkdir()
    sentences = folder / "sentences.txt"
    sentences.write_text("The chef cooked the meal in the kitchen.\n", "utf-8")
    profile = ("--profile", str(folder / "profile"), "--device", "cpu")
    commands = {
        "fill": [*profile, *FILL],
        "over": [*profile, "over", str(sentences), *OVER],
        "models": ["--profile", str(folder / "empty"), "models", "--json"],
    }
    told = told_by(work, [target, *PACKAGES], RUN, json.dumps(commands), str(folder / "scripts"))
    return {**told, "folder": folder, "work": work}


PACKAGES = (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))


def told_by(work, places, program, *arguments):
    """What a program says that runs with these places of packages alone."""
    environment = {name: text for name, text in os.environ.items() if name != "VIRTUAL_ENV"}
    environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(map(str, places)))
    python = getattr(sys, "_base_executable", sys.executable)
    ran = subprocess.run(
        [python, "-P", "-c", program, *arguments],
        cwd=work,
        env=environment,
        capture_output=True,
        text=True,
        timeout=170,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def without_qt(target, tmp_path_factory):
    """What the installed program said where no package of Qt's is."""
    folder = tmp_path_factory.mktemp("without_qt")
    work, packages = folder / "elsewhere", folder / "packages"
    work.mkdir()
    packages.mkdir()
    for place in dict.fromkeys(PACKAGES):
        for found in Path(place).iterdir():
            if not found.name.casefold().startswith(QT) and not (packages / found.name).exists():
                (packages / found.name).symlink_to(found)
    return told_by(work, [target, packages], WITHOUT_QT, str(folder / "profile"))


def answer(installed, command):
    """What a command that went well wrote, as JSON."""
    told = installed[command]
    assert told["status"] == 0, told["err"]
    return json.loads(told["out"])


def test_everything_is_in_it(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    expected = {
        prefix + path.relative_to(ROOT).as_posix()
        for part, prefix in (
            ("explorer", ""),
            ("plugins", "explorer/bundled/"),
            ("resources", "explorer/bundled/"),
        )
        for path in (ROOT / part).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    made_with = {name for name in expected if name.startswith(MADE_WITH)}
    assert {name.split("/")[1] for name in made_with} == {"pretraining", "installers"}
    assert not names & made_with
    assert expected - made_with <= names
    assert "explorer/bundled/docs/plugins.md" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_installed_program_predicts_without_the_checkout(installed, target):
    filled = answer(installed, "fill")
    assert filled["model"]["id"] == "bert-miniature"
    chances = [prediction["probability"] for prediction in filled["masks"][0]["predictions"]]
    assert len(chances) == 3
    assert 0 < sum(chances) <= 1
    assert chances == sorted(chances, reverse=True)

    packages = Path(sysconfig.get_path("purelib"))
    own = [file for file in installed["files"] if "explorer" in Path(file).parts]
    assert own
    assert all(Path(file).is_relative_to(target) for file in own)
    for file in map(Path, installed["files"]):
        assert not file.is_relative_to(ROOT) or file.is_relative_to(packages), file
    assert str(ROOT) not in installed["path"]
    assert (installed["folder"] / "profile/data/sessions.db").exists()
    assert list(installed["work"].iterdir()) == [], "nothing is written where it was started"


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_where_qt_is_not_installed_it_answers_and_says_what_pictures_need(without_qt, installed):
    filled = answer(installed, "fill")
    best = filled["masks"][0]["predictions"][0]
    assert without_qt["here"] == []
    assert len(without_qt["cells"]) == 3
    assert best["probability"] in without_qt["cells"][0]
    drawn_by = "Pictures are drawn by PySide6, which is not installed."
    advice = "Install it: pip install PySide6. Tables and numbers need none."
    assert without_qt["refused"] == [drawn_by, advice]
    assert drawn_by in without_qt["html"]
    assert "<table" in without_qt["html"]
    said = without_qt["said"]
    assert said["rows"][0] == 0
    assert "BERT miniature" in said["rows"][1]
    for name, sentence in (("picture", drawn_by), ("window", "The window is drawn by PySide6")):
        status, _out, err = said[name]
        assert status
        assert sentence in err
        assert "pip install PySide6" in err
        assert "Traceback" not in err


def test_it_predicts_without_scipy_even_where_that_is_installed(installed):
    """transformers imports it for object detection: a tenth of the time to the first answer."""
    assert importlib.util.find_spec("scipy")
    assert {"torch", "transformers"} <= set(installed["fill"]["libraries"])
    assert "scipy" not in installed["fill"]["libraries"]


def test_every_module_of_the_installed_program_can_be_imported(installed):
    told = installed["modules"]
    assert told["failed"] == {}
    assert {"explorer.world.exact.readers", "explorer.objectives.masking.span_masking"} <= set(
        told["seen"]
    )
    dotted = tuple(folder.replace("/", ".") for folder in MADE_WITH)
    assert not [name for name in told["seen"] if f"{name}.".startswith(dotted)]


def test_installed_program_masks_as_in_training(installed):
    """The one question that stands on the training objectives."""
    assert answer(installed, "over")


def test_installed_program_lists_what_it_brought(installed, target):
    inside = [row for row in answer(installed, "models") if row["folder"]]
    assert {row["id"] for row in inside} == {
        *(path.parent.name for path in (ROOT / "resources/models").glob("*/config.json")),
        *LAST_FRAMES,
    }
    for row in inside:
        assert Path(row["folder"]).is_relative_to(target)
        # A bare config has no weights, and says so; all the others can be loaded.
        assert bool(row["problem"]) == (row["source"] == "config")
