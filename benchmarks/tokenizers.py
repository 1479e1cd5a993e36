"""A long text through fifteen tokenizers, from the question to the answer, in an engine."""

import queue
import random
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.row import Row

CHARACTERS, REPEATS = 100_000, 5
DISTINCT = ("albert", "bert", "gpt1", "gpt2", "gpt2-prompts", "roberta", "t5", "xlm")
ALIKE = (
    *("deberta-v1", "deberta-v2", "distilbert", "ernie", "mobilebert", "spanbert", "tinybert"),
)
SCRIPTS = (
    *((0x61, 0x7A), (0xE0, 0x17F), (0x3B1, 0x3C9), (0x430, 0x44F), (0x5D0, 0x5EA)),
    *((0x627, 0x64A), (0x905, 0x939), (0xE01, 0xE2E), (0x4E00, 0x5FFF), (0xAC00, 0xB3FF)),
)
"""First and last letter of ten scripts."""


def measure() -> Row:
    """Texts that are new each time; the tokenizers were read before, for a short one."""
    from explorer.engine.configuration import EngineConfiguration
    from explorer.engine.messages import Answer, Ask, Event, Failed
    from explorer.engine.process.client import EngineProcess
    from explorer.paths import Paths
    from explorer.questions.tokenizers.side_by_side.question import (
        SideBySideRequest,
        SideBySideResult,
    )

    names = tuple(f"{name}-miniature" for name in (*DISTINCT, *ALIKE))
    events: queue.Queue[Event] = queue.Queue()
    with tempfile.TemporaryDirectory() as profile:
        engine = EngineProcess(EngineConfiguration.of(Paths.profile(Path(profile))))
        engine.start(events.put)

        def ask(text: str) -> float:
            start = time.perf_counter()
            engine.submit("tokenizers", Ask(SideBySideRequest(text, names), {}))
            event = events.get(timeout=120)
            while not isinstance(event, Answer | Failed):
                event = events.get(timeout=120)
            if isinstance(event, Failed):
                raise RuntimeError(event.failure.message)
            assert isinstance(event.result, SideBySideResult)
            if len(event.result.cuttings) != len(names):
                raise RuntimeError("Some tokenizers are missing.")
            return time.perf_counter() - start

        try:
            ask("the chef")
            seconds = statistics.median(ask(_text(seed)) for seed in range(REPEATS))
        finally:
            engine.close()
    return Row(
        f"fifteen tokenizers, XLM's among them, over {CHARACTERS:,} characters",
        seconds,
        None,
        2.0,
        f"question to answer, pipe included, median of {REPEATS} texts in ten scripts, each of "
        "words that no other has; the tokenizers are read before",
    )


def _text(seed: int) -> str:
    """Words of ten scripts, the most frequent one in every tenth place, as in real texts."""
    generator = random.Random(seed)
    words = [_word(generator) for _ in range(8000)]
    weights = [1 / (10 + rank) for rank in range(len(words))]
    return " ".join(generator.choices(words, weights, k=CHARACTERS // 5))[:CHARACTERS]


def _word(generator: random.Random) -> str:
    first, last = generator.choice(SCRIPTS)
    letters = [chr(generator.randint(first, last)) for _ in range(generator.randint(2, 9))]
    return "".join(letters) + generator.choice(("", "", "", "", ",", ".", "…"))
