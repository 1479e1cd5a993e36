"""A plugin is added whole or not at all, and nothing of it runs meanwhile."""

import os

import pytest

from explorer.api.question import UserMistake
from explorer.engine.plugins import adding
from explorer.engine.plugins.adding import add_plugin

MANIFEST = 'id = "toy"\ntitle = "Toy"\nversion = "1.0"\n[faces]\nfamily = 2\n'


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "from" / "toy"
    (folder / "masking" / "__pycache__").mkdir(parents=True)
    (folder / "plugin.toml").write_text(MANIFEST, "utf-8")
    (folder / "__init__.py").write_text("raise RuntimeError('imported')\n", "utf-8")
    (folder / "masking" / "question.py").write_text("QUESTION = 1\n", "utf-8")
    (folder / "masking" / "__pycache__" / "question.pyc").write_bytes(b"old")
    return folder


def files_of(folder):
    return sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file())


def test_it_is_copied_without_what_was_compiled(source, tmp_path):
    plugins = tmp_path / "profile" / "plugins"
    assert add_plugin(source, plugins).title == "Toy"
    assert files_of(plugins) == [
        "toy/__init__.py",
        "toy/masking/question.py",
        "toy/plugin.toml",
    ]
    assert [one.name for one in plugins.iterdir()] == ["toy"]


def test_one_of_that_name_is_never_overwritten(source, tmp_path):
    plugins = tmp_path / "plugins"
    add_plugin(source, plugins)
    (source / "__init__.py").write_text("changed", "utf-8")
    with pytest.raises(UserMistake, match="called toy is there already"):
        add_plugin(source, plugins)
    assert "imported" in (plugins / "toy" / "__init__.py").read_text("utf-8")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "plugin.toml").unlink(), "toy is not a plugin: there is no"),
        (lambda folder: (folder / "plugin.toml").write_text("id = 1"), "toy is not a plugin: "),
        (lambda folder: (folder / "masking" / "all").symlink_to("/"), "all in it is a link"),
        (lambda folder: (folder / "data").symlink_to("/etc/hostname"), "data in it is a link"),
        (lambda folder: (folder / "w").write_bytes(bytes(2000)), "more than 4 files or 0 MB"),
        (lambda folder: [(folder / n).touch() for n in "abcd"], "more than 4 files or 0 MB"),
    ],
    ids=["no manifest", "no text", "linked folder", "linked file", "too large", "too many"],
)
def test_what_is_refused_leaves_nothing(source, tmp_path, monkeypatch, spoil, said):
    monkeypatch.setattr(adding, "MOST_FILES", 4)
    monkeypatch.setattr(adding, "MOST_BYTES", 1999)
    spoil(source)
    plugins = tmp_path / "plugins"
    with pytest.raises(UserMistake, match=said):
        add_plugin(source, plugins)
    assert not plugins.exists()


def test_what_would_never_be_read_or_never_end_is_refused(source, tmp_path):
    hidden = source.rename(source.with_name("_toy"))
    with pytest.raises(UserMistake, match="no plugin is read from a folder of such a name"):
        add_plugin(hidden, tmp_path / "plugins")
    shown = hidden.rename(source)
    os.mkfifo(shown / "pipe")
    with pytest.raises(UserMistake, match="pipe in it is a link or no ordinary file"):
        add_plugin(shown, tmp_path / "plugins")
    assert not (tmp_path / "plugins").exists()


def test_a_copy_that_breaks_off_leaves_nothing(source, tmp_path, monkeypatch):
    def broken(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(adding.shutil, "copytree", broken)
    with pytest.raises(OSError, match="No space"):
        add_plugin(source, tmp_path / "plugins")
    assert list((tmp_path / "plugins").iterdir()) == []
