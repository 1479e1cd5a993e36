"""A tiny project that main.py can set up for real, and one whose Python and pip are played."""

import os
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "tiny"
version = "1.0"
dependencies = ["tiny-dependency>=1.0"]

[project.optional-dependencies]
test = ["tiny-dependency>=1.0,<9"]
"""

BACKEND = '''
import os, pathlib, time, zipfile

def build_editable(directory, config_settings=None, metadata_directory=None):
    hang = os.environ.get("TINY_HANG")
    if hang:
        pathlib.Path(hang).write_text(str(os.getpid()))
        while True:
            time.sleep(60)
    name = "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(directory, name), "w") as wheel:
        wheel.writestr("tiny-1.0.dist-info/METADATA", """Metadata-Version: 2.1
Name: tiny
Version: 1.0
Requires-Dist: tiny-dependency>=1.0
Provides-Extra: test
""")
        wheel.writestr("tiny-1.0.dist-info/WHEEL",
                       "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("tiny-1.0.dist-info/RECORD", "")
    return name
'''

CLI = """
import json, sys

def main(arguments):
    heavy = {"importlib.metadata", "tomllib", "subprocess", "dataclasses", "queue"}
    print(json.dumps({"arguments": arguments, "prefix": sys.prefix,
                      "heavy": sorted(heavy & set(sys.modules))}))
    return int(arguments[-1]) if arguments and arguments[-1].isdecimal() else 0
"""

PLAYED_PYTHON = '''#!{python}
"""Plays a Python with venv and pip: does what PLAY says, and writes down what it was asked."""
import os, pathlib, shutil, sys

arguments = sys.argv[1:]
here = pathlib.Path(__file__)
with open({calls!r}, "a") as calls:
    calls.write(" ".join(arguments) + "\\n")
play = os.environ.get("PLAY", "")
if "-c" in arguments[:2]:
    code = arguments[-1]
    if "venv, ensurepip" in code:
        sys.exit(play == "no venv")
    elif "version_info" in code:
        print({version!r})
elif arguments[:2] == ["-m", "venv"]:
    folder = pathlib.Path(arguments[2])
    (folder / "bin").mkdir(parents=True)
    (folder / "lib/python{version}/site-packages").mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("home = /")
    shutil.copy(here, folder / "bin/python")
elif arguments == ["-m", "pip", "config", "list"]:
    print(os.environ.get("PLAY_PIP_CONFIG", ""))
elif arguments == ["-I", "-m", "pip", "--version"]:
    sys.exit((here.parents[1] / "without pip").exists())
elif arguments == ["-I", "-m", "ensurepip"]:
    (here.parents[1] / "without pip").unlink()
elif arguments[:2] == ["-m", "pip"]:
    print("Collecting tiny-dependency", flush=True)
    say = lambda text: print(text, file=sys.stderr, flush=True)
    if play == "broken once" and not (here.parents[1] / "made anew").exists():
        marker = pathlib.Path({calls!r}).with_name("broken")
        if not marker.exists():
            marker.touch()
            say("AssertionError: something odd")
            sys.exit(2)
    errors = {{
        "network": "ERROR: Temporary failure in name resolution\\nERROR: No matching distribution "
                   "found for tiny-dependency",
        "space": "ERROR: Could not install: [Errno 28] No space left on device",
        "permission": "ERROR: Could not install: [Errno 13] Permission denied: 'x'",
        "version": "ERROR: No matching distribution found for tiny-dependency>=1.0",
        "other": "ValueError: nobody knows",
    }}
    if play in errors:
        say(errors[play])
        sys.exit(1)
    if play != "forgetful":
        packages = here.parents[1] / "lib/python{version}/site-packages"
        made = packages / ("tiny_dependency-%s.dist-info" % os.environ.get("PLAY_VERSION", "1.2"))
        made.mkdir(exist_ok=True)
        (made / "METADATA").write_text("")
'''

PLAYED_UV = '''#!{python}
"""Plays uv with the played Python: an environment of its making has no pip."""
import os, pathlib, subprocess, sys

arguments = sys.argv[1:]
with open({calls!r}, "a") as calls:
    calls.write("uv " + " ".join(arguments) + "\\n")
if arguments[0] == "venv":
    python = arguments[arguments.index("--python") + 1]
    subprocess.run([python, "-m", "venv", arguments[-1]], check=True)
    pathlib.Path(arguments[-1], "without pip").touch()
elif os.environ.get("PLAY") == "network":
    sys.exit("error: Request failed after 3 retries\\n  Caused by: dns error")
else:
    print("Resolved 1 package in 4ms", file=sys.stderr)
    python = arguments[arguments.index("--python") + 1]
    packages = next(pathlib.Path(python).parents[1].glob("lib/*/site-packages"))
    made = packages / "tiny_dependency-1.2.dist-info"
    made.mkdir(exist_ok=True)
    (made / "METADATA").write_text("")
'''


@pytest.fixture(scope="session")
def tiny_wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one package the tiny project depends on; it stands in for pytest too."""
    folder = tmp_path_factory.mktemp("wheels")
    with zipfile.ZipFile(folder / "tiny_dependency-1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr(
            "pytest.py",
            "import json, os, sys\n"
            "print(json.dumps({'arguments': sys.argv[1:], 'cwd': os.getcwd()}))\n"
            "sys.exit(5)\n",
        )
        info = "tiny_dependency-1.2.dist-info"
        wheel.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-dependency\nVersion: 1.2\n"
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return folder


@pytest.fixture
def make_project() -> Callable[[Path], Path]:
    """Lays out main.py, this project's bootstrap, and a command line that tells what it got."""
    return _make_project


def _make_project(folder: Path) -> Path:
    (folder / "explorer").mkdir(parents=True)
    shutil.copy(ROOT / "main.py", folder)
    shutil.copytree(
        ROOT / "explorer/bootstrap",
        folder / "explorer/bootstrap",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (folder / "explorer/__init__.py").touch()
    (folder / "explorer/cli.py").write_text(CLI, encoding="utf-8")
    (folder / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (folder / "constraints.txt").write_text("tiny-dependency==1.2\n", encoding="utf-8")
    (folder / "backend.py").write_text(BACKEND, encoding="utf-8")
    return folder


@pytest.fixture
def played_python(tmp_path: Path) -> Path:
    """A Python that makes environments and installs in no time, or fails as told."""
    if os.name == "nt":
        pytest.skip("scripts can't play an executable on Windows")
    path = tmp_path / "played-python"
    version = "{}.{}".format(*sys.version_info[:2])
    path.write_text(
        PLAYED_PYTHON.format(
            python=sys.executable, calls=str(tmp_path / "calls.txt"), version=version
        ),
        encoding="utf-8",
    )
    path.chmod(0o755)
    return path


@pytest.fixture
def played_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A uv on the PATH that writes down what it was asked."""
    path = tmp_path / "own programs" / "uv"
    path.parent.mkdir()
    path.write_text(
        PLAYED_UV.format(python=sys.executable, calls=str(tmp_path / "calls.txt")), encoding="utf-8"
    )
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(path.parent), prepend=os.pathsep)
    return path
