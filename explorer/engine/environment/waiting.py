"""The engine's side of a first start: it waits for its packages while the window makes them."""

import time
from pathlib import Path

from explorer.engine.environment.bundle import bundle
from explorer.engine.environment.place import PackagesFolder

LOOK_S = 0.25
"""Seconds between looks; a look reads one small file."""


def use_when_ready(folder: Path) -> None:
    """Return when this process can import the engine's packages, whoever installs them.

    Args:
        folder: Of the place where they are, or will be.
    """
    came_in, place = bundle(), PackagesFolder(folder)
    if came_in is None:
        return
    while not place.ready(came_in):
        time.sleep(LOOK_S)
    place.use()


def use_if_ready(folder: Path) -> bool:
    """Let this process import the engine's packages; returns whether they are there.

    A program that came whole needs none, and has them all.
    """
    came_in, place = bundle(), PackagesFolder(folder)
    if came_in is None:
        return True
    if not place.ready(came_in):
        return False
    place.use()
    return True
