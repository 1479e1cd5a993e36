"""A thin bundle in place of this checkout."""

import sys

import pytest

from explorer.engine.environment import PackagesFolder, bundle
from explorer.engine.environment.bundle import VARIABLE
from explorer.processes import own_processes
from tests.engine.environment.thin_bundles import PlayedUv, thin_bundle

LOCKS = {
    "cpu": [("tiny-torch", "2.0+cpu", 1000, "a" * 64), ("tiny-helper", "1.0", 500, "b" * 64)],
    "cuda": [("tiny-torch", "2.0", 9000, "c" * 64), ("tiny-helper", "1.0", 500, "b" * 64)],
}


@pytest.fixture
def came_in(tmp_path, monkeypatch):
    folder = thin_bundle(tmp_path / "bundle", LOCKS, {"cpu": "cpu"})
    monkeypatch.setenv(VARIABLE, str(folder))
    for name in ("PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_CERT", "UV_FIND_LINKS", "UV_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    # The machine's own settings of pip are none of these tests'.
    monkeypatch.setattr("explorer.engine.environment.index_settings._files", lambda _own: ())
    return bundle()


@pytest.fixture
def uv(came_in, tmp_path):
    return PlayedUv(came_in.uv, tmp_path)


@pytest.fixture
def place(tmp_path):
    return PackagesFolder(tmp_path / "engine")


@pytest.fixture(autouse=True)
def paths_are_put_back(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(own_processes, "_also", list(own_processes._also))
    yield
    for name in ("tiny_torch", "tiny_helper"):
        sys.modules.pop(name, None)
