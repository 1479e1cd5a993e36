"""A million tokens of a miniature searched for the places nearest to a word.

python -m benchmarks contexts
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.row import Row

TOKENS, WIDTH, PLACES = 1_000_000, 128, 20
TEXTS, A_TEXT = 1000, 10
"""Of a block, and tokens of each text."""


def measure() -> list[Row]:
    """The rows of the benchmark page."""
    import torch

    from explorer.questions.layers.contexts.compute import near_place
    from explorer.questions.layers.contexts.corpus import CorpusText
    from explorer.questions.layers.contexts.index import StatesIndex
    from explorer.questions.layers.contexts.search import nearest, unit

    torch.set_num_threads(1)
    random = np.random.default_rng(0)
    texts = [CorpusText("ten words " * 5, ((0, 3, "role", "tool"),)) for _ in range(TEXTS)]
    places = np.array([(n // A_TEXT, 0, 3) for n in range(TEXTS * A_TEXT)])
    with tempfile.TemporaryDirectory() as folder:
        made = StatesIndex(Path(folder) / "index", "benchmark", WIDTH)
        while made.end.tokens < TOKENS:
            rows = random.standard_normal((len(places), WIDTH), np.float32)
            made.add(texts, places, unit(rows).astype(np.float16))
        start = time.process_time()
        index = StatesIndex(made.folder, "benchmark", WIDTH)
        opened = time.process_time() - start
        wanted = unit(random.standard_normal((12, WIDTH), np.float32))

        def search(words: int) -> None:
            numbers, _cosines = nearest(index.states(index.end), wanted[:words], PLACES)
            for number in np.unique(numbers).tolist():
                near_place(*index.place(number))

        times = [_processor_seconds(search, words) for words in (1, 12)]
        size = sum(one.stat().st_size for one in made.folder.iterdir())
    note = (
        f"{WIDTH} wide, float16 on disk, exact, {PLACES} places with their texts, median of 15, "
        "processor time of one thread"
    )
    return [
        Row(
            "a million tokens searched for the places nearest to a word", times[0], None, 0.1, note
        ),
        Row("the same for all words of a sentence", times[1], None, 1.0, f"12 of them; {note}"),
        Row(
            "the index of a million tokens opened, its checksums taken",
            opened,
            None,
            2.0,
            f"once a program, {size / 1e6:,.0f} MB, processor time",
        ),
    ]


def _processor_seconds(search: Callable[[int], None], words: int) -> float:
    """Median of what a search takes of a processor, whatever else is at work on it."""
    times = []
    for _ in range(15):
        start = time.process_time()
        search(words)
        times.append(time.process_time() - start)
    return statistics.median(times)
