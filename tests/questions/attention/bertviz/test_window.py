"""The first page of the browser leaves the window on the screen, under a real window system."""

import pytest

from tests.x_server import run_under, x_server

SCRIPT = """
import sys
from pathlib import Path
from PySide6.QtCore import Qt
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
        # As a click into the page does.
        running.window.activateWindow()
        web.web_page.view.setFocus(Qt.FocusReason.MouseFocusReason)
        wait_until(web.web_page.view.focusProxy().hasFocus, "the keyboard in the browser")
        hands.settle()
        print("focused")
    running.close()
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """What the script said."""
    with x_server(managed=True) as display:
        return run_under(display, SCRIPT, tmp_path_factory.mktemp("bertviz"))


def test_a_click_into_the_page_gives_it_the_keyboard(ran):
    said = ran.stdout.split()
    if said == ["missing"]:
        pytest.skip("Qt WebEngine can't be used here.")
    assert said[-1] == "focused"


def test_the_window_is_the_same_with_the_first_page(ran):
    if ran.stdout.split() == ["missing"]:
        pytest.skip("Qt WebEngine can't be used here.")
    before, after = ran.stdout.split()[:2]
    assert before == after
