"""The newest version, asked of an index on this machine by pip and by uv."""

import sys

import pytest

from explorer.api.question import Failure, MachineFault, UserMistake
from explorer.engine.environment.bundle import VARIABLE
from explorer.updates import newest as asking
from explorer.updates.newest import Newest, newest
from explorer.updates.ways import BUNDLE, CHECKOUT, PIP, UV_TOOL, way_to_update
from tests.engine.environment.thin_bundles import Index, real_uv, thin_bundle, wheel


@pytest.fixture
def index(tmp_path, monkeypatch):
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_INDEX", "PIP_CERT"):
        monkeypatch.delenv(name, raising=False)
    # pip and uv read no settings of this machine.
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("UV_NO_CONFIG", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("explorer.engine.environment.index_settings._files", lambda _own: ())
    with Index(folder) as made:
        monkeypatch.setenv("PIP_INDEX_URL", made.url)
        yield made


@pytest.fixture(params=["pip", "uv"])
def who(request, tmp_path, monkeypatch):
    if request.param == "uv":
        if real_uv() is None:
            pytest.skip("uv is not installed")
        folder = thin_bundle(tmp_path / "bundle", {})
        (folder / "bin").mkdir()
        (folder / "bin/uv").symlink_to(real_uv())
        monkeypatch.setenv(VARIABLE, str(folder))
    return request.param


@pytest.mark.parametrize(("own", "is_newer"), [("0.9", True), ("0.10", False), ("1.0", False)])
def test_versions_are_compared_as_numbers_and_trial_versions_left_out(index, who, own, is_newer):
    for version in ("0.2", "0.10", "0.11rc1"):
        wheel(index.folder, "plm_explorer", version)
    assert newest(own=own) == Newest("0.10", is_newer)
    # The one page that lists the versions; nothing is fetched, and nobody else is asked.
    assert {path.rstrip("/") for path in index.asked if not path.startswith("/files/")} == {
        "/simple/plm-explorer"
    }


def test_an_index_that_does_not_know_it_says_so(index, who):
    with pytest.raises(MachineFault, match="The package index"):
        newest()


def test_an_index_that_is_not_there(index, who, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(MachineFault, match="The package index can't be reached") as met:
        newest()
    # What the one that was asked said is in the details.
    assert "onnection" in Failure.of(met.value).traceback.partition("MachineFault")[0]


def test_one_that_never_answers_is_given_up(index, monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE_S", 0.01)
    with pytest.raises(MachineFault, match="The package index can't be reached"):
        newest()


def test_offline_asks_nobody(index):
    with pytest.raises(UserMistake, match="--offline"):
        newest(offline=True)
    assert index.asked == []


def test_without_pip_and_uv_it_says_so(index, monkeypatch, tmp_path):
    monkeypatch.setattr(asking.importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MachineFault, match="Neither uv nor pip"):
        newest()


def test_the_way_to_update_is_that_of_the_installation(monkeypatch, tmp_path):
    (tmp_path / "main.py").touch()
    installed = str(tmp_path / "lib/site-packages/explorer/__init__.py")
    assert way_to_update({}, code=str(tmp_path / "explorer/__init__.py")) == CHECKOUT
    assert way_to_update({}, "/home/me/.local/share/uv/tools/plm-explorer", installed) == UV_TOOL
    assert way_to_update({}, "/home/me/venv", installed) == PIP
    assert way_to_update({"APPIMAGE": "/a.AppImage"}, "/x", installed) == BUNDLE
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert way_to_update({}, "/x", installed) == BUNDLE
