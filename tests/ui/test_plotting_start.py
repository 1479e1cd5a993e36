"""pyqtgraph comes behind the window's back: never before it can be seen, soon after it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from explorer.app import Running, application
from explorer.paths import Paths
from explorer.program import Program
from explorer.ui.in_steps import InSteps
from tests.ui.fake_engine import FakeEngine

class Watched(Running):
    def _show_empty(self):
        super()._show_empty()
        print("seen" if self.window.is_painted else "unseen", "pyqtgraph" in sys.modules)

application()
running = Watched(Program(Paths.profile(Path(sys.argv[1]))), FakeEngine(), show_first=True)
patience = time.monotonic() + 60
importing = running.bench.findChildren(InSteps)
assert len(importing) == 1
while not importing[0].is_done and time.monotonic() < patience:
    QApplication.processEvents()
    time.sleep(0.01)
print("pyqtgraph" in sys.modules, "explorer.ui.charts.plot" in sys.modules)
running.close()
"""


def test_pyqtgraph_is_imported_after_the_first_paint_and_then_without_being_asked_for(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "profile")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == ["seen False", "True True"]


ENDING = """
import sys
from pathlib import Path
import numpy as np
from PySide6.QtWidgets import QApplication
from explorer.app import Running, application
from explorer.paths import Paths
from explorer.program import Program
from explorer.ui.charts.chart_view import ChartView
from explorer.ui.charts.description import Chart, Line
from explorer.ui.matrices.heads.grid import HeadGrid
from explorer.ui.matrices.heads.painting import GridContent
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.heat_map import HeatMap
from tests.ui.fake_engine import FakeEngine

app = application()
running = Running(Program(Paths.profile(Path(sys.argv[1]))), FakeEngine(), show_first=True)
running.show()
x = np.linspace(0, 1, 20)
window = running.window
shown = [ChartView(window), HeatMap("heat", window), HeadGrid(window)]
shown[0].show_content(Chart("c", "", (Line("l", x, x, "bar"),)))
shown[1].set_content(HeatContent(np.ones((3, 3)), "abc", "abc"))
shown[2].set_content(GridContent(np.ones((2, 2, 3, 3))))
loose = HeatMap("loose")
loose.set_content(HeatContent(np.ones((3, 3)), "abc", "abc"))
for one in (*shown, loose):
    one.show()
    one.grab()
app.processEvents()
running.close()
app.processEvents()
print("ended")
"""


def test_a_program_with_charts_and_matrices_open_ends_in_peace(tmp_path):
    """Scenes outlived the application once, and took the process down at its end."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", ENDING, str(tmp_path / "profile")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "ended\n"), done.stderr
