"""Work of the window in a process of its own, which says how far it is in lines of JSON."""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal

from explorer.processes.own_processes import command_line, environment
from explorer.program import Program
from explorer.text import language


class OwnProcess(QObject):
    """A module of the program at work beside the window; it ends with its parent, too.

    Args:
        module: Reads JSON from its standard input, and answers on its standard output.
        program: How this window was started; that process is told of it, and of the language.
        wanted: What else it reads.
        parent: Who hears it.

    Signals:
        told: What a line says, by its names.
        ended: It is over, or never began; not after `stop`.
    """

    told = Signal(object)
    ended = Signal()

    def __init__(
        self, module: str, program: Program, wanted: Mapping[str, Any], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._rest = b""
        self._input = json.dumps(
            {"program": program.to_json(), "language": language.current().code, **wanted}
        )
        self.process = QProcess(self)
        name, *arguments = command_line(module)
        self.process.setProgram(name)
        self.process.setArguments(arguments)
        surroundings = QProcessEnvironment()
        for variable, value in environment().items():
            surroundings.insert(variable, value)
        self.process.setProcessEnvironment(surroundings)
        self.process.readyReadStandardOutput.connect(self._hear)
        self.process.finished.connect(self._finished)
        self.process.errorOccurred.connect(self._not_started)
        # Its parent may be gone at any time; what still runs then Qt would complain of.
        self.destroyed.connect(partial(_end, self.process))

    def start(self) -> None:
        """Begin."""
        self.process.start()
        self.process.write(self._input.encode())
        self.process.closeWriteChannel()

    def stop(self) -> None:
        """End it now, and say nothing more."""
        _end(self.process)
        self.deleteLater()

    def _hear(self) -> None:
        heard = self._rest + self.process.readAllStandardOutput().data()
        *lines, self._rest = heard.split(b"\n")
        for line in lines:
            self.told.emit(json.loads(line))

    def _finished(self, *_how: object) -> None:
        self._hear()
        self.ended.emit()
        self.deleteLater()

    def _not_started(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._finished()


def _end(process: QProcess, *_destroyed: object) -> None:
    """End a process that may have ended."""
    process.blockSignals(True)
    if process.state() != QProcess.ProcessState.NotRunning:
        process.kill()
        process.waitForFinished(1000)
