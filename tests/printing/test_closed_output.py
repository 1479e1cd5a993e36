"""Output that goes nowhere: one sentence, and an exit status that says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.command_line.parsing import FAULT

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")


def run(tmp_path, ending, command="licences"):
    """A command in a shell; what it says on standard error."""
    ran = subprocess.run(
        f'"{sys.executable}" main.py {command} --profile "{tmp_path}" {ending}',
        shell=True,
        cwd=ROOT,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stderr


@pytest.mark.parametrize(
    ("ending", "why"), [(">&-", "Bad file descriptor"), ("> /dev/full", "No space left on device")]
)
def test_standard_output_that_can_not_be_written_is_told(tmp_path, ending, why):
    status, said = run(tmp_path, ending)
    assert status == FAULT
    assert said == (
        f"The answer can't be printed: standard output can't be written ({why}). "
        "Send it to a terminal, or into a file where there is room.\n"
    )


def test_a_reader_that_has_had_enough_is_no_fault(tmp_path):
    assert run(tmp_path, "| head -1 > /dev/null") == (0, "")


@pytest.mark.parametrize("ending", ["> /dev/null 2>&-", "> /dev/null 2> /dev/full"])
def test_without_standard_error_it_does_its_work(tmp_path, ending):
    assert run(tmp_path, ending) == (0, "")
    assert run(tmp_path, ending, "scenes check nothing")[0] != 0
