"""What argparse says by itself is said in the language of all else."""

import argparse
import ast
from pathlib import Path

import pytest

from explorer import cli
from explorer.command_line.argparse_texts import COUNTED, TEXTS
from explorer.command_line.parsing import Parser
from explorer.printing.columns import columns_of
from explorer.text.message_files import BETWEEN
from tests.ui.test_pseudo_language import bare

OF_PROGRAMMERS = (
    ".__call__() not defined",
    "conflicting ",
    "cannot merge actions",
    "'required' is an invalid",
    "invalid option string",
    "dest= is required",
    "invalid conflict_resolution",
    "mutually exclusive arguments",
    "cannot have multiple subparser",
    'argument "-" with mode',
    "%r is not callable",
    "%(heading)s:",
    # Of arguments that are declared deprecated: none is.
    "argument '%(argument_name)s' is deprecated",
    "command '%(parser_name)s' is deprecated",
    "option '%(option)s' is deprecated",
    "%(prog)s: warning: %(message)s",
)


def asked_for():
    """Every text that this Python's argparse would have translated."""
    for node in ast.walk(ast.parse(Path(argparse.__file__).read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"_", "ngettext"}:
            for one in node.args[:2]:
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


def test_every_text_of_argparse_that_a_user_meets_is_in_the_catalogue():
    declared = {*TEXTS, *(one for both in COUNTED for one in both.split(BETWEEN))}
    missing = {one for one in asked_for() if not one.startswith(OF_PROGRAMMERS)} - declared
    assert not missing


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (["--language", "en_XA", "ask", "--device"], "expected one argument"),
        (["--language", "en_XA", "no_such_command"], "invalid choice"),
        (["--language", "en_XA", "fill"], "required"),
        (["--language", "en_XA", "fill", "a", "--caption", "none", "b"], "unrecognized"),
        (["--language", "en_XA", "models", "--no-such"], "unrecognized"),
    ],
)
def test_mistakes_are_told_in_the_language(typed, words, capsys):
    assert cli.main(typed) == 2
    translated = capsys.readouterr().err
    assert words not in translated
    english = [one for one in typed if one not in {"--language", "en_XA"}]
    assert cli.main(["--language", "en", *english]) == 2
    assert words in capsys.readouterr().err


def test_help_is_told_in_the_language(capsys):
    assert cli.main(["--language", "en_XA", "fill", "--help"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("⟦ûûšååĝéé:")
    # What is left are names: of the program, its commands, options and places.
    left = {word for word in bare(told).split() if word.islower()}
    assert not left & {"usage", "options", "positional", "arguments", "show", "message", "exit"}


def test_help_in_wide_letters_fits_the_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "70")
    korean = "옵션은 여기에 있으며 " * 20
    parser = Parser(description=korean)
    parser.add_argument("--long", help=korean)
    with pytest.raises(SystemExit):
        parser.parse_args(["--help"])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(columns_of, lines)) <= 70
    assert " ".join(" ".join(lines).split()).count("옵션은 여기에 있으며") == 40
