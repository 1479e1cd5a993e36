"""From starting the program to its first painted window, against a bare PySide6 window.

The window is painted while it is still empty and filled right after. Both say so from the method
that paints them: a filter of events would have each object that gets one dressed up by PySide6.
"""

import sys

from benchmarks.child import median_from_start, profile, say_done
from benchmarks.row import Row

REPEATS = 9


def measure() -> Row:
    """Time both, taking turns."""
    ours, theirs = median_from_start(__name__, ("ours", "bare"), REPEATS)
    return Row(
        "window visible, against a bare PySide6 window",
        ours,
        theirs,
        1.8,
        f"process start to first paint, median of {REPEATS}, the engine starting meanwhile",
    )


def _ours() -> None:
    from explorer.engine.process.engine_handle import begin

    begun = begin(ahead=True)
    from PySide6.QtGui import QPaintEvent

    from explorer.app import Running
    from explorer.paths import Paths
    from explorer.program import Program
    from explorer.ui.window.main_window import MainWindow

    paint = MainWindow.paintEvent

    def painted(window: MainWindow, event: QPaintEvent) -> None:
        paint(window, event)
        MainWindow.paintEvent = paint  # type: ignore[method-assign]
        say_done()

    MainWindow.paintEvent = painted  # type: ignore[method-assign, assignment]
    running = Running(Program(Paths.profile(profile())), show_first=True, begun=begun)
    running.show()
    running.close()


def _bare() -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

    app = QApplication([])

    class Window(QMainWindow):
        def paintEvent(self, event: QPaintEvent) -> None:
            super().paintEvent(event)
            say_done()
            QTimer.singleShot(0, app.quit)

    window = Window()
    window.setCentralWidget(QLabel("A window"))
    window.resize(1320, 860)
    window.show()
    app.exec()


if __name__ == "__main__":
    {"ours": _ours, "bare": _bare}[sys.argv[1]]()
