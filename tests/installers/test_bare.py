"""What a trial does that needs no rights of root's: reads the screen, the log, the bundle."""

import json
import struct

import pytest
from PIL import Image

from explorer.installers import trial
from explorer.installers.bare import checks, screen
from explorer.installers.bare.debian import Root
from explorer.installers.failures import BuildFailure, CheckFailure


def dump_of(pixels, width, height, depth=24):
    """As Xvfb writes its screen: XWD 7, one colour in its map, lines padded to 16 bytes."""
    name = b"Xvfb\0\0\0\0"
    line = (width * 4 + 15) // 16 * 16
    fields = [0] * 25
    fields[0], fields[1], fields[2], fields[3] = 100 + len(name), 7, 2, depth
    fields[4], fields[5], fields[11], fields[12], fields[19] = width, height, 32, line, 1
    rows = b""
    for y in range(height):
        row = b"".join(bytes((b, g, r, 0)) for r, g, b in pixels[y * width : (y + 1) * width])
        rows += row.ljust(line, b"\xff")
    return struct.pack(">25I", *fields) + name + bytes(12) + rows


def test_the_screen_is_read_as_it_is_shown(tmp_path):
    pixels = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 0, 0), (1, 2, 3), (0, 255, 0)]
    dump = tmp_path / "Xvfb_screen0"
    dump.write_bytes(dump_of(pixels, 3, 2))
    assert screen.picture(dump, tmp_path / "screen.png") == 4
    with Image.open(tmp_path / "screen.png") as shown:
        assert [shown.getpixel((i % 3, i // 3)) for i in range(6)] == pixels


def test_another_depth_is_said(tmp_path):
    dump = tmp_path / "Xvfb_screen0"
    dump.write_bytes(dump_of([(0, 0, 0)], 1, 1, depth=8))
    with pytest.raises(ValueError, match="depth 8"):
        screen.picture(dump, tmp_path / "screen.png")


def test_a_bundle_is_put_where_it_can_be_started(tmp_path):
    bundle = tmp_path / "plm-explorer"
    bundle.mkdir()
    (bundle / "plm-explorer").touch()
    root = Root(tmp_path / "root")
    root.home.mkdir(parents=True)
    (root.home / "left over").touch()
    root.hold(bundle)
    assert root.program == "/opt/bundle/plm-explorer/plm-explorer"
    assert list(root.home.iterdir()) == []


def test_a_folder_that_is_no_bundle_is_refused(tmp_path):
    (tmp_path / "pictures").mkdir()
    with pytest.raises(BuildFailure, match="holds no program"):
        Root(tmp_path / "root").hold(tmp_path / "pictures")


def test_a_root_with_a_python_is_not_bare(tmp_path):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/debian_version").touch()
    (tmp_path / "usr/bin").mkdir(parents=True)
    Root(tmp_path).make("bookworm", "")
    (tmp_path / "usr/bin/python3.11").touch()
    with pytest.raises(BuildFailure, match="a bare root has no Python"):
        Root(tmp_path).make("bookworm", "")


class Played(Root):
    """Runs its commands here."""

    def start(self, command, environment, log, *, with_network=False):
        import subprocess

        with log.open("wb") as said:
            return subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)


def played(tmp_path, script):
    root = Played(tmp_path / "root")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    root.program = str(program)
    return root


def test_what_a_command_said_and_how_long_it_took(tmp_path):
    said, seconds = checks.ran(played(tmp_path, "echo $1"), tmp_path, "version", ["--version"])
    assert said == "--version\n"
    assert 0 <= seconds < 60


@pytest.mark.parametrize("script", ["echo no such thing; exit 3", "sleep 30"])
def test_a_command_that_fails_or_hangs_fails_the_check(tmp_path, script):
    with pytest.raises(CheckFailure, match=r"fill ended with (3: no such thing|None)"):
        checks.ran(played(tmp_path, script), tmp_path, "fill", ["fill"], patience=0.5)


def test_a_prediction_is_read(tmp_path):
    answer = {"model": {"id": "bert-miniature"}, "masks": [{"predictions": [{"token": "meal"}]}]}
    found = checks.prediction(played(tmp_path, f"echo '{json.dumps(answer)}'"), tmp_path)
    assert found["best"] == {"token": "meal"}


def test_a_component_without_its_licence_fails(tmp_path):
    rows = [{"name": name, "texts": [["a", "b"]]} for name in ("Python", "torch", "PySide6")]
    rows += [{"name": "transformers", "texts": []}, {"name": "PyInstaller", "texts": [["a", "b"]]}]
    root = played(tmp_path, f"echo '{json.dumps(rows)}'")
    with pytest.raises(CheckFailure, match=r"no text for \['transformers'\]"):
        checks.licences(root, tmp_path)


@pytest.mark.parametrize("second", [11.5, 11.4])
def test_two_processes_have_to_answer_as_one_does(tmp_path, second):
    answer = {"results": "$2.db", "done": 600, "spreads": [{"mean": 11.5}]}
    other = {**answer, "spreads": [{"mean": second}]}
    script = f"""[ "$9" = 1 ] && echo '{json.dumps(answer)}' || echo '{json.dumps(other)}'"""
    root = played(tmp_path, f"shift; {script}")
    root.home.mkdir(parents=True)
    if second == 11.5:
        assert checks.processes(root, tmp_path)["rows"] == 600
        assert (root.home / "sentences.txt").read_text("utf-8").count("\n") == 600
    else:
        with pytest.raises(CheckFailure, match="something else than one"):
            checks.processes(root, tmp_path)


def test_a_trial_goes_on_after_a_check_that_failed(tmp_path, monkeypatch, capsys):
    def fails(root, out):
        raise CheckFailure("nothing was drawn")

    monkeypatch.setattr(checks, "ALL", {"window": fails, "tour": lambda *_: {"pictures": 300}})
    monkeypatch.setattr(trial.os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(trial.sys, "platform", "linux")
    monkeypatch.setattr(Root, "make", lambda *_: None)
    monkeypatch.setattr(Root, "hold", lambda *_: None)
    parser = trial.argparse.ArgumentParser()
    trial.add_arguments(parser)
    out = tmp_path / "out"
    words = ["bundle", "--root", str(tmp_path / "root"), "--out", str(out)]
    assert trial.run(parser.parse_args(words)) == 1
    told = json.loads((out / "trial.json").read_text())
    assert told == {"window": {"failed": "nothing was drawn"}, "tour": {"pictures": 300}}
    assert "nothing was drawn" in capsys.readouterr().out


def test_a_trial_needs_rights(tmp_path, monkeypatch):
    monkeypatch.setattr(trial.os, "geteuid", lambda: 1000, raising=False)
    with pytest.raises(BuildFailure, match="root's rights"):
        trial.run(trial.argparse.Namespace())


def test_a_scene_is_printed_and_not_the_list_of_chapters(tmp_path):
    root = played(tmp_path, 'printf "%%PDF of %s" "$5" > "$0.pdf"')
    scenes = root.folder / "opt/bundle/program/resources/scenes"
    scenes.mkdir(parents=True)
    for name in ("chapters.toml", "mobilebert_and_which_bert.toml"):
        (scenes / name).touch()
    root.home.mkdir()
    (root.home / "lecture.pdf").symlink_to(tmp_path / "program.pdf")
    assert checks.lecture(root, tmp_path)["bytes"] > 10
    printed = (tmp_path / "program.pdf").read_text()
    assert printed == "%PDF of /opt/bundle/program/resources/scenes/mobilebert_and_which_bert.toml"
