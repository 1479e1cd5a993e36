"""How models are unloaded in the tests' own process: as fast as can be, but where memory is tried.

The program looks through everything for what a model has left. Beside all that the tests have
imported that takes longer than to load most of the bundled ones; what is left goes when the next
file of tests begins (tests/conftest.py).
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

RUNNER = "explorer.engine.runner"
_whole: list[Callable[[], None]] = []
"""What the program does, as soon as something has imported it."""


def unload_quickly() -> None:
    """Give back what a model took of a device, and nothing more, from now on."""
    runner = sys.modules.get(RUNNER)
    if runner is not None and not _whole:
        _whole.append(runner._give_memory_back)
        runner._give_memory_back = runner.give_back


@contextmanager
def unloaded_wholly() -> Iterator[None]:
    """Unload as the program does meanwhile."""
    if not _whole:
        yield
        return
    with mock.patch(f"{RUNNER}._give_memory_back", _whole[0]):
        yield
