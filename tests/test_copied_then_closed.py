"""What was copied last does not end the program with a crash when it is closed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm_engine

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.gui

COPIES = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from explorer import app, cli
from tests import warm_engine

warm_engine.borrow()

def copy():
    window = next(
        one for one in app.application().topLevelWidgets() if isinstance(one, app.MainWindow)
    )
    window.view_area.bring_forward("masked_tokens")
    view = window.view_of("masked_tokens")
    if view is None or not view.has_result:
        QTimer.singleShot(50, copy)
        return
    # Whatever goes wrong is said, and ends the program all the same.
    QTimer.singleShot(0, window.close)
    window.commands.exporting.failed.connect(lambda failure: print(failure, file=sys.stderr))
    window.commands.exporting.view(view, sys.argv[2])
    print("copied", QGuiApplication.clipboard().mimeData().formats()[:1], flush=True)

class Watch(app.Running):
    def show(self):
        super().show()
        QTimer.singleShot(0, copy)

app.Running = Watch
sys.exit(cli.main(["--profile", sys.argv[1]]))
"""


@pytest.mark.parametrize(
    "what", [pytest.param("copy_table", marks=pytest.mark.costly), "copy_picture"]
)
def test_the_program_ends_well_after_copying(tmp_path, what):
    done = subprocess.run(
        [sys.executable, "-c", COPIES, str(tmp_path / "profile"), what],
        cwd=ROOT,
        env={**os.environ, **warm_engine.lent()},
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    kinds = {"copy_table": "text/plain", "copy_picture": "application/x-qt-image"}
    assert f"copied ['{kinds[what]}']" in done.stdout
