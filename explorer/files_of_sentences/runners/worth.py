"""From when on it is quicker to start other processes: measured."""

START = 3.0
"""Seconds of a core that another process takes to import torch and transformers and to load a
miniature: 2.9 and 3.0, measured; 4.5 to 5.7 by the clock where others wanted the cores too
(`python -m benchmarks.processes --start`)."""

COPY_START = 0.5
"""Those of a copy of this process, until it has answered a sentence."""

WORTH = 5
"""Starts: as much work must be left in this process alone, or the others hardly come to work."""

AROUND = 600_000_000
"""Bytes of a process besides its model's weights: torch, transformers, what a block takes."""

LEAST = 500
"""Sentences that must be left: fewer are too few blocks to share."""


def pays(left: int, done: int, seconds: float, start: float = START) -> bool:
    """Whether it is worth while to start other processes.

    Args:
        left: Sentences without a row.
        done: Sentences that were answered so far.
        seconds: How long that took here.
        start: Seconds that another process takes.
    """
    return left >= LEAST and done > 0 and left * seconds / done > WORTH * start
