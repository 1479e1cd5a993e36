"""Watching a run's folder until nothing happens there any more."""

import time
from collections.abc import Callable

from explorer.learning.runs.run_folder import RunFolder, gone
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.learning.runs.trainings import Trainings

LOOK_EVERY = 0.2
"""Seconds between two looks."""

Told = Callable[[RunState, dict[str, float] | None], None]
"""Is given how far a run is, and the last row of its curve."""


def follow(
    trainings: Trainings,
    one: RunFolder,
    tell: Told,
    wait: Callable[[float], object] = time.sleep,
) -> RunState:
    """Wait until a run rests; whoever leaves earlier leaves the training as it is.

    Args:
        trainings: Where it lies.
        one: The run.
        tell: Called at each look.
        wait: Lets some seconds go by.

    Raises:
        UserMistake: It is gone.
        MachineFault: The process that trains ended by itself, or does not start.
    """
    while True:
        if not one.is_one:
            raise gone(one.name)
        state = one.state
        rows = one.curve() if state.status is not RunStatus.WAITING else []
        tell(state, rows[-1] if rows else None)
        if state.status.is_resting:
            return state
        if state.status is RunStatus.WAITING:
            trainings.tend()
        wait(LOOK_EVERY)
