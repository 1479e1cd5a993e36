"""Nobody on another machine is spoken to or listened to while a file is answered."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.hf import tiny
from tests.traced import beyond_loopback, traced

ROOT = Path(__file__).parents[3]
UDP = """
import contextlib, socket, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one, contextlib.suppress(OSError):
    one.connect((sys.argv[1], 9))  # of a datagram, nothing is sent by this
"""


@pytest.fixture
def run(tmp_path):
    """Run a module of the tests, or the program, under strace; gives its trace."""

    def traced_run(*arguments):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, *arguments]
        status, said = traced(command, tmp_path / "trace", environment)
        assert status == 0, said
        return (tmp_path / "trace").read_text("utf-8")

    return traced_run


@pytest.fixture
def asked(tmp_path):
    """Of whom what is asked: a profile, a file of sentences, and a model."""
    file = tmp_path / "sentences.txt"
    file.write_text("the cat sat\na dog ran\n", "utf-8")
    return str(tmp_path / "profile"), str(file), str(tiny.save_bert(tmp_path / "bert"))


@pytest.mark.parametrize(("address", "lines"), [("192.0.2.1", 1), ("127.0.0.1", 0)])
def test_who_is_spoken_to_is_seen(run, address, lines):
    trace = run("-c", UDP, address)
    assert address in trace
    assert len(beyond_loopback(trace)) == lines


def test_this_process_and_another_one_keep_to_themselves(run, asked):
    module = f"{__name__.rpartition('.')[0]}.answered_here_and_there"
    assert beyond_loopback(run("-m", module, *asked)) == []


@pytest.mark.timeout(300)
@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")
def test_a_cluster_of_this_machine_keeps_to_itself(run, asked):
    profile, file, model = asked
    over = ["over", file, "--model", model, "--no-log", "--runner", "ray", "--processes", "2"]
    command = [str(ROOT / "main.py"), "--profile", profile, "--device", "cpu", *over]
    trace = run(*command)
    assert "127.0.0.1" in trace
    assert beyond_loopback(trace) == []
