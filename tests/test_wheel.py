"""The wheel stands on its own: plugins and resources inside, and none of the checkout used.

How the bundled models were made (explorer/pretraining) and installers are (explorer/installers) is
not in it, and nothing asks for it.
"""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

MADE_WITH = ("explorer/pretraining/", "explorer/installers/")

RUN = """
import json, sys
from explorer.cli import main
status = main(sys.argv[1:])
files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
files = sorted(file for file in files if file)
print(json.dumps({"status": status, "files": files, "path": sys.path}), file=sys.stderr)
"""


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


def run_installed(target, folder, *arguments, code=RUN):
    """Run the installed program with a Python that reads no .pth file, so no editable install."""
    places = [str(target), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    environment = {name: text for name, text in os.environ.items() if name != "VIRTUAL_ENV"}
    environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(places))
    return subprocess.run(
        [getattr(sys, "_base_executable", sys.executable), "-P", "-c", code, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


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
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_installed_program_predicts_without_the_checkout(target, tmp_path):
    work = tmp_path / "elsewhere"
    work.mkdir()
    ran = run_installed(
        target, work, "--profile", str(tmp_path / "profile"), "--device", "cpu",
        "fill", "I liked the movie. The movie was [MASK].", "--json", "--top", "3",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stderr.strip().splitlines()[-1])
    assert told["status"] == 0, ran.stderr

    answer = json.loads(ran.stdout)
    assert answer["model"]["id"] == "bert-miniature"
    chances = [prediction["probability"] for prediction in answer["masks"][0]["predictions"]]
    assert len(chances) == 3
    assert 0 < sum(chances) <= 1
    assert chances == sorted(chances, reverse=True)

    packages = Path(sysconfig.get_path("purelib"))
    own = [file for file in told["files"] if "explorer" in Path(file).parts]
    assert own
    assert all(Path(file).is_relative_to(target) for file in own)
    for file in map(Path, told["files"]):
        assert not file.is_relative_to(ROOT) or file.is_relative_to(packages), file
    assert str(ROOT) not in told["path"]
    assert (tmp_path / "profile/data/sessions.db").exists()
    assert list(work.iterdir()) == [], "nothing is written where it was started"


IMPORT_ALL = """
import importlib, json, pkgutil, sys
import explorer
failed = {}
for found in pkgutil.walk_packages(explorer.__path__, "explorer."):
    if found.name.startswith("explorer.bundled") or found.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(found.name)
    except ModuleNotFoundError as error:
        failed[found.name] = str(error)
print(json.dumps({"seen": sorted(sys.modules), "failed": failed}))
"""


def test_every_module_of_the_installed_program_can_be_imported(target, tmp_path):
    ran = run_installed(target, tmp_path, code=IMPORT_ALL)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["failed"] == {}
    assert {"explorer.world.readers", "explorer.objectives.masking.span_masking"} <= set(
        told["seen"]
    )
    dotted = tuple(folder.replace("/", ".") for folder in MADE_WITH)
    assert not [name for name in told["seen"] if f"{name}.".startswith(dotted)]


def test_installed_program_masks_as_in_training(target, tmp_path):
    """The one question that stands on the training objectives."""
    sentences = tmp_path / "sentences.txt"
    sentences.write_text("The chef cooked the meal in the kitchen.\n", "utf-8")
    ran = run_installed(
        target, tmp_path, "--profile", str(tmp_path / "profile"), "--device", "cpu",
        "over", str(sentences), "--ask", "masking_policy", "--model", "bert-miniature", "--json",
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stderr.strip().splitlines()[-1])["status"] == 0, ran.stderr
    assert json.loads(ran.stdout), ran.stdout


def test_installed_program_lists_what_it_brought(target, tmp_path):
    ran = run_installed(target, tmp_path, "--profile", str(tmp_path / "p"), "models", "--json")
    inside = [row for row in json.loads(ran.stdout) if row["folder"]]
    assert {row["id"] for row in inside} == {
        path.parent.name for path in (ROOT / "resources/models").glob("*/config.json")
    }
    for row in inside:
        assert Path(row["folder"]).is_relative_to(target)
        # A bare config has no weights, and says so; all the others can be loaded.
        assert bool(row["problem"]) == (row["source"] == "config")
