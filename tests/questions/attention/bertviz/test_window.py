"""The first page of the browser leaves the window on the screen, under a real window system."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.questions.attention.bertviz.test_page import ROOT

SCRIPT = """
import sys
from pathlib import Path
from PySide6.QtGui import QColor
from explorer.app import Running, application
from explorer.paths import Paths
from explorer.program import Program
from explorer.tour.hands import Hands, wait_until
from explorer.ui.web.block import WebPart
if __name__ == "__main__":
    app = application()
    running = Running(Program(Paths.profile(Path(sys.argv[1]))))
    running.show()
    hands = Hands(running.window)
    wait_until(lambda: bool(running.bench.models.cards), "the miniature")
    first = int(running.window.windowHandle().winId())
    running.window.view_area.bring_forward("bertviz")
    hands.settle()
    (web,) = running.window.view_of("bertviz").page.findChildren(WebPart)
    if not web.web_page.is_loaded:
        print("missing")
    else:
        def colours():
            # What X has on the screen, not what the widgets would draw.
            place = web.mapToGlobal(web.rect().topLeft())
            image = app.primaryScreen().grabWindow(
                0, place.x(), place.y(), web.width(), web.height()
            ).toImage()
            across, down = (range(0, end, 4) for end in (image.width(), image.height()))
            places = ((x, y) for x in across for y in down)
            seen = (QColor(image.pixel(*place)) for place in places)
            return len({one.hue() // 30 for one in seen if one.saturation() > 60})
        wait_until(lambda: colours() >= 4, "the heads' colours on the screen")
        print(first, int(running.window.windowHandle().winId()))
    running.close()
"""


@pytest.fixture
def display():
    """An X server of the test's own."""
    if shutil.which("Xvfb") is None:
        pytest.skip("There is no Xvfb here.")
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24"]
    server = subprocess.Popen(
        [*command, "-nolisten", "tcp"], pass_fds=[writing], stderr=subprocess.DEVNULL
    )
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(timeout=30)


def test_the_window_is_the_same_with_the_first_page(display, tmp_path):
    script = tmp_path / "window.py"
    script.write_text(SCRIPT, encoding="utf-8")
    settings = {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)}
    environment = {k: v for k, v in os.environ.items() if k != "QT_QUICK_BACKEND"}
    ran = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "profile")],
        env={**environment, **settings},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    if "could not connect to display" in ran.stderr or "xcb" in ran.stderr:
        pytest.skip("Qt can't use an X server here.")
    assert ran.returncode == 0, ran.stderr
    if ran.stdout.split() == ["missing"]:
        pytest.skip("Qt WebEngine can't be used here.")
    before, after = ran.stdout.split()
    assert before == after
