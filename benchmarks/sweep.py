"""A sweep of 64 tokens at BERT base size: our engine, and a loop over the pipeline."""

import queue
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.random_bert import save_bert_base
from benchmarks.row import Row

TOKENS = 64
REPEATS = 3


def measure() -> Row:
    """Time both in turns, on the same random weights and the same text."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bert-base-random"
        words = save_bert_base(folder)[: TOKENS - 2]
        loop = _loop(folder, words)
        times: tuple[list[float], list[float]] = ([], [])
        with _engine(folder, words) as sweep:
            sweep()
            loop()
            for _ in range(REPEATS):
                for work, taken in zip((sweep, loop), times, strict=True):
                    start = time.perf_counter()
                    work()
                    taken.append(time.perf_counter() - start)
    ours, theirs = (statistics.median(taken) for taken in times)
    return Row(
        f"mask each of {TOKENS} tokens in turn, BERT base size, engine to UI included, against a "
        "loop over transformers' fill-mask pipeline",
        ours,
        theirs,
        0.5,
        f"median of {REPEATS} sweeps in turns, {len(words)} words, random weights, float32, CPU; "
        "the pipeline is asked for the word that stood there (targets), ours gives five more",
    )


def _loop(folder: Path, words: list[str]) -> Callable[[], None]:
    from transformers import AutoModelForMaskedLM, AutoTokenizer, pipeline

    fill = pipeline(
        "fill-mask",
        model=AutoModelForMaskedLM.from_pretrained(folder),
        tokenizer=AutoTokenizer.from_pretrained(folder),
    )

    def loop() -> None:
        for place, word in enumerate(words):
            fill(" ".join([*words[:place], "[MASK]", *words[place + 1 :]]), targets=[word])

    return loop


@contextmanager
def _engine(folder: Path, words: list[str]) -> Iterator[Callable[[], None]]:
    from explorer.engine.configuration import EngineConfiguration
    from explorer.engine.messages import Answer, Ask, Event, Failed, Load
    from explorer.engine.process.client import EngineProcess
    from explorer.paths import Paths
    from explorer.questions.masking.surprisal.question import SurprisalRequest

    events: queue.Queue[Event] = queue.Queue()
    with tempfile.TemporaryDirectory() as profile:
        engine = EngineProcess(EngineConfiguration.of(Paths.profile(Path(profile))))
        engine.start(events.put)

        def answer(lane: str) -> None:
            while True:
                event = events.get(timeout=600)
                if isinstance(event, Failed):
                    raise RuntimeError(event.failure.message)
                if isinstance(event, Answer) and event.lane == lane:
                    return

        def ask() -> None:
            engine.submit("view:surprisal", Ask(SurprisalRequest(" ".join(words))))
            answer("view:surprisal")

        try:
            engine.submit("load:A", Load("A", str(folder)))
            answer("load:A")
            yield ask
        finally:
            engine.close()
