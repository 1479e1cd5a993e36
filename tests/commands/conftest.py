"""What tests of commands share."""

import json

import pytest

from explorer import cli
from tests.hf.kept import lend_to_commands


@pytest.fixture
def profile(tmp_path):
    """The folder of the program's own files."""
    return tmp_path / "profile"


@pytest.fixture
def run(profile, capsys, monkeypatch):
    """Run a command; gives the exit status, what was printed, and what was complained of."""
    lend_to_commands(monkeypatch)

    def command(*words):
        capsys.readouterr()
        status = cli.main(["--profile", str(profile), "--device", "cpu", *map(str, words)])
        return (status, *capsys.readouterr())

    return command


@pytest.fixture
def told(run):
    """Run a command that ends with a status; gives what was printed, or complained of if not 0."""

    def command(*words, status=0):
        found, out, complaint = run(*words)
        assert found == status, complaint
        return complaint if status else out

    return command


@pytest.fixture
def asked(told):
    """Run a command; gives what it printed as JSON."""
    return lambda *words: json.loads(told(*words, "--json", "--no-log"))
