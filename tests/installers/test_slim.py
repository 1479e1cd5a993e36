"""What a thin bundle is made of: its window's packages, its locks, its launcher."""

import json
import os
import re
import subprocess
import sys
import venv
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import explorer
from explorer.engine.environment import bundle
from explorer.engine.environment.bundle import VARIABLE, write_plan
from explorer.installers.failures import BuildFailure
from explorer.installers.slim import locks
from explorer.installers.slim.interpreter import OF_EVERY_SYSTEM
from explorer.installers.slim.launcher import write_launcher
from explorer.installers.slim.licences import write_licences
from explorer.installers.slim.packages import ENGINE_ONLY, normal, window_requirements
from explorer.licences import KEPT, from_json
from tests import users_python

ROOT = Path(__file__).parents[2]
IMPORTED_AS = {"protobuf": "google", "xstatic-jquery": "xstatic"}

# What only the engine imports is as good as not installed, Qt's WebEngine too.
IMPORT_WINDOW = """
import importlib, json, pkgutil, sys
absent = set(json.loads(sys.argv[1]))
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in absent or name.startswith("PySide6.QtWebEngine"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import explorer.app, explorer.questions, explorer.ui
from explorer.ui.views import listed
for place in (explorer.ui, explorer.questions):
    for found in pkgutil.walk_packages(place.__path__, place.__name__ + "."):
        if found.name == "explorer.ui.web.sandbox":
            continue  # imported where there is a WebEngine alone
        if place is explorer.ui or found.name.rpartition(".")[2] == "page":
            importlib.import_module(found.name)
print(json.dumps(sorted(one.of.name for one in listed())))
"""


def test_the_window_needs_none_of_what_it_is_built_without():
    absent = [IMPORTED_AS.get(name, name) for name in ENGINE_ONLY]
    ran = subprocess.run(
        [sys.executable, "-c", IMPORT_WINDOW, json.dumps(absent)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert "masked_tokens" in json.loads(ran.stdout)


def test_its_packages_are_the_programs_but_the_engines():
    lines = window_requirements(ROOT)
    names = {normal(line.split(">")[0]) for line in lines}
    assert "pyside6-essentials" in names
    assert "pyside6" not in names
    assert not names & ENGINE_ONLY
    whole = (ROOT / "pyproject.toml").read_text("utf-8").lower()
    assert all(name in whole for name in ENGINE_ONLY)


def test_none_of_them_brings_the_engines_with_it():
    seen, todo = set(), [Requirement(line) for line in window_requirements(ROOT)]
    while todo:
        one = todo.pop()
        name = normal(one.name)
        if name in seen or (one.marker is not None and not one.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        try:
            todo += map(Requirement, metadata.requires(one.name) or ())
        except metadata.PackageNotFoundError:
            continue
    assert {"numpy", "matplotlib"} <= seen, "what they bring is looked at"
    assert not seen & ENGINE_ONLY


UV = """\
#!{python}
import pathlib, sys
words = sys.argv[1:]
pathlib.Path({calls!r}).open("a").write(" ".join(words) + chr(10))
out = pathlib.Path(words[words.index("-o") + 1])
if out.suffix == ".txt":
    out.write_text({lock!r})
else:
    out.write_text({sizes!r})
"""
LOCK = """\
numpy==2.4.6 \\
    --hash=sha256:{n}
pyside6-addons==6.11.3 \\
    --hash=sha256:{a} \\
    --hash=sha256:{b}
torch==2.13.0+cpu \\
    --hash=sha256:{t}
xstatic-jquery==3.7.1.1 \\
    --hash=sha256:{a} \\
    --hash=sha256:{b}
""".format(n="1" * 64, a="2" * 64, b="3" * 64, t="4" * 64)
SIZES = """\
lock-version = "1.0"
[[packages]]
name = "numpy"
wheels = [{{ url = "http://127.0.0.1/numpy.whl", size = 1000 }}]
[[packages]]
name = "torch"
wheels = [{{ url = "{wheel}" }}]
[[packages]]
name = "XStatic_jQuery"
sdist = {{ url = "http://127.0.0.1/x.tar.gz", size = 77 }}
"""


@pytest.fixture
def uv(tmp_path):
    wheel = tmp_path / "torch.whl"
    wheel.write_bytes(b"x" * 4321)
    program, calls = tmp_path / "uv", tmp_path / "calls"

    def play(lock=LOCK):
        program.write_text(
            UV.format(
                python=sys.executable,
                calls=str(calls),
                lock=lock,
                sizes=SIZES.format(wheel=wheel.as_uri()),
            )
        )
        program.chmod(0o755)
        return str(program), lambda: calls.read_text("utf-8")

    return play


@pytest.mark.parametrize("variant", ["cpu", "cuda"])
@pytest.mark.parametrize("links", ["", "/wheels"])
def test_a_lock_has_what_the_bundle_lacks_with_hashes_and_sizes(
    uv, tmp_path, monkeypatch, variant, links
):
    monkeypatch.setenv("UV_FIND_LINKS", links)
    engine = tmp_path / "bundle/engine"
    engine.mkdir(parents=True)
    program, calls = uv()
    made = locks.make(program, ROOT, {"numpy"}, variant, engine, tmp_path)
    assert ("--torch-backend cpu" in calls()) == (variant == "cpu" and not links)
    assert made.lock.read_text("utf-8") == (
        "torch==2.13.0+cpu \\\n    --hash=sha256:" + "4" * 64 + "\n"
        "xstatic-jquery==3.7.1.1 \\\n    --hash=sha256:" + "2" * 64 + " \\\n"
        "    --hash=sha256:" + "3" * 64 + "\n"
    )
    write_plan(tmp_path / "bundle", (made,))
    read = bundle({VARIABLE: str(tmp_path / "bundle")})
    assert read.variants == {variant: made}
    assert [(one.name, one.size) for one in made.packages] == [
        ("torch", 4321),
        ("xstatic-jquery", 77),
    ]
    assert read.promised["torch"] == "2.13.0"


def test_a_lock_without_torch_is_no_lock(uv, tmp_path):
    program, _calls = uv(LOCK.replace("torch==", "tortoise=="))
    with pytest.raises(BuildFailure, match="no torch for cpu"):
        locks.make(program, ROOT, set(), "cpu", tmp_path, tmp_path)


BUNDLES_PYTHON = """\
#!/bin/sh
shift
PYTHONPATH={root} exec {python} -s "$@"
"""


def test_everything_in_it_is_told_with_its_licence(tmp_path):
    python = tmp_path / "python3"
    python.write_text(BUNDLES_PYTHON.format(root=ROOT, python=sys.executable))
    python.chmod(0o755)
    uv = tmp_path / "tools/bin/uv"
    about = tmp_path / "tools/lib/python3.11/site-packages/uv-1.2.3.dist-info"
    folder = tmp_path / "bundle"
    for made in (about, uv.parent, folder):
        made.mkdir(parents=True)
    uv.touch()
    with pytest.raises(BuildFailure, match="pip install uv"):
        write_licences(folder, python, [], tmp_path / "elsewhere/bin/uv")
    (about / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: uv\nVersion: 1.2.3\nLicense-Expression: MIT OR Apache-2.0\n"
    )
    library = tmp_path / "libodd.so.1"
    library.touch()
    write_licences(folder, python, [library], uv)
    besides = from_json((folder / KEPT).read_bytes())
    assert [one.name for one in besides][:1] == ["uv"]
    text = (folder / "LICENCES.txt").read_text("utf-8")
    heads = {normal(one[0]) for one in re.findall(r"^={96}\n(\S+) (\S+)$", text, re.MULTILINE)}
    assert {normal(Requirement(line).name) for line in window_requirements(ROOT)} <= heads
    assert "\nuv 1.2.3\nLicence: MIT OR Apache-2.0\n" in text


def test_the_launcher_starts_whatever_the_user_told_another_python(tmp_path):
    folder, trap = tmp_path / "bundle", tmp_path / "trap"
    folder.mkdir()
    # A real Python, with the program where a bundle has it.
    venv.create(folder / "python", system_site_packages=True, symlinks=True)
    (found,) = (folder / "python/lib").glob("python*/site-packages")
    others = [one for one in sys.path if one.endswith("site-packages")]
    (found / "program.pth").write_text("\n".join([str(ROOT), *others]) + "\n")
    trap.mkdir()
    for name in ("json.py", "argparse.py", "explorer.py"):
        (trap / name).write_text("raise SystemExit('this is another program's')\n")
    told = {"PYTHONHOME": "/nonexistent", "PYTHONPATH": str(trap), "PYTHONSTARTUP": "/nonexistent"}
    ran = subprocess.run(
        [write_launcher(folder), "--version"],
        env={**os.environ, **told},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert explorer.__version__ in ran.stdout
    # Without what the launcher says, the same Python does not even start.
    python = folder / "python/bin/python3"
    alone = subprocess.run([python, "-c", ""], env={**os.environ, **told}, capture_output=True)
    assert alone.returncode


def test_the_launcher_starts_the_python_beside_it_wherever_it_lies(tmp_path):
    folder = tmp_path / "some where"
    python = folder / "python/bin/python3"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$@"\necho "${VARIABLE}"\necho "$PLM_EXPLORER_LAUNCHER"\n')
    python.chmod(0o755)
    launcher = write_launcher(folder)
    (tmp_path / "link").symlink_to(launcher)
    ran = subprocess.run([tmp_path / "link", "fill", "a b"], capture_output=True, text=True)
    assert ran.stdout.splitlines() == [
        "-I -X utf8 -m explorer.cli fill a b",
        str(folder),
        str(launcher),
    ]


RUNS = """\
#!/bin/sh
while [ "$1" != -m ]; do flags="$flags $1"; shift; done
exec {python} $flags -c "import queue, numpy, random; print(numpy.__name__)"
"""


def test_what_the_user_told_another_python_is_not_the_bundles(tmp_path, monkeypatch):
    python = tmp_path / "bundle/python/bin/python3"
    python.parent.mkdir(parents=True)
    python.write_text(RUNS.format(python=sys.executable))
    python.chmod(0o755)
    users_python.tell(monkeypatch, tmp_path)
    ran = subprocess.run([write_launcher(tmp_path / "bundle")], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "numpy\n"), ran.stderr


@pytest.mark.parametrize(
    ("name", "stays"),
    [("libc.so.6", True), ("ld-linux-x86-64.so.2", True), ("libm.so.6", True),
     ("libcrypto.so.3", False), ("libsqlite3.so.0", False), ("libpython3.11.so.1.0", False),
     ("libmpdec.so.3", False), ("libcrypt.so.1", False)],
)  # fmt: skip
def test_the_c_library_is_the_systems(name, stays):
    assert bool(OF_EVERY_SYSTEM.match(name)) is stays
