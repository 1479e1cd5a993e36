"""How long work may take, in passes of a plain loop: processors differ, and so does the hour."""

import time

ITEMS = 600_000
"""Of one pass: some 20 ms on a fast processor of 2025, 35 to 50 ms on a slow shared one."""


def a_pass() -> float:
    """Seconds of the processor for going through a list of 600,000 items here and now."""
    return sorted(_timed() for _ in range(5))[2]


def _timed() -> float:
    begun = time.process_time()
    for number in (made := list(range(ITEMS))):
        made[number] = number + 1
    return time.process_time() - begun
