"""Waiting for the process that trains, while others are answered."""

import time
from typing import Final

from explorer.api.question import Context
from explorer.learning.runs.run_folder import RunFolder

PATIENCE: Final = 3.0
"""Seconds to wait until a run that is asked to rest does."""
LOOK_EVERY: Final = 0.05
"""Seconds between two looks whether somebody else waits to be answered."""


def wait(context: Context, seconds: float) -> None:
    """Let others be answered meanwhile.

    Raises:
        Cancelled: Nobody waits for it any more.
    """
    until = time.monotonic() + seconds
    while True:
        context.check()
        context.give_way()
        left = until - time.monotonic()
        if left <= 0:
            return
        time.sleep(min(left, LOOK_EVERY))


def until_resting(one: RunFolder, context: Context) -> None:
    """Wait a moment until a run rests, or longer than anybody would: then it is left."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and one.is_one and not one.state.status.is_resting:
        wait(context, LOOK_EVERY)
