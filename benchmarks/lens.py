"""The lens of all layers at BERT base size: ours through the engine, and InterpKit's."""

import time
from collections.abc import Iterator

import numpy as np

from benchmarks.rival import at_base_size, medians
from benchmarks.row import Row

TOKENS = 25
REPEATS = 9
WHAT = (
    f"the lens of all layers, {TOKENS} tokens, BERT base size, engine to UI included, against "
    "InterpKit 0.7"
)


def measure() -> Row:
    """Time both in turns on the same random weights; both must find the same probabilities."""
    return Row(
        WHAT,
        *medians(_turns()),
        1.0,
        f"median of {REPEATS} sentences in turns, random weights, float32, CPU; both give the five "
        "most probable pieces of each layer at each token, ours entropies, divergences and ranks "
        "too; InterpKit is given the model as a masked language model, and the table that it "
        "prints goes to no screen",
    )


def _turns() -> Iterator[tuple[float, float]]:
    from explorer.questions.layers.logit_lens.question import LogitLensRequest

    with at_base_size("interpkit", WHAT) as (ours, theirs, words):
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
            yield mine, other
