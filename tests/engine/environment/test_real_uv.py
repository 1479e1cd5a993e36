"""uv itself makes the environment from an index on this machine, and trusts hashes alone."""

import pytest

from explorer.api.family import MachineFault
from explorer.engine.environment import PackagesFolder, bundle
from explorer.engine.environment.bundle import VARIABLE
from explorer.engine.environment.making import DOWNLOADING, make
from tests.engine.environment.thin_bundles import Index, digest, real_uv, thin_bundle, wheel

pytestmark = pytest.mark.skipif(real_uv() is None, reason="uv is not installed")
NAMES = ("tiny_torch", "tiny_helper")


@pytest.fixture
def index(tmp_path, monkeypatch):
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name in NAMES:
        wheel(folder, name, "1.0", size=2_000_000)
    for name in ("PIP_FIND_LINKS", "UV_FIND_LINKS", "UV_CACHE_DIR", "UV_INDEX", "PIP_CERT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("explorer.engine.environment.index_settings._files", lambda _own: ())
    monkeypatch.setenv("UV_NO_CONFIG", "1")
    with Index(folder) as made:
        monkeypatch.setenv("PIP_INDEX_URL", made.url)
        yield made


def bundle_of(index, tmp_path, monkeypatch, hashes=None):
    packages = []
    for name in NAMES:
        file = index.folder / f"{name}-1.0-py3-none-any.whl"
        known = (hashes or {}).get(name) or digest(file)
        packages.append((name.replace("_", "-"), "1.0", file.stat().st_size, known))
    folder = thin_bundle(tmp_path / "bundle", {"cpu": packages})
    (folder / "bin").mkdir()
    (folder / "bin/uv").symlink_to(real_uv())
    monkeypatch.setenv(VARIABLE, str(folder))
    return bundle()


def test_it_installs_and_says_what_it_downloads(index, tmp_path, monkeypatch):
    came_in, place, steps = (
        bundle_of(index, tmp_path, monkeypatch),
        PackagesFolder(tmp_path / "e"),
        [],
    )
    make(came_in, place, came_in.variants["cpu"], steps.append)
    assert place.ready(came_in) == "cpu"
    assert {f"{name}.py" for name in NAMES} <= {path.name for path in place.packages.iterdir()}
    said = {one.name for one in steps if one.stage == DOWNLOADING}
    # Of those that come at once, one is named.
    assert said
    assert said <= {"tiny-torch", "tiny-helper"}
    assert steps[-1].done == steps[-1].total == came_in.variants["cpu"].size
    assert not place.cache.exists()


def test_a_second_try_fetches_only_what_had_not_come(index, tmp_path, monkeypatch):
    came_in, place = bundle_of(index, tmp_path, monkeypatch), PackagesFolder(tmp_path / "e")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    # One after the other, so that the first has come when the second fails.
    monkeypatch.setenv("UV_CONCURRENT_DOWNLOADS", "1")
    index.most = 1
    with pytest.raises(MachineFault):
        make(came_in, place, came_in.variants["cpu"])
    assert place.ready(came_in) == ""
    came, failed = dict.fromkeys(index.files)
    index.most = 2
    index.asked.clear()
    make(came_in, place, came_in.variants["cpu"])
    assert place.ready(came_in) == "cpu"
    assert failed in index.files
    assert came not in index.files


def test_another_file_under_the_same_name_is_refused(index, tmp_path, monkeypatch):
    came_in = bundle_of(index, tmp_path, monkeypatch, {"tiny_torch": "0" * 64})
    place = PackagesFolder(tmp_path / "e")
    with pytest.raises(MachineFault, match=r"What came as tiny-torch==1\.0 is not what"):
        make(came_in, place, came_in.variants["cpu"])
    assert place.ready(came_in) == ""
    assert not place.packages.exists()


def test_nobody_answering_is_told(index, tmp_path, monkeypatch):
    came_in = bundle_of(index, tmp_path, monkeypatch)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(MachineFault, match="The package index can't be reached"):
        make(came_in, PackagesFolder(tmp_path / "e"), came_in.variants["cpu"])
