"""What tests of the door for Python share."""

import pytest

from explorer.scripting import process
from tests.hf.kept import lend_to_commands


@pytest.fixture
def door(tmp_path, monkeypatch):
    """`import explorer`, with a profile of its own and models that are lent."""
    import explorer

    lend_to_commands(monkeypatch)
    explorer.use(profile=tmp_path / "profile", device="cpu", language="en")
    yield explorer
    (ours,) = process._CURRENT
    process._CURRENT.clear()
    ours.end()
