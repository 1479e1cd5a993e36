"""uv is told what pip was told, unless it was told something itself."""

import pytest

from explorer.engine.environment import index_settings
from explorer.engine.environment.index_settings import for_uv, pip_settings


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """pip's files of the whole machine stay out of it."""
    whole = index_settings._files

    def own(environment):
        return [path for path in whole(environment) if path.is_relative_to(tmp_path)]

    monkeypatch.setattr(index_settings, "_files", own)
    return tmp_path


def test_variables_and_files_become_uvs(files):
    config = files / ".config/pip/pip.conf"
    config.parent.mkdir(parents=True)
    config.write_text(
        "[global]\nindex-url = http://mirror/simple\nfind-links = /a\n    /b\ntimeout = 5\n"
        "[install]\ncert = /ca.pem\n"
    )
    made = for_uv({"HOME": str(files), "PIP_EXTRA_INDEX_URL": "http://one http://two"})
    assert made == {
        "HOME": str(files),
        "PIP_EXTRA_INDEX_URL": "http://one http://two",
        "UV_DEFAULT_INDEX": "http://mirror/simple",
        "UV_INDEX": "http://one http://two",
        "UV_FIND_LINKS": "/a,/b",
        "SSL_CERT_FILE": "/ca.pem",
    }


def test_variables_count_more_than_files(files):
    config = files / "mine.conf"
    config.write_text("[global]\nindex-url = http://file/simple\n")
    told = {"PIP_CONFIG_FILE": str(config), "HOME": str(files)}
    assert pip_settings(told) == {"index-url": "http://file/simple"}
    told["PIP_INDEX_URL"] = "http://variable/simple"
    assert pip_settings(told) == {"index-url": "http://variable/simple"}


@pytest.mark.parametrize("name", ["UV_DEFAULT_INDEX", "UV_INDEX_URL"])
def test_what_uv_was_told_itself_stands(files, name):
    made = for_uv({"HOME": str(files), "PIP_INDEX_URL": "http://pip/simple", name: "http://uv"})
    assert made[name] == "http://uv"
    assert {"UV_DEFAULT_INDEX", "UV_INDEX_URL"} & made.keys() == {name}


def test_a_file_that_is_no_configuration_is_passed_over(files):
    (files / "bad.conf").write_text("index-url = without a section\n")
    assert pip_settings({"PIP_CONFIG_FILE": str(files / "bad.conf"), "HOME": str(files)}) == {}
