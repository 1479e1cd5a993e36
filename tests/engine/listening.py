"""A listener that tests can wait with."""

import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from explorer.engine.messages import Answer, Event, Failed, Stopped

E = TypeVar("E")


class Listener:
    """Keeps every event, and lets a test wait for one."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._condition = threading.Condition()

    def __call__(self, event: Event) -> None:
        with self._condition:
            self.events.append(event)
            self._condition.notify_all()

    def wait_for(
        self,
        kind: type[E],
        where: Callable[[E], bool] = lambda _event: True,
        *,
        after: int = 0,
        timeout: float = 60.0,
    ) -> E:
        """The first event of a kind, of those from index `after` on."""

        def found() -> E | None:
            return next((e for e in self.events[after:] if isinstance(e, kind) and where(e)), None)

        with self._condition:
            assert self._condition.wait_for(lambda: found() is not None, timeout), (
                f"no {kind} in {timeout} s; told: {self.events[after:]}"
            )
            event = found()
        assert event is not None
        return event

    def end_of(self, lane: str, number: int, *, timeout: float = 60.0) -> Any:
        """How a call ended: its Answer, Failed or Stopped."""
        return self.wait_for(
            Answer | Failed | Stopped,  # type: ignore[arg-type]
            lambda e: (e.lane, e.number) == (lane, number),
            timeout=timeout,
        )

    def of_lane(self, lane: str) -> list[Event]:
        return [event for event in self.events if getattr(event, "lane", None) == lane]


def wait_until(condition: Callable[[], bool], timeout: float = 10.0) -> bool:
    """Wait for something that tells nobody when it happens."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    import psutil

    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
