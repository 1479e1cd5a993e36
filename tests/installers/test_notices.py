"""The system's libraries that a bundle brings are named with their packages' copyright."""

import sys
from pathlib import Path

from explorer.installers.frozen import notices
from explorer.installers.frozen.environment import Frozen
from explorer.licences import KEPT, LicensedComponent, from_json, to_json


def played(command):
    """dpkg, of a system with one package, whose file it knows without /usr."""
    if command[:2] == ["dpkg", "--search"]:
        return "libone1:amd64: /lib/libone.so.1\n" if command[2] == "/lib/libone.so.1" else ""
    return "1.2-3"


def test_a_library_is_of_a_package(tmp_path):
    copyright_file = tmp_path / "usr/share/doc/libone1/copyright"
    copyright_file.parent.mkdir(parents=True)
    copyright_file.write_text("Do as you like.")
    files = [Path("/usr/lib/libone.so.1"), Path("/opt/own/libtwo.so")]
    unknown, one = notices.components(files, played, tmp_path)
    assert (unknown.name, unknown.texts) == ("libtwo.so", ())
    assert (one.name, one.version) == ("libone1", "1.2-3")
    assert one.texts == (("copyright", "Do as you like."),)
    assert "libone.so.1" in one.licence


def test_only_what_comes_from_outside_is_asked_about(tmp_path):
    toc = tmp_path / "COLLECT-00.toc"
    entries = [
        ("libone.so.1", "/usr/lib/libone.so.1", "BINARY"),
        ("libone.so", "libone.so.1", "SYMLINK"),
        ("libpython3.11.so.1.0", "/opt/python/lib/libpython3.11.so.1.0", "BINARY"),
        ("_ssl.so", "/opt/python/lib/python3.11/lib-dynload/_ssl.so", "EXTENSION"),
        ("torch/lib/libc10.so", "/env/lib/torch/lib/libc10.so", "BINARY"),
        ("explorer/bundled/x.toml", "/usr/share/x.toml", "DATA"),
    ]
    toc.write_text(repr(((), entries, "plm-explorer")))
    assert notices.collected(toc, [Path("/env"), Path("/opt/python/lib/python3.11")]) == [
        Path("/usr/lib/libone.so.1")
    ]


def test_a_bundle_has_them_for_people_and_for_the_program(tmp_path):
    bundle = tmp_path / "plm-explorer"
    kept = bundle / "_internal/explorer/bundled" / KEPT
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"[]")
    told = tmp_path / "told.json"
    told.write_bytes(
        to_json([LicensedComponent("torch", "2", "BSD", texts=(("LICENSE", "Keep it."),))])
    )
    toc = tmp_path / "COLLECT-00.toc"
    toc.write_text("[]")
    frozen = Frozen(
        Path("/env/bin/python"), Path("/env/lib/explorer"), Path("/lib/python3.11"), "2", "6"
    )
    notices.complete(bundle, told, toc, frozen)
    assert [one.name for one in from_json(kept.read_bytes())] == ["torch"]
    assert "Keep it." in (bundle / notices.FILE).read_text("utf-8")


def test_an_environment_says_what_it_has(tmp_path, monkeypatch):
    """With this one's packages; PyInstaller is played by pytest, which is here."""
    root = Path(notices.__file__).resolve().parents[3]
    monkeypatch.setattr(notices, "_ASKED", notices._ASKED.replace('"pyinstaller"', '"pytest"'))
    file = tmp_path / "licences.json"
    notices.ask_environment(Path(sys.executable), root, file)
    names = [one.name for one in from_json(file.read_bytes())]
    assert names[:2] == ["PLM Explorer", "Python"]
    assert names[-1] == "pytest"
    assert "transformers" in names
