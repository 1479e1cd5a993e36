"""The packages of a thin bundle's window: all that the program needs but what runs models."""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from explorer.installers.failures import BuildFailure

ENGINE_ONLY = frozenset(
    {
        "accelerate",
        "bertviz",
        "peft",
        "protobuf",
        "sacremoses",
        "sentencepiece",
        "tokenizers",
        "torch",
        "transformers",
        "xstatic-jquery",
    }
)
"""Dependencies that the window's process never imports; a test starts it without them."""

UNUSED = (
    *("PySide6/Qt/qml", "PySide6/Qt/metatypes", "PySide6/Qt/libexec", "PySide6/Qt/lib/cmake"),
    *("PySide6/include", "PySide6/typesystems", "PySide6/glue", "PySide6/scripts", "PySide6/doc"),
    *("PySide6/Qt/plugins/qmltooling", "PySide6/Qt/plugins/designer", "PySide6/Qt/plugins/qmlls"),
    *("PySide6/Qt/plugins/qmllint", "PySide6/Qt/plugins/sqldrivers"),
    *("PySide6/*.pyi", "PySide6/assistant*", "PySide6/designer*", "PySide6/linguist*"),
    *("PySide6/lrelease*", "PySide6/lupdate*", "PySide6/qml*", "PySide6/balsam*", "PySide6/qsb*"),
    *("PySide6/rcc*", "PySide6/uic*", "PySide6/svgtoqml*", "PySide6/Qt/lib/libQt6Qml*"),
    *("PySide6/Qt/lib/libQt6Quick*", "PySide6/Qt/lib/libQt6Labs*", "PySide6/QtQuick*"),
    *("PySide6/Qt/lib/libQt6Designer*", "PySide6/QtDesigner*", "PySide6/QtQml*"),
    *("PySide6/Qt/lib/libQt6WaylandCompositor*", "PySide6/Qt/translations/[!q]*"),
    *("PySide6/Qt/translations/qt_*", "PySide6/Qt/translations/qtdeclarative_*"),
    "*/tests",
)
"""What comes with them and is not looked at: Qt Quick, Qt's own programs, tests."""


def normal(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def window_requirements(root: Path) -> Sequence[str]:
    """The window's lines of pyproject.toml: without WebEngine, whose pages the browser shows."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    lines = []
    for line in project["dependencies"]:
        name = re.match(r"[A-Za-z0-9._-]+", line)
        assert name is not None
        if normal(name[0]) not in ENGINE_ONLY:
            lines.append(re.sub(r"^PySide6\b", "PySide6-Essentials", line))
    return lines


def install(uv: str, python: Path, wheel: Path, root: Path, work: Path) -> Collection[str]:
    """Install them and the program into an interpreter; returns the packages' names.

    Raises:
        BuildFailure: uv failed.
    """
    asked, locked = work / "window.in", work / "window.txt"
    asked.write_text("\n".join(window_requirements(root)) + "\n", "utf-8")
    run([uv, "pip", "compile", "-q", "--no-header", "--no-annotate", "--generate-hashes",
         "--python", str(python), "-c", str(root / "constraints.txt"), str(asked),
         "-o", str(locked)])  # fmt: skip
    names = {
        normal(line.partition("==")[0])
        for line in locked.read_text("utf-8").splitlines()
        if "==" in line and not line.startswith(" ")
    }
    if found := sorted(names & ENGINE_ONLY):
        raise BuildFailure(f"A package of the window's needs {', '.join(found)}: see ENGINE_ONLY.")
    target = next(python.parents[1].glob("lib/python*/site-packages"))
    into = [uv, "pip", "install", "-q", "--python", str(python), "--target", str(target)]
    run([*into, "--no-deps", "--require-hashes", "-r", str(locked)])
    run([*into, "--no-deps", str(wheel)])
    for pattern in UNUSED:
        for path in target.glob(pattern):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    shutil.rmtree(target / "bin", ignore_errors=True)
    run([str(python), "-m", "compileall", "-q", "-j0", str(target / "explorer")])
    return names


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    """Run a tool to its end, with this process's environment where none is given.

    Raises:
        BuildFailure: It failed; with the last that it said.
    """
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if ran.returncode:
        raise BuildFailure(
            f"{' '.join(command[:3])} failed: {ran.stdout[-500:]}{ran.stderr[-1500:]}"
        )
