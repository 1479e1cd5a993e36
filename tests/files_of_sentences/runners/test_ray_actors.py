"""Sentences shared by actors of Ray: a cluster of this machine is started."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest
import torch

from explorer import cli
from explorer.api.family import LoadOptions
from explorer.api.question import Context
from explorer.api.worker_context import Parallelism
from explorer.engine.configuration import EngineConfiguration, build_parts
from explorer.files_of_sentences.answering import Answering
from explorer.files_of_sentences.runners.blocks import Pending, blocks
from explorer.files_of_sentences.runners.here import Here
from explorer.files_of_sentences.runners.ray_actors import RayActors
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.masking.surprisal.question import QUESTION, SurprisalRequest
from tests.engine.listening import is_running, wait_until
from tests.hf import tiny

if find_spec("ray") is None:  # importing it settles where it listens, which the runner does
    pytest.skip("Ray is not installed", allow_module_level=True)
ROOT = Path(__file__).parents[3]
WORDS = [word for word in tiny.VOCABULARY if word.isalpha() and len(word) > 1][:16]
TEXTS = [" ".join(WORDS[(n * 5 + k) % 16] for k in range(3 + n % 7)) for n in range(1500)]


@pytest.fixture
def folder(tmp_path):
    return tiny.save_bert(tmp_path / "bert")


@pytest.fixture
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def pending(during=lambda number: None):
    every = blocks((FileSentence(n + 1, text) for n, text in enumerate(TEXTS)), 0, {})

    def read():
        for number, block in enumerate(every):
            during(number)
            yield block

    return Pending(read())


def actors():
    """The processes that answer."""
    mine = psutil.Process().children(recursive=True)
    return [one for one in mine if one.name().startswith("ray::Actor")]


def test_the_rows_are_the_same_though_an_actor_is_killed(paths, folder, one_thread):
    sharing = Parallelism(2, "ray")
    runner = build_parts(EngineConfiguration.of(paths, sharing=sharing)).runner
    runner.load("A", str(folder), LoadOptions(device="cpu"), Context())
    context = runner.with_models({"model": "A"}, Context())
    answering = Answering(context.models["model"], QUESTION, SurprisalRequest(""))
    here = dict(row for some in Here(answering).rows(pending(), context) for row in some)
    there, killed = [], []

    def during(number):
        if number == 4:
            there.extend(actors())
            killed.append(there[0].pid)
            os.kill(there[0].pid, signal.SIGKILL)

    rows = RayActors(answering, context.elsewhere, 2).rows(pending(during), context)
    found = [row for some in rows for row in some]
    assert (len(there), len(killed)) == (2, 1)
    assert sorted(place for place, _ in found) == list(range(len(TEXTS)))
    assert dict(found) == here
    assert not actors()


def test_a_run_whose_driver_is_killed_leaves_nothing_and_is_gone_on_with(
    tmp_path, folder, capsys, monkeypatch
):
    file = tmp_path / "sentences.txt"
    file.write_text("\n".join(TEXTS * 5), "utf-8")
    usual = ["--device", "cpu", "over", str(file), "--model", str(folder), "--no-log", "--json"]
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    first = subprocess.Popen(
        [
            *(sys.executable, str(ROOT / "main.py"), "--profile", str(tmp_path / "ray"), *usual),
            *("--runner", "ray", "--processes", "1"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert wait_until(lambda: rows_of(tmp_path / "ray"), 100)
        # Two of Ray's own, which answer nothing, try for a minute to tell the rest that it is gone.
        started = psutil.Process(first.pid).children(recursive=True)
        all_of_it = [one.pid for one in started if not one.name().endswith("Agent")]
        assert len(all_of_it) > 3
    finally:
        first.kill()
        first.wait()
    assert wait_until(lambda: not any(map(is_running, all_of_it)), 60)
    begun = len(rows_of(tmp_path / "ray"))
    assert 0 < begun < len(TEXTS) * 10
    for profile in ("ray", "own"):
        assert cli.main(["--profile", str(tmp_path / profile), *usual, "--processes", "1"]) == 0
    capsys.readouterr()
    assert rows_of(tmp_path / "ray") == rows_of(tmp_path / "own")


def test_an_address_at_which_nobody_answers_is_told_at_once(tmp_path, folder, capsys):
    file = tmp_path / "sentences.txt"
    file.write_text("the cat", "utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    usual = ["--device", "cpu", "over", str(file), "--model", str(folder), "--no-log"]
    profile = ["--profile", str(tmp_path / "profile")]
    assert cli.main([*profile, *usual, "--runner", "ray", "--address", address]) == 2
    assert f"Ray can't be reached at {address}" in capsys.readouterr().err


def rows_of(profile):
    for path in (profile / "data" / "results").glob("*.db"):
        with sqlite3.connect(path) as database:
            try:
                return database.execute("SELECT * FROM rows ORDER BY position").fetchall()
            except sqlite3.OperationalError:
                break
    return []
