"""Runs without a model, and a log whose answers can be waited for."""

import importlib.util
import os
import queue
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PATIENCE = 30.0


@pytest.fixture(scope="session")
def samples():
    """The module of sample runs."""
    spec = importlib.util.spec_from_file_location("sample_runs", HERE / "sample_runs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def database(tmp_path):
    return tmp_path / "data" / "sessions.db"


class Answers:
    """Collects what the log says of each run, in order."""

    def __init__(self):
        self._queue = queue.Queue()

    def __call__(self, sentence):
        self._queue.put(sentence)

    def next(self):
        return self._queue.get(timeout=PATIENCE)

    def take(self, number):
        return [self.next() for _ in range(number)]

    @property
    def empty(self):
        return self._queue.empty()


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture
def problems():
    """Collects what the log says of itself."""
    return Answers()


@pytest.fixture
def run_python(tmp_path):
    """Start a Python program that sees the project and the sample runs."""
    started = []

    def start(code, *arguments):
        path = os.pathsep.join((str(ROOT), str(HERE)))
        process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()
