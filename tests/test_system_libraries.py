"""Missing libraries are named, with the one line that brings them."""

import sys

import pytest

from explorer.system_libraries import (
    INSTALL_LINES,
    QT_GUI,
    WEB_ENGINE,
    X11,
    advice,
    can_load,
    install_line,
    main,
    missing,
)


@pytest.fixture(autouse=True)
def on_linux(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")


def lacking(*files):
    return lambda file: file not in files


def only(tool):
    return lambda name: f"/usr/bin/{name}" if name == tool else None


def test_nothing_is_missing_where_everything_loads():
    assert missing(QT_GUI, lambda _: True) == ()


def test_missing_libraries_are_found_by_loading_them():
    found = missing(QT_GUI + X11, lacking("libEGL.so.1", "libxcb-cursor.so.0"))
    assert [library.file for library in found] == ["libEGL.so.1", "libxcb-cursor.so.0"]


def test_other_systems_bring_everything(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert missing(QT_GUI, lambda _: False) == ()


@pytest.mark.parametrize(
    ("tool", "line"),
    [
        ("apt-get", "apt-get install -y libegl1 libxcb-cursor0"),
        ("dnf", "dnf install -y libglvnd-egl xcb-util-cursor"),
        ("pacman", "pacman -S --needed libglvnd xcb-util-cursor"),
        ("zypper", "zypper install libEGL1 libxcb-cursor0"),
        ("apk", "apk add mesa-egl xcb-util-cursor"),
    ],
)
def test_one_line_for_each_package_manager(tool, line):
    absent = missing(QT_GUI + X11, lacking("libEGL.so.1", "libxcb-cursor.so.0"))
    assert install_line(absent, only(tool)) == line
    text = advice(absent, only(tool))
    assert "libEGL.so.1, libxcb-cursor.so.0" in text
    assert f"What to do: sudo {line}" in text


def test_a_package_is_named_once():
    absent = missing(QT_GUI, lacking("libglib-2.0.so.0", "libgthread-2.0.so.0"))
    assert len(absent) == 2
    assert install_line(absent, only("apt-get")) == "apt-get install -y libglib2.0-0"


def test_unknown_package_manager_still_names_the_libraries():
    absent = missing(QT_GUI, lacking("libGL.so.1"))
    assert install_line(absent, only("none")) == ""
    assert "libGL.so.1" in advice(absent, only("none"))


def test_every_library_has_a_package_everywhere():
    for library in (*QT_GUI, *X11, *WEB_ENGINE):
        assert all(library), library
        assert len(library) == 1 + len(INSTALL_LINES)


def test_loader_tells_what_is_there_from_what_is_not():
    assert not can_load("libno-such-library-anywhere.so.1")
    if sys.platform == "linux" and sys.executable.startswith("/"):
        assert can_load("libc.so.6")


def test_as_a_program_it_prints_the_line_and_says_so_in_its_status(monkeypatch, capsys):
    monkeypatch.setattr("explorer.system_libraries.can_load", lacking())
    monkeypatch.setattr("shutil.which", only("apt-get"))
    monkeypatch.setattr("explorer.system_libraries.missing", lambda wanted: wanted[:1])
    monkeypatch.setattr(
        "explorer.system_libraries.install_line", lambda absent: f"install {absent[0].apt}"
    )
    assert main(["--packages"]) == 1
    assert capsys.readouterr().out == "install libgl1\n"
    monkeypatch.setattr("explorer.system_libraries.missing", lambda wanted: ())
    assert main(["--screen", "--web"]) == 0
    assert capsys.readouterr().out == ""
