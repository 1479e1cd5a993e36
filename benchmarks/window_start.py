"""From starting the program to its first painted window, against a bare PySide6 window.

The window is painted while it is still empty and filled right after; `filled` says when.
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
        2.0,
        f"process start to first paint, median of {REPEATS}, the engine starting meanwhile",
    )


def _ours() -> None:
    from explorer.engine.process.engine_handle import begin

    begun = begin(ahead=True)
    from PySide6.QtCore import QEvent, QObject
    from PySide6.QtWidgets import QMainWindow

    from explorer.app import Running, application
    from explorer.paths import Paths
    from explorer.program import Program

    app = application()

    class FirstPaint(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and isinstance(watched, QMainWindow):
                app.removeEventFilter(self)
                say_done()
            return super().eventFilter(watched, event)

    watcher = FirstPaint()
    app.installEventFilter(watcher)
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
            QTimer.singleShot(0, painted)

    def painted() -> None:
        say_done()
        app.quit()

    window = Window()
    window.setCentralWidget(QLabel("A window"))
    window.resize(1320, 860)
    window.show()
    app.exec()


if __name__ == "__main__":
    {"ours": _ours, "bare": _bare}[sys.argv[1]]()
