"""The sheet's window comes up where it was closed, under a real window manager."""

from tests.x_server import run_under, x_server

SCRIPT = """
import sys
from pathlib import Path
from PySide6.QtTest import QTest
from explorer.app import Running, application
from explorer.paths import Paths
from explorer.program import Program
from explorer.tour.hands import wait_until
if __name__ == "__main__":
    app = application()
    running = Running(Program(Paths.profile(Path(sys.argv[1]))))
    running.show()
    sheet = running.window.sheet
    for _ in range(3):
        sheet.open()
        # The window manager has put its frame around it.
        wait_until(lambda: sheet.dialog.frameGeometry() != sheet.dialog.geometry(), "a frame")
        QTest.qWait(300)
        print(sheet.dialog.x(), sheet.dialog.y())
        sheet.dialog.close()
        QTest.qWait(200)
    running.close()
"""


def test_it_comes_up_where_it_was_closed(tmp_path):
    with x_server(managed=True) as display:
        ran = run_under(display, SCRIPT, tmp_path)
    first, *others = ran.stdout.splitlines()
    assert others == [first, first]
