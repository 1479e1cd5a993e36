"""What a desktop is told of the program, read as desktops read it."""

import configparser
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest

from explorer.desktop.files import KINDS, desktop_entry, mime_package
from explorer.desktop.installing import Desktop, data_folder
from explorer.desktop.launching import command
from explorer.paths import Paths

ODD = ("/opt/a b/50% off/plm$x\\y`z", 'say "hi"')


@pytest.fixture
def own(tmp_path):
    return Paths.profile(tmp_path / "profile", {})


def read(text):
    parser = configparser.RawConfigParser(delimiters=("=",))
    parser.optionxform = str
    parser.read_string(text)
    assert parser.sections() == ["Desktop Entry"]
    return parser["Desktop Entry"]


def words_of(line):
    """Exec's words as the Desktop Entry Specification has programs read them."""
    unescaped = line.replace(r"\\", "\0").replace(r"\s", " ").replace("\0", "\\")
    words, word, inside, letters = [], "", False, iter(unescaped)
    for letter in letters:
        if letter == '"':
            inside = not inside
        elif inside and letter == "\\":
            word += next(letters)
        elif letter == " " and not inside:
            words.append(word)
            word = ""
        else:
            word += letter
    return [one.replace("%%", "%") for one in (*words, word)]


def test_an_entry_starts_exactly_what_it_is_given(own):
    entry = read(desktop_entry(ODD, own.texts))
    assert words_of(entry["Exec"]) == [*ODD, "%f"]
    assert entry["MimeType"].split(";")[:-1] == [kind for kind, *_rest in KINDS]


def test_an_entry_speaks_the_languages_there_are(own):
    entry = read(desktop_entry(["plm-explorer"], own.texts))
    assert entry["Comment"] == "Look inside pretrained language models"
    assert any("가" <= letter <= "힣" for letter in entry["Comment[ko]"])


def test_the_kinds_are_cases_of_toml_zip_and_text_and_no_more(own):
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    kinds = list(ET.fromstring(mime_package(own.texts)))
    assert [kind.find(f"{space}glob").get("pattern") for kind in kinds] == [
        "*.scene.toml",
        "*.lecture.zip",
        "*.plm",
    ]
    assert [kind.find(f"{space}sub-class-of").get("type") for kind in kinds] == [
        "application/toml",
        "application/zip",
        "text/plain",
    ]


def test_the_desktops_own_tools_take_them(own, tmp_path):
    check, update = shutil.which("desktop-file-validate"), shutil.which("update-mime-database")
    if check is None or update is None:
        pytest.skip("desktop-file-utils or shared-mime-info is not installed")
    desktop = Desktop(tmp_path / "share")
    desktop.install(ODD, own)
    ran = subprocess.run([check, desktop.entry], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout + ran.stderr) == (0, "")
    globs = (tmp_path / "share/mime/globs2").read_text("utf-8").splitlines()
    assert sorted(line for line in globs if not line.startswith("#")) == sorted(
        f"60:{kind}:{names}" for kind, _parent, names, _title in KINDS
    )


def test_what_is_installed_is_removed_and_nothing_else(own, tmp_path):
    desktop = Desktop(tmp_path / "share")
    other = desktop.entry.with_name("other.desktop")
    other.parent.mkdir(parents=True)
    other.write_text("[Desktop Entry]\n", "utf-8")
    written = desktop.install(["plm-explorer"], own)
    assert [path.is_file() for path in written] == [True] * 3
    assert desktop.icon.read_bytes() == (own.resources / "icons/plm-explorer.svg").read_bytes()
    assert sorted(desktop.remove()) == sorted(written)
    assert desktop.remove() == []
    assert other.exists()
    assert not any(path.exists() for path in written)


def test_the_users_own_folder_is_where_xdg_says(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_folder({"XDG_DATA_HOME": "/some/where"}).as_posix() == "/some/where"
    for environment in ({}, {"XDG_DATA_HOME": ""}, {"XDG_DATA_HOME": "not/absolute"}):
        assert data_folder(environment) == tmp_path / ".local/share"


def test_the_command_is_that_of_the_installation(tmp_path):
    python, script = tmp_path / "python3", tmp_path / "plm-explorer"
    python.touch()
    assert command({"APPIMAGE": "/a/PLM.AppImage"}) == ("/a/PLM.AppImage",)
    assert command({"PLM_EXPLORER_LAUNCHER": "/opt/plm/plm-explorer"}) == ("/opt/plm/plm-explorer",)
    checkout = command({}, "main.py", str(python))
    assert checkout[0] == str(python)
    assert checkout[1].endswith("main.py")
    script.touch()
    assert command({}, "main.py", str(python)) == (str(script),)
    assert command({}, str(script), "/usr/bin/python3") == (str(script),)
