"""A plugin is added whole or not at all, and nothing of it runs meanwhile."""

import os
import stat
import zipfile

import pytest

from explorer.api.question import UserMistake
from explorer.engine.plugins import adding, zipped
from explorer.engine.plugins.adding import add_plugin, manifest_in, remove_plugin

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
    assert manifest_in(source).title == "Toy"
    assert add_plugin(source, plugins) == plugins / "toy"
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
    monkeypatch.setattr(zipped, "MOST_FILES", 4)
    monkeypatch.setattr(zipped, "MOST_BYTES", 1999)
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


def zip_of(path, files):
    """Write a zip file of names, or entries, and what is in them; returns where it is."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("inside", ["", "toy/"])
def test_one_in_a_zip_file_is_unpacked(tmp_path, inside):
    """Lying in a folder or bare, and without what a desktop puts beside it."""
    names = ("plugin.toml", "__init__.py", "a/q.py", "a/__pycache__/q.pyc")
    files = [(f"{inside}{name}", MANIFEST if name == "plugin.toml" else name) for name in names]
    packed = zip_of(tmp_path / "any name.zip", [*files, ("__MACOSX/._x", "x"), (".DS_Store", "x")])
    plugins = tmp_path / "plugins"
    assert manifest_in(packed).version == "1.0"
    assert not plugins.exists()
    assert add_plugin(packed, plugins) == plugins / "toy"
    assert files_of(plugins) == ["toy/__init__.py", "toy/a/q.py", "toy/plugin.toml"]
    assert (plugins / "toy" / "a" / "q.py").read_text("utf-8") == "a/q.py"
    with pytest.raises(UserMistake, match="called toy is there already"):
        add_plugin(packed, plugins)
    assert [one.name for one in plugins.iterdir()] == ["toy"]


def entry(name, mode=0, system=3):
    made = zipfile.ZipInfo(name)
    made.create_system, made.external_attr = system, mode << 16
    return made


TOML = ("toy/plugin.toml", MANIFEST)
BAD = {
    "up": ([TOML, ("toy/../../x.py", "")], "toy/../../x.py is no path inside of the plugin's"),
    "absolute": ([TOML, ("/etc/x", "")], "/etc/x is no path inside"),
    "a drive": ([TOML, ("C:/x.py", "")], "C:/x.py is no path inside"),
    "backwards": ([TOML, ("toy\\..\\x.py", "")], "is no path inside"),
    "control": ([TOML, ("toy/x\n.py", "")], "is no path inside"),
    "dots": ([TOML, ("toy/x./y.py", "")], "is no path inside"),
    "file in a file": ([TOML, ("toy/a", ""), ("toy/A/b", "")], "is no path inside"),
    "link": ([TOML, (entry("toy/l", stat.S_IFLNK | 0o777), "/etc")], "toy/l in it is a link or"),
    "device": ([TOML, (entry("toy/d", stat.S_IFCHR | 0o600), "")], "toy/d in it is a link or"),
    "same name": ([TOML, ("toy/A.py", ""), ("toy/a.py", "")], "two files in it have the same name"),
    "two plugins": ([TOML, ("b/plugin.toml", MANIFEST)], "more than one plugin's folder"),
    "beside it": ([TOML, ("other.py", "")], "more than one plugin's folder"),
    "no manifest": ([("toy/__init__.py", "")], "is not a plugin: there is no plugin.toml in it"),
    "too deep": ([("a/b/plugin.toml", MANIFEST)], "is not a plugin: there is no plugin.toml in it"),
    "bad manifest": ([("plugin.toml", "id = 1")], "is not a plugin: the key"),
    "no text": ([("plugin.toml", b"\xff\xfe")], "is not a plugin: "),
    "hidden": ([("_toy/plugin.toml", MANIFEST)], "no plugin is read from a folder of such a name"),
    "id as a path": ([("plugin.toml", MANIFEST.replace('"toy"', '"../toy"'))], "of such a name"),
    "too many": ([TOML, *((f"toy/{n}.py", "") for n in range(4))], "more than 4 files or 0 MB"),
    "a bomb": ([TOML, ("toy/zeros", bytes(2000))], "more than 4 files or 0 MB"),
}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", BAD)
def test_a_bad_zip_file_is_refused_in_a_sentence(tmp_path, monkeypatch, name):
    monkeypatch.setattr(zipped, "MOST_FILES", 4)
    monkeypatch.setattr(zipped, "MOST_BYTES", 1999)
    files, said = BAD[name]
    packed, plugins = zip_of(tmp_path / "x.zip", files), tmp_path / "deep" / "plugins"
    with pytest.raises(UserMistake, match=said.replace("/", r"\W")) as refused:
        add_plugin(packed, plugins)
    assert str(refused.value).count("\n") == 0
    assert not plugins.exists() or not any(plugins.iterdir())
    assert sorted(one.name for one in tmp_path.iterdir() if one != plugins.parent) == ["x.zip"]


def test_a_zip_file_that_lies_is_damaged_or_none_is_refused(tmp_path):
    plugins = tmp_path / "plugins"
    packed = zip_of(tmp_path / "x.zip", [TOML, ("toy/zeros", bytes(5000))])
    whole = packed.read_bytes()
    # It says that five thousand bytes are fifty, in both places.
    spoilt = {
        "lying": whole.replace((5000).to_bytes(4, "little"), (50).to_bytes(4, "little")),
        "cut": whole[: len(whole) // 2],
        "none": b"no zip file",
        "locked": whole.replace(
            b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01"
        ),
    }
    for content in spoilt.values():
        assert content != whole
        packed.write_bytes(content)
        with pytest.raises(UserMistake, match=r"x.zip was not added: it is no zip file, or is"):
            add_plugin(packed, plugins)
        assert not plugins.exists() or not any(plugins.iterdir())
    for name, said in (("a.whl", "a.whl is a Python package"), ("a.txt", "a.txt is no plugin's")):
        (tmp_path / name).touch()
        with pytest.raises(UserMistake, match=said):
            add_plugin(tmp_path / name, plugins)


def test_one_that_was_added_is_removed_and_nothing_else(source, tmp_path):
    plugins = tmp_path / "plugins"
    place = add_plugin(source, plugins)
    (plugins / "linked").symlink_to(source)
    for folder in (source, plugins, plugins / "none"):
        with pytest.raises(UserMistake, match="is none of your plugins"):
            remove_plugin(folder, plugins)
    remove_plugin(plugins / "linked", plugins)
    remove_plugin(place, plugins)
    assert list(plugins.iterdir()) == []
    assert (source / "masking" / "question.py").is_file()
