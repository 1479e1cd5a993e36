"""What is asked for, against what is installed."""

import re
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from explorer.bootstrap.requirements import installed, normalise, off_pins, project_lines, unmet

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ["0.9", "1", "1.0", "1.0.0", "1.1", "1.2", "1.2.3", "1.10", "2.13.0", "6.11.1", "6.12.0"]
RANGES = [
    ">=1.0", ">= 1.2", ">=1.2.3", "==1.2", "!=1.2", ">=1,!=6.11.0,!=6.11.1", " (>=1.1, !=1.10)",
    ">=2.13.0", "",
]  # fmt: skip


@pytest.mark.parametrize("text", RANGES)
def test_ranges_hold_as_the_reference_says(text):
    for version in VERSIONS:
        expected = Requirement(f"name{text}").specifier.contains(version)
        assert (unmet([f"name{text}"], {"name": version}) == []) == expected, (version, text)


@pytest.mark.parametrize("text", ["n~=9.0", "n<1", "n===9", "n>9", "n==9.*", "n<=1"])
def test_ranges_it_does_not_know_are_left_to_pip(text):
    assert unmet([text], {"n": "2.0"}) == []
    assert unmet([text], {}) == [text]


@pytest.mark.parametrize(
    ("text", "name"),
    [("PySide6", "pyside6"), ("a_b >= 3.0", "a-b"), ("a.b_c[x,y]>1", "a-b-c"), ("x @ file:y", "x")],
)
def test_names_are_normalised(text, name):
    assert unmet([text], {name: "9.0"}) == []
    assert unmet([text], {}) == [text]
    assert normalise("A._-b") == "a-b"


def test_markers_are_left_to_pip():
    assert unmet(["tomli>=2; python_version < '3.11'"], {}) == []


def test_installed_versions_come_from_the_first_place_on_the_path(tmp_path):
    for folder, version in (("one", "1.0+cpu"), ("two", "2.0")):
        info = tmp_path / folder / f"Tiny_Package-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").touch()
    (tmp_path / "one" / "half_removed-1.0.dist-info").mkdir()
    places = [str(tmp_path / name) for name in ("none", "one", "two")]
    assert installed(places) == {"tiny-package": "1.0"}


def test_missing_and_outdated_are_both_found():
    assert unmet(["a>=1", "b>=2", "c"], {"a": "1.5", "b": "1.9"}) == ["b>=2", "c"]


def test_pins_count_for_what_is_installed_only(tmp_path):
    (tmp_path / "constraints.txt").write_text("A==1.0\nb==2.0  # why\n# c==3\nd==4\n")
    assert off_pins(tmp_path, {"a": "1.0", "b": "2.1", "c": "1"}) == ["b==2.0  # why"]


def test_this_projects_own_files_are_read_and_met_by_the_environment_of_the_tests():
    lines = project_lines(ROOT, ("test",))
    names = {normalise(Requirement(line).name) for line in lines}
    assert {"torch", "transformers", "numpy", "pytest"} <= names
    without_qt = {"pyside6", "pyqtgraph", "qtawesome", "pytest-qt"}
    left = unmet(lines, installed(sys.path))
    assert {normalise(Requirement(line).name) for line in left} <= without_qt
    with pytest.raises(KeyError, match="nonsense"):
        project_lines(ROOT, ("nonsense",))


def test_this_project_asks_in_ranges_that_are_understood():
    for line in project_lines(ROOT, ("test", "parquet")):
        assert {one.operator for one in Requirement(line).specifier} <= {">=", "!="}, line


def test_every_requirement_is_pinned_within_its_range():
    pins = dict(
        re.fullmatch(r"(.+)==(.+)", line).groups()
        for line in (ROOT / "constraints.txt").read_text().splitlines()
    )
    pins = {normalise(name): version for name, version in pins.items()}
    for line in project_lines(ROOT, ("test",)):
        requirement = Requirement(line)
        assert requirement.specifier.contains(pins[normalise(requirement.name)]), line
