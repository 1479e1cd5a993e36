"""Models in the engine's process: what hangs is stopped, and a crash there costs no notebook."""

import contextlib
import queue
import threading
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from explorer.api.errors import Cancelled, MachineFault, error_of
from explorer.api.family import Context, LoadOptions
from explorer.api.question import ModelCard
from explorer.api.question.roles import RoleBinding
from explorer.engine.messages import (
    Answer,
    Ask,
    Died,
    EngineRequest,
    Event,
    Failed,
    LoadModel,
    PartialResult,
    Progress,
    Ready,
    Stopped,
    Unload,
)
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.engine.configuration import EngineConfiguration

PATIENCE_S = 5.0
"""Seconds that a call which is stopped may take to end; then its process is ended."""


class EngineRunner:
    """Loads and asks models in a process of its own, as a Runner does in this one.

    Each call has a lane of its own, so that none cancels another, and threads may call at once: the
    engine answers one after the other, and lets long answers give way. It loads no model beside an
    answer, because transformers sets torch's usual numbers for all of a process meanwhile. Ctrl+C
    stops the call that is waited for, within a layer; where that does not obey, the process is
    ended, and the models are loaded again.

    Args:
        configuration: What the process is told at its start.
    """

    is_apart = True

    def __init__(self, configuration: "EngineConfiguration") -> None:
        from explorer.engine.process.client import EngineProcess

        self._waiting: dict[str, queue.SimpleQueue[Event]] = {}
        self._lock, self._calls = threading.Lock(), 0
        self._cards: dict[str, ModelCard] = {}
        self._versions: dict[str, str] = {}
        self._engine = EngineProcess(configuration)
        self._engine.start(self._hear)

    @property
    def models(self) -> Mapping[str, Any]:
        """None: they lie there."""
        return {}

    @property
    def cards(self) -> Mapping[str, ModelCard]:
        """The loaded models by slot."""
        return MappingProxyType(self._cards)

    def versions(self) -> dict[str, str]:
        """Of what answers there."""
        return dict(self._versions)

    def load(
        self, slot: str, checkpoint_id: str, options: LoadOptions, context: Context
    ) -> ModelCard:
        """Load a checkpoint into a slot.

        Raises:
            ExplorerError: As the engine tells it.
        """
        card: ModelCard = self._ask(LoadModel(slot, checkpoint_id, options), context)
        self._cards[slot] = card
        return card

    def unload(self, slot: str) -> None:
        """Free a slot; fine when it is empty."""
        if self._cards.pop(slot, None) is not None:
            self._ask(Unload(slot), Context())

    def ask(self, request: Any, models: RoleBinding, context: Context) -> Any:
        """Answer a request with the models that play its roles, by their slots.

        Raises:
            ExplorerError: As the engine tells it, or it died.
            KeyboardInterrupt: The user stopped it.
        """
        return self._ask(Ask(request, models), context)

    def close(self) -> None:
        """End the process."""
        self._engine.close()

    def _ask(self, request: EngineRequest, context: Context) -> Any:
        with self._lock:
            self._calls += 1
            lane = f"call {self._calls}"
            heard = self._waiting[lane] = queue.SimpleQueue()
        self._engine.submit(lane, request)
        try:
            return self._wait(heard, context)
        except (KeyboardInterrupt, Cancelled):
            self._stop(lane, heard)
            raise
        finally:
            del self._waiting[lane]

    def _wait(self, heard: "queue.SimpleQueue[Event]", context: Context) -> Any:
        while True:
            with contextlib.suppress(queue.Empty):
                # Not for ever: on Windows nothing interrupts a wait.
                event = heard.get(timeout=0.2)
                if isinstance(event, Answer):
                    return event.result
                if isinstance(event, Progress):
                    context.progress(event.stage, event.done, event.total)
                elif isinstance(event, PartialResult):
                    context.show(event.result)
                elif isinstance(event, Failed):
                    raise error_of(event.failure)
                elif isinstance(event, Died):
                    raise MachineFault(
                        N_("The process that runs models ended. {reason}"),
                        N_("Ask again."),
                        reason=event.reason,
                    )
                elif isinstance(event, Stopped):
                    raise Cancelled

    def _stop(self, lane: str, heard: "queue.SimpleQueue[Event]") -> None:
        self._engine.cancel(lane)
        with contextlib.suppress(queue.Empty):
            while not isinstance(heard.get(timeout=PATIENCE_S), Answer | Failed | Stopped | Died):
                pass
            return
        self._engine.restart()

    def _hear(self, event: Event) -> None:
        """On a thread of the engine's."""
        if isinstance(event, Ready):
            self._versions.update(event.versions)
        elif isinstance(event, Died):
            for call in event.lost:
                if (waits := self._waiting.get(call.lane)) is not None:
                    waits.put(event)
        elif (waits := self._waiting.get(getattr(event, "lane", ""))) is not None:
            waits.put(event)
