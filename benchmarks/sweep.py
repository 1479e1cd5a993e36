"""A sweep of 64 tokens at BERT base size: our engine, and a loop over the pipeline."""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.engine import engine_with
from benchmarks.random_bert import save_bert_base
from benchmarks.row import Row

TOKENS = 64
REPEATS = 3


def measure() -> Row:
    """Time both in turns, on the same random weights and the same text."""
    from explorer.questions.masking.surprisal.question import SurprisalRequest

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bert-base-random"
        words = save_bert_base(folder)[: TOKENS - 2]
        loop = _loop(folder, words)
        times: tuple[list[float], list[float]] = ([], [])
        with engine_with(folder) as ask:

            def sweep() -> None:
                ask(SurprisalRequest(" ".join(words)))

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
