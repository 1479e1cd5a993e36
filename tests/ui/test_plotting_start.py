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
from tests.ui.fake_engine import FakeEngine

class Watched(Running):
    def _show_empty(self):
        super()._show_empty()
        print("seen" if self.window.is_painted else "unseen", "pyqtgraph" in sys.modules)

application()
running = Watched(Program(Paths.profile(Path(sys.argv[1]))), FakeEngine(), show_first=True)
patience = time.monotonic() + 60
while "explorer.ui.charts.plot" not in sys.modules and time.monotonic() < patience:
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
