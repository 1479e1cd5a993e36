"""`desktop install` and `desktop remove`, into folders of the test's own."""

import json
import sys

import pytest

from explorer import cli


@pytest.fixture
def share(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return tmp_path / "share"


def run(tmp_path, *arguments):
    return cli.main(["--profile", str(tmp_path / "profile"), "desktop", *arguments])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux desktops keep them")
def test_it_installs_and_removes(share, tmp_path, capsys):
    assert run(tmp_path, "install") == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [f"Written: {share / one}" for one in (
        "applications/plm-explorer.desktop",
        "mime/packages/plm-explorer.xml",
        "icons/hicolor/scalable/apps/plm-explorer.svg",
    )]  # fmt: skip
    assert run(tmp_path, "remove", "--json") == 0
    removed = json.loads(capsys.readouterr().out)["files"]
    assert [f"Written: {path}" for path in removed] == said
    assert run(tmp_path, "remove") == 0
    assert capsys.readouterr().out == "Nothing of the program's was there.\n"


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_it_says_where_the_recipe_is(share, tmp_path, capsys, monkeypatch, platform):
    monkeypatch.setattr(sys, "platform", platform)
    assert run(tmp_path, "install") == 2
    assert "docs/installers.md" in capsys.readouterr().err
    assert not share.exists()


def test_a_folder_that_cannot_be_written_is_one_sentence(share, tmp_path, capsys):
    share.write_text("a file", "utf-8")
    assert run(tmp_path, "install") == 1
    said = capsys.readouterr().err
    assert "plm-explorer.desktop can't be written" in said
    assert len(said.splitlines()) == 1
