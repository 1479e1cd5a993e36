"""Work on a thread of its own, so that the window never waits; only the last one asked is told."""

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

from explorer.api.question import ExplorerError, Failure


class LatestWork(QObject):
    """Does one thing after the other asks for it; what was asked before is told no more.

    Signals:
        done: What the work gave.
        trouble: A Failure.
    """

    done = Signal(object)
    trouble = Signal(object)
    _answered = Signal(int, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._number = 0
        self._answered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._threads: list[threading.Thread] = []

    @property
    def is_idle(self) -> bool:
        """Nothing is being done."""
        return not any(thread.is_alive() for thread in self._threads)

    def ask(self, work: Callable[[], object]) -> None:
        """Do something; a signal tells what it gave, or the error that it met."""
        self._number += 1
        thread = threading.Thread(
            target=self._work, args=(self._number, work), name=self._name, daemon=True
        )
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()

    def wait(self, seconds: float) -> None:
        """Stand still until what was asked last is done, but no longer than this."""
        for thread in self._threads[-1:]:
            thread.join(seconds)

    def forget(self) -> None:
        """Tell nothing of what was asked so far."""
        self._number += 1

    def _work(self, number: int, work: Callable[[], object]) -> None:
        answer: object
        try:
            answer = work()
        except ExplorerError as error:
            answer = Failure.of(error)
        try:
            self._answered.emit(number, answer)
        except RuntimeError:
            return  # the window is gone

    def _deliver(self, number: int, answer: object) -> None:
        if number == self._number:
            (self.trouble if isinstance(answer, Failure) else self.done).emit(answer)
