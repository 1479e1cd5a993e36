"""What the engine's process sets before libraries are imported."""

import os
import platform
import subprocess
import sys

import pytest

from explorer.engine.process.surroundings import prepare_environment


def test_threads_that_wait_sleep_soon_unless_the_user_says_otherwise(monkeypatch):
    for given, expected in (({}, "10000"), ({"GOMP_SPINCOUNT": "7"}, "7")):
        environment = dict(given)
        monkeypatch.setattr(os, "environ", environment)
        prepare_environment()
        assert environment["GOMP_SPINCOUNT"] == expected
        assert environment["HF_HUB_OFFLINE"] == "1"


def test_numpy_starts_no_threads_unless_the_user_says_otherwise(monkeypatch):
    if platform.machine().lower() not in ("x86_64", "amd64"):
        pytest.skip("elsewhere torch may use the same library")
    for given, expected in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")):
        environment = dict(given)
        monkeypatch.setattr(os, "environ", environment)
        prepare_environment()
        assert environment["OPENBLAS_NUM_THREADS"] == expected


ASKED = """
from explorer import cli
from threadpoolctl import threadpool_info

assert cli.main(["models"]) == 0
import numpy
print([one["num_threads"] for one in threadpool_info() if "numpy" in one["filepath"]])
"""


def test_a_command_sets_it_before_numpy_is_there():
    environment = {
        name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")
    }
    told = subprocess.run(
        [sys.executable, "-c", ASKED],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.splitlines()[-1] == "[1]"
