"""A path in place of a command is opened in the window."""

import pytest

from explorer import app, cli
from explorer.command_line.opening import path_among
from explorer.engine.process import engine_handle

COMMANDS = {"ask", "models"}


@pytest.fixture
def scene(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my.scene.toml"
    path.write_text("", "utf-8")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["ask", "my.scene.toml"],
        ["--profile", "my.scene.toml", "models"],
        ["--help"],
        ["nonsense"],
    ],
)
def test_commands_and_options_are_no_paths(scene, arguments):
    assert path_among(arguments, COMMANDS) is None


def test_a_folder_called_as_a_command_needs_its_place(scene, tmp_path):
    (tmp_path / "ask").mkdir()
    assert path_among(["ask"], COMMANDS) is None
    found = path_among(["./ask"], COMMANDS)
    assert found is not None
    assert found[0] == tmp_path / "ask"


@pytest.mark.parametrize("before", [True, False])
def test_options_stand_around_it(scene, tmp_path, before):
    words = ["--device", "cpu", "my.scene.toml"] if before else ["my.scene.toml", "--device", "cpu"]
    found = path_among(words, COMMANDS)
    assert found is not None
    assert found[0] == scene
    assert found[1].device == "cpu"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gone.toml"], "There is no file gone.toml."),
        (["some/where"], "There is no file some/where."),
        (["my.scene.toml", "models"], "my.scene.toml is followed by models"),
    ],
)
def test_mistakes_are_one_sentence(scene, tmp_path, capsys, words, said):
    assert cli.main(["--profile", str(tmp_path / "p"), *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1


def test_the_window_is_given_it(scene, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(cli, "has_display", lambda environment: True)
    monkeypatch.setattr(engine_handle, "begin", lambda ahead: f"begun {ahead}")
    monkeypatch.setattr(app, "run", lambda *given: opened.append(given) or 0)
    assert cli.main(["--profile", str(tmp_path / "p"), "my.scene.toml", "--device", "cpu"]) == 0
    ((program, path, engine),) = opened
    assert (path, program.device, program.paths.data) == (scene, "cpu", tmp_path / "p/data")
    assert engine == "begun True"


def test_without_a_display_it_says_so(scene, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cli, "has_display", lambda environment: False)
    assert cli.main(["--profile", str(tmp_path / "p"), "my.scene.toml"]) == 1
    assert "no display here that could show my.scene.toml" in capsys.readouterr().err
