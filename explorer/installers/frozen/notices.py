"""The licences of all that a bundle brings, with the libraries it takes from the build's system."""

import ast
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from explorer.installers.frozen.environment import Frozen, run
from explorer.licences import KEPT, LicensedComponent, as_text, from_json, to_json

Ask = Callable[[list[str]], str]
"""Runs a command and gives what it printed; "" where it fails."""


_ASKED = """
import sys
from importlib.metadata import distribution
from pathlib import Path

sys.path.insert(0, sys.argv[1])
from explorer.licences import component_of, installed, to_json

frozen = [*installed(), component_of(distribution("pyinstaller"))]
Path(sys.argv[2]).write_bytes(to_json(frozen))
"""
"""PyInstaller's starter is in what it makes."""

FILE = "LICENCES.txt"
"""Beside the program, for people; the program reads the same from explorer.licences.KEPT."""


def ask_environment(python: Path, root: Path, file: Path) -> None:
    """Let the environment that is frozen write down what it has.

    Args:
        python: Of the environment.
        root: The checkout.
        file: What `explorer.licences.from_json` reads.
    """
    run([str(python), "-c", _ASKED, str(root), str(file)])


def complete(folder: Path, file: Path, toc: Path, frozen: Frozen) -> None:
    """Write down in a bundle what is in it.

    Args:
        folder: The bundle.
        file: What `ask_environment` wrote.
        toc: PyInstaller's table of what it collected.
        frozen: What was frozen.
    """
    found = list(from_json(file.read_bytes()))
    own = (frozen.package.parent, frozen.library)
    found += components(collected(toc, own))
    for kept in folder.rglob(KEPT):
        kept.write_bytes(to_json(found))
    (folder / FILE).write_text(as_text(found), "utf-8")


def ask(command: list[str]) -> str:
    """As `Ask` says."""
    done = subprocess.run(
        command, check=False, capture_output=True, encoding="utf-8", errors="replace"
    )
    return "" if done.returncode else done.stdout


def collected(toc: Path, own: Iterable[Path]) -> list[Path]:
    """The files that PyInstaller took from outside of what it froze.

    Args:
        toc: Its COLLECT-00.toc: what went where, from where.
        own: Folders whose files have licences of their own: the environment, Python.
    """
    folders = [one.resolve() for one in own]
    entries = _entries(ast.literal_eval(toc.read_text("utf-8")))
    sources = {Path(source).resolve() for _, source, kind in entries if kind != "SYMLINK"}
    outside = (one for one in sources if not any(one.is_relative_to(each) for each in folders))
    # Python's library may lie beside the system's.
    ours = (one for one in outside if not one.name.startswith("libpython"))
    return sorted(one for one in ours if ".so" in one.name)


def _entries(told: object) -> list[tuple[str, str, str]]:
    """Every (destination, source, kind) in a table of contents."""
    if isinstance(told, tuple) and len(told) == 3 and all(isinstance(one, str) for one in told):
        return [told]
    if isinstance(told, (list, tuple)):
        return [entry for one in told for entry in _entries(one)]
    return []


def components(
    files: Iterable[Path], ask: Ask = ask, root: Path = Path("/")
) -> list[LicensedComponent]:
    """The packages of a Debian system that files belong to, each with its copyright file.

    A file that no package knows is a component by its own name, whose licence is not known.

    Args:
        files: Shared libraries.
        ask: Runs dpkg's commands.
        root: Where usr/share/doc is.
    """
    by_package: dict[str, list[str]] = {}
    for file in files:
        by_package.setdefault(_package(file, ask), []).append(file.name)
    found = []
    for package, names in sorted(by_package.items()):
        if not package:
            found += [LicensedComponent(name, "", "?") for name in sorted(set(names))]
            continue
        version = ask(["dpkg-query", "--show", "--showformat=${Version}", package]).strip()
        copyright_file = root / "usr/share/doc" / package.partition(":")[0] / "copyright"
        text = copyright_file.read_text("utf-8", "replace") if copyright_file.is_file() else ""
        licence = f"see its text; for {', '.join(sorted(set(names)))}"
        texts = (("copyright", text),) if text else ()
        found.append(LicensedComponent(package.partition(":")[0], version, licence, texts=texts))
    return found


def _package(file: Path, ask: Ask) -> str:
    """Which package a file is of; "" where none knows."""
    # /lib and /usr/lib are one folder; dpkg knows some files by one name, some by the other.
    true = str(file.resolve())
    names = [true, true.removeprefix("/usr") if true.startswith("/usr/lib") else f"/usr{true}"]
    for name in names:
        if said := ask(["dpkg", "--search", name]):
            return said.splitlines()[0].rpartition(": ")[0].partition(",")[0]
    return ""
