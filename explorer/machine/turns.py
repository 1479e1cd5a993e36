"""Who is at work with models in this process: one thread at a time."""

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.engine.configuration import ModelRunner

_TURN = threading.RLock()


@contextlib.contextmanager
def at_work(runner: "ModelRunner") -> Iterator[None]:
    """While a runner loads or asks; what libraries print goes beside the answers.

    In this process one thread at a time does so, as torch and the standard output are everybody's.
    """
    if runner.is_apart:
        yield
        return
    with _TURN, contextlib.redirect_stdout(sys.stderr):
        yield
