"""GPT-3's anatomy, from a question to its answer, in an engine that is ready."""

import queue
import tempfile
import time
from pathlib import Path

import psutil

from benchmarks.row import Row

CHECKPOINT, READY = "gpt3-175b", "bert-miniature"
SMALLEST = 174 * 10**9
REPEATS = 5


def measure() -> list[Row]:
    """The first answer about a GPT in each of several engines, and the memory it takes."""
    runs = sorted(_once() for _ in range(REPEATS))
    seconds = runs[len(runs) // 2][0]
    megabytes = max(memory for _, memory in runs)
    how = f"question to answer, GPT's classes imported for it, median of {REPEATS} engines"
    return [
        Row("GPT-3's anatomy, 175 billion parameters on the meta device", seconds, None, 1.0, how),
        Row(
            "memory that it adds to the engine",
            megabytes,
            None,
            200.0,
            f"resident, the largest of {REPEATS}, against the engine after a BERT's architecture",
            unit="MB",
        ),
    ]


def _once() -> tuple[float, float]:
    """Seconds from the question to the answer, and megabytes more than before."""
    from explorer.engine.configuration import EngineConfiguration
    from explorer.engine.messages import Answer, Ask, Event, Failed
    from explorer.engine.process.client import EngineProcess
    from explorer.paths import Paths
    from explorer.questions.architecture.architecture.question import (
        ArchitectureRequest,
        ArchitectureResult,
    )

    events: queue.Queue[Event] = queue.Queue()
    with tempfile.TemporaryDirectory() as profile:
        engine = EngineProcess(EngineConfiguration.of(Paths.profile(Path(profile))))
        engine.start(events.put)

        def ask(checkpoint: str) -> int:
            engine.submit("architecture", Ask(ArchitectureRequest(checkpoint), {}))
            event = events.get(timeout=120)
            while not isinstance(event, Answer | Failed):
                event = events.get(timeout=120)
            if isinstance(event, Failed):
                raise RuntimeError(event.failure.message)
            assert isinstance(event.result, ArchitectureResult)
            return event.result.parameters.unique

        try:
            # Once an engine has answered this it has imported what every model needs.
            ask(READY)
            process = psutil.Process(engine.pid)
            before = process.memory_info().rss
            start = time.perf_counter()
            parameters = ask(CHECKPOINT)
            seconds = time.perf_counter() - start
            if parameters < SMALLEST:
                raise RuntimeError("That was not GPT-3.")
            return seconds, (process.memory_info().rss - before) / 1e6
        finally:
            engine.close()
