"""A display of a test's own ends with the test, however that ends."""

import sys

import psutil
import pytest

from tests.x_server import run_under, x_server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="There is no X server there.")

PLAYED = """#!{python}
import os, sys, time
if "-displayfd" in sys.argv:
    os.write(int(sys.argv[sys.argv.index("-displayfd") + 1]), {said!r})
    time.sleep({seconds})
time.sleep({seconds})
"""
REFUSED = """
import sys
sys.exit("This application failed to start because no Qt platform plugin could be initialized.")
"""


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Put programs in the way of those of these names; they wait, or end at once."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def make(*names, said=b"77\n", seconds=600):
        for name in names:
            text = PLAYED.format(python=sys.executable, said=said, seconds=seconds)
            (folder / name).write_text(text, encoding="utf-8")
            (folder / name).chmod(0o755)

    return make


def children():
    return {process.pid for process in psutil.Process().children()}


def test_a_test_leaves_nothing_running_where_qt_cannot_use_its_display(tmp_path, play):
    play("Xvfb", "openbox")
    before = children()
    with x_server(managed=True) as display:
        assert display == ":77"
        assert len(children() - before) == 2
    assert children() == before
    with pytest.raises(pytest.skip.Exception), x_server(managed=True) as display:
        run_under(display, REFUSED, tmp_path)
    assert children() == before


def test_a_window_manager_that_cannot_be_started_leaves_no_server(tmp_path, play):
    play("Xvfb", "openbox")
    (tmp_path / "programs" / "openbox").write_text("no program of this machine's", "utf-8")
    before = children()
    with pytest.raises(OSError, match="Exec format"), x_server(managed=True):
        pass
    assert children() == before


def test_a_server_that_does_not_start_skips_the_test(play):
    play("Xvfb", said=b"", seconds=0)
    before = children()
    with pytest.raises(pytest.skip.Exception, match="Xvfb"), x_server():
        pass
    assert children() == before
