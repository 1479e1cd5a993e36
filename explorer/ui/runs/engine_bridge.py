"""The engine's events, handed over to the window's thread."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from explorer.api.question import Failure
from explorer.engine.interface import Engine
from explorer.engine.messages import (
    Answer,
    Died,
    EngineRequest,
    Event,
    Failed,
    PartialResult,
    Progress,
    Ready,
    Responsive,
    Stopped,
    Unresponsive,
)


def nothing(*_arguments: object) -> None:
    """Said where nobody waits for an event."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What is to happen with a call's events; each is called on the window's thread.

    A call ends in one of four ways, and none of them may be forgotten: who waits for the others
    would wait for ever.

    Attributes:
        answered: With the Answer; ends the call.
        failed: With the Failure; ends the call.
        stopped: The call was cancelled, by the user or by nobody's wish; ends the call.
        lost: With the reason: the engine died before it answered; ends the call.
        progressed: With a Progress.
        parted: With what there is of the result so far.
    """

    answered: Callable[[Answer], None]
    failed: Callable[[Failure], None]
    stopped: Callable[[], None]
    lost: Callable[[str], None]
    progressed: Callable[[Progress], None] = nothing
    parted: Callable[[Any], None] = nothing


UNHEARD = Reply(answered=nothing, failed=nothing, stopped=nothing, lost=nothing)
"""For a call whose end nobody waits for."""


@dataclass
class _PendingCall:
    number: int
    reply: Reply
    request: EngineRequest = field(repr=False)


class EngineBridge(QObject):
    """Sends requests to the engine and tells what comes back, on the window's thread.

    Signals:
        ready: A Ready: the engine's process runs, or has imported torch.
        died: A Died.
        unresponsive: An Unresponsive: the engine hangs.
        responsive: It hangs no more.
        memory_changed: Resident bytes of the engine's process.
        busy_changed: The lanes with a call under way, a tuple of str.
        progressed: Every Progress that belongs to a call under way.
        unasked: An Answer or Failed of a call the engine made by itself, as when it loads
            again what was loaded before it died.
    """

    ready = Signal(object)
    died = Signal(object)
    unresponsive = Signal(object)
    responsive = Signal()
    memory_changed = Signal(object)
    busy_changed = Signal(object)
    progressed = Signal(object)
    unasked = Signal(object)
    _arrived = Signal(object)

    def __init__(self, engine: Engine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._waiting: dict[str, _PendingCall] = {}
        self._started = False
        self._closed = False
        self.restart_was_asked = False
        self.latest_ready: Ready | None = None
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> tuple[str, ...]:
        """The lanes with a call under way, oldest first."""
        return tuple(self._waiting)

    def start(self) -> None:
        """Start the engine, once; events begin to come. Calls may be submitted before."""
        if not self._started and not self._closed:
            self._started = True
            self._engine.start(self._take)

    def submit(self, lane: str, request: EngineRequest, reply: Reply) -> int:
        """Send a request; an older one in the lane is forgotten, whatever comes of it."""
        if self._closed:
            return 0
        self._waiting.pop(lane, None)
        number = self._engine.submit(lane, request)
        self._waiting[lane] = _PendingCall(number, reply, request)
        self._tell_busy()
        return number

    def is_waiting(self, lanes: str) -> bool:
        """Whether something is under way in lanes whose names begin so."""
        return any(lane.startswith(lanes) for lane in self._waiting)

    def cancel(self, lane: str) -> None:
        """Stop what runs in a lane; its reply is told that it stopped once it has."""
        if lane in self._waiting and not self._closed:
            self._engine.cancel(lane)

    def forget(self, lane: str) -> None:
        """Stop what runs in a lane and tell nobody."""
        if self._waiting.pop(lane, None) is not None and not self._closed:
            self._engine.cancel(lane)
            self._tell_busy()

    def restart(self) -> None:
        """Start a new engine, after the old one died or to take up changed plugins."""
        self.restart_was_asked = True
        self._engine.restart()

    def close(self) -> None:
        """End the engine and hear nothing more of it."""
        if self._closed:
            return
        self._closed = True
        self._waiting.clear()
        self._engine.close()

    def _take(self, event: Event) -> None:
        # The engine's thread: a late event may find the window's side of this object gone.
        if not self._closed:
            try:
                self._arrived.emit(event)
            except RuntimeError:
                self._closed = True

    def _deliver(self, event: Event) -> None:
        if self._closed:
            return
        if isinstance(event, Ready):
            self.latest_ready = event
            self.ready.emit(event)
        elif isinstance(event, Unresponsive):
            self.unresponsive.emit(event)
        elif isinstance(event, Responsive):
            self.responsive.emit()
        elif isinstance(event, Died):
            self._lose(event)
        elif isinstance(event, Progress):
            waiting = self._of(event.lane, event.number)
            if waiting is not None:
                waiting.reply.progressed(event)
                self.progressed.emit(event)
        elif isinstance(event, PartialResult):
            waiting = self._of(event.lane, event.number)
            if waiting is not None:
                waiting.reply.parted(event.result)
        else:
            self._finish(event)

    def _finish(self, event: Answer | Failed | Stopped) -> None:
        if isinstance(event, Answer) and event.memory_bytes:
            self.memory_changed.emit(event.memory_bytes)
        waiting = self._of(event.lane, event.number)
        if waiting is None:
            self.unasked.emit(event)
            return
        del self._waiting[event.lane]
        if isinstance(event, Answer):
            waiting.reply.answered(event)
        elif isinstance(event, Failed):
            waiting.reply.failed(event.failure)
        else:
            waiting.reply.stopped()
        self._tell_busy()

    def _lose(self, event: Died) -> None:
        lost = {call.lane: call.number for call in event.lost}
        for lane, waiting in list(self._waiting.items()):
            if lost.get(lane) == waiting.number:
                del self._waiting[lane]
                waiting.reply.lost(event.reason)
        self.died.emit(event)
        self.restart_was_asked = False
        self._tell_busy()

    def _of(self, lane: str, number: int) -> _PendingCall | None:
        waiting = self._waiting.get(lane)
        return waiting if waiting is not None and waiting.number == number else None

    def _tell_busy(self) -> None:
        self.busy_changed.emit(self.busy)
