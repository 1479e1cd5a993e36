"""The one small door through which the window knows the engine.

Nothing here says where the engine is: a process on this machine today, another machine's
tomorrow, a fake in the tests.
"""

from collections.abc import Callable
from typing import Protocol

from explorer.engine.messages import EngineRequest, Event


class Engine(Protocol):
    """Takes requests, tells events.

    Events are told one at a time, on a thread of the engine's own; the window hands them over to
    its own. The newest call of a lane ends with exactly one of Answer, Failed, Stopped, or by
    being among a Died's lost calls; of older calls nothing more is told. When a new process has
    loaded the models of a dead one again, that is told as an Answer with a ModelCard in the lane
    the model was loaded in, with a number that nobody was given by `submit`.
    """

    def start(self, listener: Callable[[Event], None]) -> None:
        """Begin; returns at once. Requests may be submitted before Ready."""

    def submit(self, lane: str, request: EngineRequest) -> int:
        """Send a request; a newer one in a lane cancels the older. Returns its number."""

    def cancel(self, lane: str) -> None:
        """Stop what runs or waits in a lane."""

    def restart(self) -> None:
        """End the process if there is one, start a new one, load the models again."""

    def close(self) -> None:
        """End the engine; returns when its process is gone."""
