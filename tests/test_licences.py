"""Everything the program is made of is listed with the full text of its licence."""

import json
import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

from explorer import licences
from explorer.engine.environment.bundle import VARIABLE, write_plan
from explorer.installers.slim.packages import normal, window_requirements
from explorer.licences import LicensedComponent, as_text, from_json, installed, to_json

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def found():
    return installed()


def normalised(names):
    return {re.sub(r"[-_.]+", "-", name).lower() for name in names}


def test_every_dependency_of_the_project_is_there(found):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = {re.match(r"[\w.-]+", line)[0] for line in project["dependencies"]}
    assert normalised(wanted) <= normalised(one.name for one in found)


def test_what_they_stand_on_is_there(found):
    """torch's and transformers' own requirements, one level looked up here by hand."""
    for owner in ("torch", "transformers", "bertviz", "PySide6"):
        for line in distribution(owner).requires or ():
            name, _, marker = line.partition(";")
            if not marker:
                wanted = re.match(r"[\w.-]+", name)[0]
                assert normalised([wanted]) <= normalised(one.name for one in found), line


def test_test_tools_are_not(found):
    assert not normalised(one.name for one in found) & {"pytest", "ruff", "mypy", "pyarrow"}


def test_extras_are_there_when_asked_for(found):
    more = normalised(one.name for one in installed(["parquet"]))
    assert more - normalised(one.name for one in found) == {"pyarrow"}


def test_qts_parts_are_there_where_they_were_installed_without_the_whole(found, monkeypatch):
    """As in a thin bundle, whose window has no WebEngine."""
    missing = {"pyside6", "pyside6-addons"}
    known = licences._found
    monkeypatch.setattr(licences, "_found", lambda name: None if name in missing else known(name))
    thin = {normal(one.name): one for one in installed()}
    assert thin.keys() == {normal(one.name) for one in found} - missing
    window = {normal(re.match(r"[\w.-]+", line)[0]) for line in window_requirements(ROOT)}
    assert window <= thin.keys()
    for name in ("pyside6-essentials", "shiboken6"):
        assert [title for title, _ in thin[name].texts] == ["LGPL-3.0-only", "GPL-3.0-only"]


def test_everything_has_a_licence_and_its_text(found):
    for one in found:
        assert one.licence not in {"", "?"}, one.name
        assert one.texts, one.name
        assert all(len(text) > 200 for _, text in one.texts) or len(one.texts) > 1, one.name


def test_the_program_and_python_come_first(found):
    assert [one.name for one in found[:2]] == ["PLM Explorer", "Python"]
    assert "Permission is hereby granted" in found[0].texts[0][1]
    names = [one.name.casefold() for one in found[2:]]
    assert names == sorted(names)


def test_qt_comes_with_the_lesser_licence_and_the_one_it_stands_on(found):
    (qt,) = (one for one in found if one.name == "PySide6")
    assert [name for name, _ in qt.texts] == ["LGPL-3.0-only", "GPL-3.0-only"]
    assert "The Qt Company" in qt.texts[0][1]
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in qt.texts[0][1]


def test_torch_comes_with_the_notices_of_what_it_holds(found):
    (torch,) = (one for one in found if one.name == "torch")
    names = [name for name, _ in torch.texts]
    assert names[0] == "LICENSE"
    assert any("sleef" in name for name in names)
    texts = [text for _, text in torch.texts]
    assert len(texts) == len(set(texts))


def test_a_bundle_reads_what_its_build_wrote_down(tmp_path, monkeypatch):
    (tmp_path / "resources").mkdir()
    kept = (
        LicensedComponent("libone", "1.2", "MIT", "https://one.example", (("copyright", "Mine."),)),
    )
    (tmp_path / licences.KEPT).write_bytes(to_json(kept))
    monkeypatch.setattr(licences, "own_resources", lambda: tmp_path / "resources")
    assert licences.components() == kept
    assert json.loads(to_json(kept))[0]["name"] == "libone"
    assert from_json(to_json(kept)) == kept
    text = as_text(kept)
    assert "libone 1.2\nLicence: MIT\nhttps://one.example\n\n--- copyright ---\n\nMine.\n" in text


def test_a_thin_bundle_says_what_it_brings_besides(tmp_path, monkeypatch, found):
    (tmp_path / "engine").mkdir()
    write_plan(tmp_path, ())
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert licences.components() == found
    uv, numpy = LicensedComponent("uv", "1.2", "MIT"), LicensedComponent("NumPy", "0", "?")
    (tmp_path / licences.KEPT).write_bytes(to_json((uv, numpy)))
    told = licences.components()
    assert set(told) == {*found, uv}
    names = [one.name.casefold() for one in told[2:]]
    assert names == sorted(names)
