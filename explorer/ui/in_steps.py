"""Work on the window's own thread, a step at a time, between which it answers its user.

Whatever defines classes of Qt's goes here and not into a thread, such as the import of a page: Qt
asks PySide for what it knows of a class without Python's lock, and PySide 6.11 has none of its own.
A class that another thread was just adding ended the program, seldom and on busy machines.
"""

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal


class InSteps(QObject):
    """Work that is done while its parent lives."""

    finished = Signal()

    def __init__(self, steps: Iterator[object], parent: QObject, pause: int = 0) -> None:
        """Begin with the first step when the events that wait are dealt with.

        Args:
            steps: Does one at each `next`.
            parent: Ends it with its own end.
            pause: Milliseconds between two steps, which are the window's.
        """
        super().__init__(parent)
        self.is_done = False
        self._steps = steps
        self._timer = QTimer(self)
        self._timer.setInterval(pause)
        self._timer.timeout.connect(self._next)
        self._timer.start()

    def _next(self) -> None:
        try:
            next(self._steps)
        except StopIteration:
            self._timer.stop()
            self.is_done = True
            self.finished.emit()
