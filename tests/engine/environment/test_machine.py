"""Which variant is offered first, by what the machine says of itself."""

import sys

import pytest

from explorer.engine.environment import machine

ALL = ("cpu", "cuda", "mps")


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """What nvidia-smi says, in a folder that is all of the PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def says(text, status=0):
        script = tmp_path / "nvidia-smi"
        script.write_text(f"#!/bin/sh\necho '{text}'\nexit {status}\n")
        script.chmod(0o755)

    return says


@pytest.mark.skipif(sys.platform == "win32", reason="the tool that is played is a shell script")
@pytest.mark.parametrize(
    ("said", "status", "has"),
    [
        ("GPU 0: NVIDIA H200 (UUID: GPU-1)", 0, True),
        ("No devices were found", 0, False),
        ("NVIDIA-SMI has failed because it couldn't communicate with the GPU driver.", 9, False),
    ],
)
def test_the_drivers_tool_is_believed(tool, said, status, has):
    tool(said, status)
    assert machine.has_cuda() is has


def test_without_the_tool_the_driver_is_asked(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(machine, "_DRIVER", "libno-such-driver.so.1")
    assert machine.has_cuda() is False


@pytest.mark.parametrize(
    ("cuda", "mps", "variants", "first"),
    [
        (True, False, ALL, "cuda"),
        (True, False, ("cpu",), "cpu"),
        (False, True, ALL, "mps"),
        (False, False, ALL, "cpu"),
        (False, False, ("cuda",), "cuda"),
    ],
)
def test_the_fastest_that_the_bundle_has_comes_first(monkeypatch, cuda, mps, variants, first):
    monkeypatch.setattr(machine, "has_cuda", lambda: cuda)
    monkeypatch.setattr(machine, "has_mps", lambda: mps)
    assert machine.fitting(variants) == first
