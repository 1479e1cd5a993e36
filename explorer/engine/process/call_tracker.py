"""What the client knows of the calls it sent: which are under way, what the engine holds."""

import threading

from explorer.engine.messages import (
    Answer,
    Ask,
    Call,
    EngineRequest,
    Event,
    Failed,
    LoadModel,
    PartialResult,
    Progress,
    Stopped,
    Unload,
)


class CallTracker:
    """Numbers calls, tells late answers from current ones, remembers what is loaded.

    Every method may be called from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: dict[str, int] = {}
        self._open: dict[tuple[str, int], Call] = {}
        self._sent: set[tuple[str, int]] = set()
        self._loads: dict[str, Call] = {}

    def open(self, lane: str, request: EngineRequest) -> Call:
        """A new call, with the lane's next number."""
        with self._lock:
            number = self._newest.get(lane, 0) + 1
            self._newest[lane] = number
            call = Call(lane, number, request)
            self._open[lane, number] = call
        return call

    def send(self, call: Call) -> bool:
        """The call goes to the process that runs now.

        Returns:
            False when it need not: something newer was asked in its lane, or it is lost already.
        """
        key = (call.lane, call.number)
        with self._lock:
            if self._newest.get(call.lane) != call.number:
                self._open.pop(key, None)
            if key not in self._open:
                return False
            self._sent.add(key)
            return True

    def unsend(self, call: Call) -> None:
        """The call could not be written after all."""
        with self._lock:
            self._sent.discard((call.lane, call.number))

    def under_way(self, lane: str) -> Call | None:
        """The newest call of a lane, while it has no end."""
        with self._lock:
            return self._open.get((lane, self._newest.get(lane, 0)))

    def take(self, event: Event) -> bool:
        """Note an event of the engine's.

        Returns:
            Whether it is to be told: nothing of a call that a newer one made pointless is.
        """
        if not isinstance(event, Answer | Failed | Stopped | Progress | PartialResult):
            return True
        key = (event.lane, event.number)
        with self._lock:
            if not isinstance(event, Progress | PartialResult):
                call = self._open.pop(key, None)
                self._sent.discard(key)
                if call is not None and isinstance(event, Answer):
                    self._remember(call)
            return self._newest.get(event.lane) == event.number

    def at_work(self) -> EngineRequest | None:
        """What the process was given and has not answered: a load before all else."""
        with self._lock:
            sent = [call.request for key, call in self._open.items() if key in self._sent]
        return min(
            sent,
            key=lambda one: (not isinstance(one, LoadModel), not isinstance(one, Ask)),
            default=None,
        )

    def lose(self, *, unsent_too: bool) -> tuple[Call, ...]:
        """The process is gone: forget what it had been sent.

        Args:
            unsent_too: There will be no other process either.

        Returns:
            The calls nobody will answer, without those a newer one made pointless.
        """
        with self._lock:
            gone = [key for key in self._open if unsent_too or key in self._sent]
            calls = [self._open.pop(key) for key in gone]
            self._sent.clear()
            return tuple(call for call in calls if self._newest.get(call.lane) == call.number)

    def reloads(self) -> tuple[Call, ...]:
        """New calls that load again what was loaded, oldest first.

        A slot that a waiting call will load anyway is left to it.
        """
        with self._lock:
            waiting = {
                call.request.slot
                for call in self._open.values()
                if isinstance(call.request, LoadModel)
            }
            loads = [call for slot, call in self._loads.items() if slot not in waiting]
        return tuple(self.open(call.lane, call.request) for call in loads)

    def _remember(self, call: Call) -> None:
        request = call.request
        if isinstance(request, LoadModel | Unload):
            self._loads.pop(request.slot, None)
        if isinstance(request, LoadModel):
            self._loads[request.slot] = call
