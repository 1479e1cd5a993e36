"""The lens of all layers at BERT base size: ours through the engine, and InterpKit's."""

import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.engine import engine_with
from benchmarks.random_bert import save_bert_base
from benchmarks.rival import rival
from benchmarks.row import Row

TOKENS = 25
REPEATS = 9
WHAT = (
    f"the lens of all layers, {TOKENS} tokens, BERT base size, engine to UI included, against "
    "InterpKit 0.7"
)


def measure() -> Row:
    """Time both in turns on the same random weights; both must find the same probabilities."""
    from explorer.questions.layers.logit_lens.question import LogitLensRequest

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bert-base-random"
        words = save_bert_base(folder)
        times: tuple[list[float], list[float]] = ([], [])
        with rival("interpkit", folder, WHAT) as theirs, engine_with(folder) as ours:
            for turn in range(REPEATS + 1):
                text = " ".join(words[turn : turn + TOKENS - 2])
                start = time.perf_counter()
                grid = ours(LogitLensRequest(text)).grid
                mine = time.perf_counter() - start
                other, layers = theirs(text)
                # Ours begins with the embeddings; the first and the last token are no words.
                found = np.array(layers)[:, list(grid.places)]
                if not np.allclose(grid.probabilities[1:, :, 0], found, rtol=1e-3, atol=1e-7):
                    raise RuntimeError("The two lenses found different probabilities.")
                if turn:
                    times[0].append(mine)
                    times[1].append(other)
    ours_taken, theirs_taken = (statistics.median(taken) for taken in times)
    return Row(
        WHAT,
        ours_taken,
        theirs_taken,
        1.0,
        f"median of {REPEATS} sentences in turns, random weights, float32, CPU; both give the five "
        "most probable pieces of each layer at each token, ours entropies, divergences and ranks "
        "too; InterpKit is given the model as a masked language model, and the table that it "
        "prints goes to no screen",
    )
