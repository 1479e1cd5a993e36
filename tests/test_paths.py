"""The program's own files and the user's folders."""

from dataclasses import fields
from pathlib import Path

import pytest

from explorer.paths import APP_NAME, Paths, _own_folders

ROOT = Path(__file__).resolve().parent.parent


def test_checkout_keeps_plugins_and_resources_at_its_root():
    paths = Paths.standard()
    assert paths.bundled_plugins == ROOT / "plugins"
    assert paths.resources == ROOT / "resources"
    assert paths.bundled_models == ROOT / "resources" / "models"


def test_installed_program_finds_them_in_its_package(tmp_path):
    package = tmp_path / "site-packages" / "explorer"
    (package / "bundled").mkdir(parents=True)
    assert _own_folders(package) == (package / "bundled/plugins", package / "bundled/resources")


def test_standard_folders_are_the_users_own_and_are_not_made_by_looking(own_folders):
    paths = Paths.standard()
    for folder in (paths.config, paths.data, paths.cache, paths.logs):
        assert own_folders in folder.parents
        assert APP_NAME in folder.parts
    assert paths.sessions.parent == paths.data
    assert paths.settings.parent == paths.config
    assert paths.user_plugins.parent == paths.data
    assert paths.hub_cache is None
    assert list(own_folders.iterdir()) == []


def test_profile_holds_everything_that_is_written(tmp_path):
    folder = tmp_path / "profile"
    paths = Paths.profile(folder, {})
    written = {f.name: getattr(paths, f.name) for f in fields(paths)}
    for name in ("bundled_plugins", "resources"):
        del written[name]
    assert all(folder in path.parents for path in written.values())
    assert len(set(written.values())) == len(written)
    assert not folder.exists()


@pytest.mark.parametrize("name", ["HF_HOME", "HF_HUB_CACHE"])
def test_profile_leaves_a_named_hugging_face_cache_alone(tmp_path, name):
    assert Paths.profile(tmp_path, {name: "somewhere"}).hub_cache is None
    assert Paths.profile(tmp_path, {name: ""}).hub_cache == tmp_path / "hub"


def test_profile_understands_home_and_relative_folders(own_folders, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert Paths.profile(Path("~/mine")).data == own_folders / "mine" / "data"
    assert Paths.profile(Path("mine")).data == tmp_path / "mine" / "data"
