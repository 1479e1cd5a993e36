"""Whether what the project asks for is installed.

It only saves a run of pip, which judges by itself: a line behind a marker, and a range other
than ">=", "==" and "!=" of plain numbers, counts as met.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

_LINE = re.compile(r"\s*([\w.-]+)\s*(?:\[[^\]]*\])?([^;@#]*)(;|@)?")
_RANGE = re.compile(r"(?<![=<>~!])(>=|==|!=)(?!=)\s*([^\s,()]+)")


def normalise(name: str) -> str:
    """A project's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def offered(root: Path) -> dict[str, list[str]]:
    """The dependencies pyproject.toml names, by extra; under "" those of every environment."""
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return {**project.get("optional-dependencies", {}), "": project.get("dependencies", [])}


def project_lines(root: Path, extras: Iterable[str]) -> list[str]:
    """The dependencies pyproject.toml names, with those of the extras."""
    lines = offered(root)
    return [line for extra in ("", *extras) for line in lines[extra]]


def installed(folders: Iterable[str | Path]) -> dict[str, str]:
    """Version by name of what is installed, without "+cpu"; the first place on the path wins."""
    found: dict[str, str] = {}
    for folder in folders:
        # A *.dist-info without METADATA is what an interrupted removal leaves.
        for metadata in Path(folder).glob("*.dist-info/METADATA"):
            name, _, version = metadata.parent.name.removesuffix(".dist-info").partition("-")
            found.setdefault(normalise(name), version.partition("+")[0])
    return found


def unmet(lines: Iterable[str], installed: Mapping[str, str]) -> list[str]:
    """Those lines that nothing installed meets."""
    return [line for line in lines if not _is_met(line, installed)]


def off_pins(root: Path, installed: Mapping[str, str]) -> list[str]:
    """The lines of constraints.txt that something installed has another version than."""
    path = root / "constraints.txt"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [
        line
        for line in unmet(lines, installed)
        if normalise(line.partition("==")[0].strip()) in installed
    ]


def _is_met(line: str, installed: Mapping[str, str]) -> bool:
    match = _LINE.match(line)
    if match is None or match[3] == ";":
        return True
    version = installed.get(normalise(match[1]))
    if version is None:
        return False
    for operator, wanted in _RANGE.findall(match[2]):
        if operator == ">=":
            holds = _numbers(version) >= _numbers(wanted)
        else:
            holds = (version == wanted) == (operator == "==") or "*" in wanted
        if not holds:
            return False
    return True


def _numbers(version: str) -> list[int]:
    numbers = [int(number) for number in re.findall(r"\d+", version.rsplit("!", maxsplit=1)[-1])]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers
