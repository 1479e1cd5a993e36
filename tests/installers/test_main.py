"""The command line of installers: commands by being there, a failure in one line."""

import argparse

import pytest

from explorer.installers import __main__ as command_line
from explorer.installers.failures import BuildFailure


def test_what_is_there_is_a_command(capsys):
    available = command_line.all_commands()
    assert "licences" in available
    assert list(available) == sorted(available)
    with pytest.raises(SystemExit) as ended:
        command_line.main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    for name in available:
        assert name in shown


def test_a_step_that_fails_is_one_line(monkeypatch, capsys):
    class Failing:
        NAME, HELP = "failing", "fails"

        @staticmethod
        def add_arguments(parser: argparse.ArgumentParser) -> None:
            parser.add_argument("--speed", type=int)

        @staticmethod
        def run(args: argparse.Namespace) -> int:
            raise BuildFailure(f"Nothing moves at speed {args.speed}. Install an engine.")

    monkeypatch.setattr(command_line, "all_commands", lambda: {"failing": Failing})
    assert command_line.main(["failing", "--speed", "3"]) == 1
    assert capsys.readouterr().err == "Nothing moves at speed 3. Install an engine.\n"


def test_licences_are_written(tmp_path, capsys):
    file = tmp_path / "LICENCES.txt"
    assert command_line.main(["licences", "--out", str(file)]) == 0
    text = file.read_text("utf-8")
    assert "\ntransformers " in text
    assert str(file) in capsys.readouterr().out
