"""Version ranges and installed versions, against the reference implementation."""

import itertools
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from explorer.bootstrap.requirements import (
    installed_versions,
    normalise,
    off_pins,
    parse_requirement,
    project_requirements,
    shortfalls,
    version_key,
)

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = [
    "1.dev0", "1.0.dev456", "1.0a1", "1.0a2.dev456", "1.0a12", "1.0b1", "1.0rc1.dev2", "1.0rc1",
    "1.0", "1", "1.0.0", "1.0.post456.dev34", "1.0.post456", "1.0-1", "1.1.dev1", "1.1", "1.10",
    "1.2", "1.2.3", "2.13.0", "2.13.0+cpu", "2!0.1", "v1.4", "1.0c2", "1.0.alpha.3", "6.12.0.140",
]  # fmt: skip
RANGES = [
    ">=1.0", ">1.0", "<=1.0", "<1.0", "==1.0", "!=1.0", "==1.*", "!=1.0.*", "~=1.0", "~=1.2.1",
    "==2.13.0", ">=6.8,!=6.11.0,!=6.11.1", "<1.0rc1", ">1.0a1", ">1.0.post1", ">=1.0.dev1", "<2!0",
    "<=1.1.dev1", "~=2!0.1",
]  # fmt: skip


def test_versions_sort_as_the_reference_sorts_them():
    for one, other in itertools.product(VERSIONS, repeat=2):
        left, right = Version(Version(one).public), Version(Version(other).public)
        assert (version_key(one) < version_key(other)) == (left < right), (one, other)
        assert (version_key(one) == version_key(other)) == (left == right), (one, other)


@pytest.mark.parametrize("text", RANGES)
def test_ranges_hold_as_the_reference_says(text):
    requirement = parse_requirement(f"name{text}")
    for version in VERSIONS:
        # A local suffix (+cpu) says how a package was built, not which version it is.
        expected = SpecifierSet(text).contains(Version(version).public, prereleases=True)
        assert requirement.allows(version) == expected, (version, text)


def test_a_version_nobody_can_read_is_not_in_a_range():
    assert not parse_requirement("name>=1").allows("one")
    assert parse_requirement("name===one").allows("One")


@pytest.mark.parametrize(
    ("text", "name"),
    [("PySide6", "pyside6"), ("python-ulid >= 3.0", "python-ulid"), ("a.b_c[x,y]>1", "a-b-c")],
)
def test_names_are_normalised(text, name):
    assert parse_requirement(text).name == name
    assert normalise("A._-b") == "a-b"


@pytest.mark.parametrize("text", ["", ">=1", "name>=", "name 1.0"])
def test_what_is_no_requirement_is_refused(text):
    with pytest.raises(ValueError, match=r"requirement|version range"):
        parse_requirement(text)


def test_markers_are_left_to_pip():
    assert shortfalls([parse_requirement("tomli>=2; python_version < '3.11'")], {}) == ()


def test_installed_versions_come_from_the_first_place_on_the_path(tmp_path):
    for folder, version in (("one", "1.0+cpu"), ("two", "2.0")):
        info = tmp_path / folder / f"Tiny_Package-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").touch()
    (tmp_path / "one" / "half_removed-1.0.dist-info").mkdir()
    places = [str(tmp_path / name) for name in ("none", "one", "two")]
    assert installed_versions(places) == {"tiny-package": "1.0+cpu"}


def test_missing_and_outdated_are_both_found():
    wanted = [parse_requirement(text) for text in ("a>=1", "b>=2", "c")]
    found = shortfalls(wanted, {"a": "1.5", "b": "1.9"})
    assert [(s.requirement.name, s.installed) for s in found] == [("b", "1.9"), ("c", None)]


def test_pins_count_for_what_is_installed_only():
    found = off_pins(
        "a==1.0\nb==2.0  # why\n# c==3\nd==4\n", {"a": "1.0+cpu", "b": "2.1", "c": "1"}
    )
    assert [s.requirement.name for s in found] == ["b"]


def test_this_projects_own_files_are_read_and_met_by_the_environment_of_the_tests():
    import sys

    pyproject = (ROOT / "pyproject.toml").read_bytes()
    installed = installed_versions(sys.path)
    names = {r.name for r in project_requirements(pyproject, ("test",))}
    assert {"torch", "transformers", "numpy", "pytest"} <= names
    without_qt = {"pyside6", "pyqtgraph", "superqt", "qtawesome", "pytest-qt"}
    left = shortfalls(project_requirements(pyproject, ("test",)), installed)
    assert {s.requirement.name for s in left} <= without_qt
    with pytest.raises(ValueError, match="no extra named 'nonsense'"):
        project_requirements(pyproject, ("nonsense",))


def test_every_requirement_is_pinned_within_its_range():
    pins = {
        pin.name: pin.specifiers[0][1]
        for pin in map(parse_requirement, (ROOT / "constraints.txt").read_text().splitlines())
    }
    for requirement in project_requirements((ROOT / "pyproject.toml").read_bytes(), ("test",)):
        assert requirement.allows(pins[requirement.name]), requirement.text
