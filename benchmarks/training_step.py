"""A step of training the small plan, as the process that trains does it, against plain torch.

python -m benchmarks training_step
"""

import copy
import dataclasses
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.row import Row

AT_MOST = 1.1
STEPS, TURNS = 40, 7
WARM_UP = 10


def measure(steps: int = STEPS, turns: int = TURNS) -> Row:
    """The row of the benchmark page."""
    import torch

    from explorer.learning.plan.presets import PRESETS
    from explorer.learning.runs.one_run import OneRun
    from explorer.learning.runs.trainings import Trainings

    plan = dataclasses.replace(PRESETS["small"], steps=10_000)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            work = OneRun(Trainings(folder / "runs", folder).made(plan, "one"))
            # What is kept of weights, and what is measured of them, is done at 20 steps of all.
            work.due = frozenset()
            plain = Plain(work.run)
            work.advance(WARM_UP)
            plain.advance(WARM_UP)
            ours, theirs = [], []
            for _ in range(turns):
                ours.append(_seconds(work.advance, steps))
                theirs.append(_seconds(plain.advance, steps))
    finally:
        torch.set_num_threads(threads)
    return Row(
        "a training step of the small plan, against the same loop in plain torch",
        statistics.median(ours) / steps,
        statistics.median(theirs) / steps,
        AT_MOST,
        f"median of {turns} times {steps} steps in turns, one thread, the same batches drawn by "
        "both; ours writes the curve and looks for commands",
    )


class Plain:
    """The same model and batches in a loop as anybody writes it.

    Args:
        run: What is copied, before its first step.
    """

    def __init__(self, run: Any) -> None:
        import torch

        schedule = run.recipe.schedule
        self._recipe, self._model = run.recipe, copy.deepcopy(run.model)
        self._batches, self._clip = copy.deepcopy(run.batches), schedule.clip
        self._optimizer = torch.optim.AdamW(self._model.parameters(), lr=schedule.peak_rate)
        self._step = 0

    def advance(self, steps: int) -> None:
        """Train so many steps."""
        import torch

        self._model.train()
        for _ in range(steps):
            measured = self._recipe.losses(self._model, self._batches.batch(self._step))
            loss = sum(value for name, value in measured.items() if name.startswith("loss"))
            self._optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self._model.parameters(), self._clip)
            self._optimizer.step()
            self._step += 1


def _seconds(work: Any, steps: int) -> float:
    start = time.perf_counter()
    work(steps)
    return time.perf_counter() - start
