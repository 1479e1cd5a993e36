"""What tests of commands share."""

import json

import pytest

from explorer import cli


@pytest.fixture
def asked(tmp_path, capsys):
    """Run a command; gives what it printed as JSON."""

    def run(*arguments):
        profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
        status = cli.main([*profile, *arguments, "--json", "--no-log"])
        out, complaint = capsys.readouterr()
        assert status == 0, complaint
        return json.loads(out)

    return run
