"""What the project asks for, and whether an environment has it.

Reads names and version ranges out of pyproject.toml and compares them with the names of the
`*.dist-info` folders, which carry name and version. That takes a millisecond where
`importlib.metadata` takes forty, and needs nothing that is not in the standard library
(`packaging` may be absent).
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

_REQUIREMENT = re.compile(
    r"\s*(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?(?P<versions>[^;@)]*)\)?\s*"
    r"(?P<rest>[;@].*)?$"
)
_SPECIFIER = re.compile(r"\s*(?P<operator>===|==|!=|~=|<=|>=|<|>)\s*(?P<version>[^\s=<>!~]\S*)\s*$")
_VERSION = re.compile(
    r"v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)"
    r"(?:[-_.]?(?P<pre>alpha|beta|preview|pre|a|b|c|rc)[-_.]?(?P<pre_number>\d*))?"
    r"(?P<post>-(?P<post_bare>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_number>\d*))?"
    r"(?P<dev>[-_.]?dev[-_.]?(?P<dev_number>\d*))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$",
    re.IGNORECASE,
)
_PRE_ORDER = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2, "pre": 2, "preview": 2}
_FINAL = 3
_DEV_ONLY = -1

VersionKey = tuple[int, tuple[int, ...], int, int, int, int]


class Requirement(NamedTuple):
    """One line of a project's dependencies.

    Attributes:
        name: Normalised: lower case, runs of "-", "_" and "." as one "-".
        specifiers: Operator and version pairs that must all hold.
        text: As written.
    """

    name: str
    specifiers: tuple[tuple[str, str], ...]
    text: str

    def allows(self, version: str) -> bool:
        """Whether an installed version is in the range; a local suffix (+cpu) is ignored."""
        return all(_holds(version, operator, wanted) for operator, wanted in self.specifiers)


class Shortfall(NamedTuple):
    """A requirement an environment does not meet.

    Attributes:
        requirement: What is asked for.
        installed: The version that is there, or None.
    """

    requirement: Requirement
    installed: str | None


def normalise(name: str) -> str:
    """A project's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def parse_requirement(text: str) -> Requirement:
    """Read one dependency line.

    A requirement behind an environment marker or from an address is only looked up by name
    when it is sure to apply here: one with a marker gets no name to look up and always counts
    as met, since pip alone knows markers.

    Raises:
        ValueError: The line is not a requirement.
    """
    match = _REQUIREMENT.match(text)
    if match is None:
        raise ValueError(f"{text!r} is not a requirement")
    rest = match["rest"] or ""
    name = "" if ";" in rest else normalise(match["name"])
    specifiers = []
    for part in filter(None, (piece.strip() for piece in match["versions"].split(","))):
        specifier = _SPECIFIER.match(part)
        if specifier is None:
            raise ValueError(f"{text!r} has a version range that can't be read: {part!r}")
        specifiers.append((specifier["operator"], specifier["version"]))
    return Requirement(name, tuple(specifiers), text)


def project_requirements(pyproject: bytes, extras: Iterable[str] = ()) -> tuple[Requirement, ...]:
    """The dependencies a pyproject.toml names, with those of the extras.

    Raises:
        ValueError: The file is not TOML, lacks an extra, or holds a line that can't be read.
    """
    import tomllib

    project = tomllib.loads(pyproject.decode("utf-8"))["project"]
    lines = list(project.get("dependencies", ()))
    for extra in extras:
        if extra not in project.get("optional-dependencies", {}):
            raise ValueError(f"pyproject.toml has no extra named {extra!r}")
        lines += project["optional-dependencies"][extra]
    return tuple(parse_requirement(line) for line in lines)


def installed_versions(search_path: Iterable[str]) -> dict[str, str]:
    """Version by normalised name of what is installed; the first place on the path wins."""
    found: dict[str, str] = {}
    for folder in search_path:
        try:
            entries = os.listdir(folder)  # noqa: PTH208  pathlib costs more than the listing
        except OSError:
            continue
        for entry in entries:
            if not entry.endswith(".dist-info"):
                continue
            name, _, version = entry.removesuffix(".dist-info").rpartition("-")
            # A folder without METADATA is what an interrupted removal leaves.
            if name and Path(folder, entry, "METADATA").is_file():
                found.setdefault(normalise(name), version)
    return found


def shortfalls(
    requirements: Iterable[Requirement], installed: Mapping[str, str]
) -> tuple[Shortfall, ...]:
    """What is missing or out of range."""
    missing = []
    for requirement in requirements:
        version = installed.get(requirement.name)
        if requirement.name and (version is None or not requirement.allows(version)):
            missing.append(Shortfall(requirement, version))
    return tuple(missing)


def off_pins(constraints: str, installed: Mapping[str, str]) -> tuple[Shortfall, ...]:
    """Installed packages whose version is not the one constraints.txt pins."""
    pins = [
        parse_requirement(line)
        for line in (raw.partition("#")[0].strip() for raw in constraints.splitlines())
        if line
    ]
    return tuple(s for s in shortfalls(pins, installed) if s.installed is not None)


def version_key(version: str) -> VersionKey:
    """A tuple that sorts as PEP 440 sorts versions; the local suffix is left out.

    Raises:
        ValueError: It is not a version.
    """
    match = _VERSION.match(version.strip())
    if match is None:
        raise ValueError(f"{version!r} is not a version")
    release = [int(part) for part in match["release"].split(".")]
    while len(release) > 1 and release[-1] == 0:
        release.pop()
    post = -1
    if match["post"]:
        post = int(match["post_bare"] or match["post_number"] or 0)
    dev = int(match["dev_number"] or 0) if match["dev"] else 1 << 60
    if match["pre"]:
        pre, pre_number = _PRE_ORDER[match["pre"].lower()], int(match["pre_number"] or 0)
    elif match["dev"] and post < 0:
        pre, pre_number = _DEV_ONLY, 0
    else:
        pre, pre_number = _FINAL, 0
    # post is compared before dev, and -1 (no post) sorts first.
    return int(match["epoch"] or 0), tuple(release), pre, pre_number, post, dev


def _holds(version: str, operator: str, wanted: str) -> bool:
    if operator == "===":
        return version.lower() == wanted.lower()
    try:
        if wanted.endswith(".*"):
            matches = _starts_with(version, wanted.removesuffix(".*"))
            return matches if operator == "==" else not matches
        if operator == "~=":
            stem = wanted.partition("+")[0]
            family = re.match(r"v?(?:\d+!)?\d+(?:\.\d+)*", stem)
            prefix = family[0].rpartition(".")[0] if family else stem
            return version_key(version) >= version_key(wanted) and _starts_with(version, prefix)
        have, want = version_key(version), version_key(wanted)
    except ValueError:
        return False
    return {
        "==": have == want,
        "!=": have != want,
        "<=": have <= want,
        ">=": have >= want,
        # An exclusive bound also excludes its own pre- or post-releases (PEP 440).
        "<": have < want and not (_is_early(have) and have[:2] == want[:2] and not _is_early(want)),
        ">": have > want and not (have[4] >= 0 and have[:4] == want[:4] and want[4] < 0),
    }[operator]


def _is_early(key: VersionKey) -> bool:
    return key[2] != _FINAL or key[5] != 1 << 60


def _starts_with(version: str, prefix: str) -> bool:
    have, want = version_key(version), version_key(prefix)
    count = len(re.sub(r"^v?(?:\d+!)?", "", prefix).split("."))
    padded = (*have[1], *([0] * count))[:count]
    wanted = (*want[1], *([0] * count))[:count]
    return have[0] == want[0] and padded == wanted
