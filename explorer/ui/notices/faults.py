"""Faults nobody caught: kept in a file, told to the user, never the silent end of the program."""

import logging
import sys
import threading
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    Qt,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)

from explorer.api.question import Failure

_log = logging.getLogger(__name__)
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class Faults(QObject):
    """Takes over Python's and Qt's last resorts between install and remove.

    Signals:
        happened: A Failure.
        interrupted: Ctrl-C, or the like, reached a place where nothing else heard it.
    """

    happened = Signal(object)
    interrupted = Signal()
    _caught = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._caught.connect(self.happened, Qt.ConnectionType.QueuedConnection)
        self._before: tuple[Callable[..., object], Callable[..., object]] | None = None

    def install(self) -> None:
        """Hear of every fault from now on."""
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._raised
        threading.excepthook = self._raised_in_thread
        qInstallMessageHandler(_qt_said)

    def remove(self) -> None:
        """Give the hooks back."""
        if self._before is not None:
            sys.excepthook, threading.excepthook = self._before
            self._before = None
            qInstallMessageHandler(None)

    def _raised(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self.interrupted.emit()
            return
        self._tell(error.with_traceback(trace))

    def _raised_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not issubclass(args.exc_type, SystemExit):
            self._tell(args.exc_value)

    def _tell(self, error: BaseException) -> None:
        _log.error("Nobody caught this", exc_info=error)
        try:
            self._caught.emit(Failure.of(error))
        except RuntimeError:
            return  # the window is gone; the log has it


def _qt_said(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    logging.getLogger("qt").log(_LEVELS.get(kind, logging.WARNING), message)
