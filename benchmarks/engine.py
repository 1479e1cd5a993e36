"""The program's engine with a model loaded, asked as the window asks it."""

import queue
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def engine_with(folder: Path) -> Iterator[Callable[[Any], Any]]:
    """Gives what asks a request and waits for the result."""
    from explorer.engine.configuration import EngineConfiguration
    from explorer.engine.messages import Answer, Ask, Event, Failed, LoadModel
    from explorer.engine.process.client import EngineProcess
    from explorer.paths import Paths

    events: queue.Queue[Event] = queue.Queue()
    with tempfile.TemporaryDirectory() as profile:
        engine = EngineProcess(EngineConfiguration.of(Paths.profile(Path(profile))))
        engine.start(events.put)

        def answer(lane: str) -> Any:
            while True:
                event = events.get(timeout=600)
                if isinstance(event, Failed):
                    raise RuntimeError(event.failure.message)
                if isinstance(event, Answer) and event.lane == lane:
                    return event.result

        def ask(request: Any) -> Any:
            engine.submit("view:asked", Ask(request))
            return answer("view:asked")

        try:
            engine.submit("load:A", LoadModel("A", str(folder)))
            answer("load:A")
            yield ask
        finally:
            engine.close()
