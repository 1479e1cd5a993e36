"""How long fine-tuning will take, told by a step of it that is made here and thrown away."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from explorer.learning.runs.frame_steps import frame_steps

if TYPE_CHECKING:
    from explorer.learning.tuning.plan import TuningPlan

STEPS: Final = 3
"""That are timed, after one that warms up."""
SECONDS: Final = 5.0
"""After which no further one is begun."""
JUDGED: Final = 64
"""Held-out examples that are judged; the others take as long."""


@dataclass(frozen=True)
class MeasuredStep:
    """What a step took.

    Attributes:
        device: Where, as torch names it.
        seconds: Of a step, on average.
        judging: Seconds in which all that is held out is judged, about.
        steps: Of the whole run.
        frames: At which it is judged.
    """

    device: str
    seconds: float
    judging: float
    steps: int
    frames: int

    @property
    def whole(self) -> float:
        """Seconds of the whole run, about."""
        return self.steps * self.seconds + self.frames * self.judging


def measured_step(plan: TuningPlan) -> MeasuredStep:
    """Begin a plan as its run would, with one thread, and make a few steps; nothing is kept.

    Raises:
        UserMistake: It can't be trained as it is.
        CheckpointFault: The model can't be read.
    """
    import torch

    from explorer.learning.tuning.judged import judge
    from explorer.learning.tuning.recipe import TuningRecipe

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        recipe = TuningRecipe(plan)
        run = recipe.begin()
        device = next(run.model.parameters()).device
        run.advance()
        _finish(device)
        began, made = time.perf_counter(), 0
        while made < STEPS and (not made or time.perf_counter() - began < SECONDS):
            run.advance()
            made += 1
        _finish(device)
        seconds = (time.perf_counter() - began) / made
        few = replace(recipe.texts, held_out=recipe.texts.held_out[:JUDGED])
        began = time.perf_counter()
        judge(run.model, run.tokenizer, few, recipe.length_of(run.tokenizer))
        judging = time.perf_counter() - began
    finally:
        torch.set_num_threads(threads)
    share = len(recipe.texts.held_out) / max(1, len(few.held_out))
    return MeasuredStep(str(device), seconds, judging * share, run.steps, frames_of(plan))


def frames_of(plan: TuningPlan) -> int:
    """How often what is held out is judged, at most."""
    return len(frame_steps(plan.steps)) + (plan.epochs if plan.patience else 0)


def _finish(device: object) -> None:
    """Wait for what a GPU still does."""
    import torch

    if getattr(device, "type", "") == "cuda":
        torch.cuda.synchronize(device)  # type: ignore[arg-type]
