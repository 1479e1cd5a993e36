"""Answers that are followed back to what they were made from, where a model can be."""

from collections.abc import Iterator
from contextlib import contextmanager

from explorer.api import Unavailable

_TOLD = ("grad", "backward", "derivative", "graph")
"""What torch says of a model that was compiled or quantised, or whose parts keep no trace."""


@contextmanager
def followed_back(message: str, hint: str = "") -> Iterator[None]:
    """Say in one line that a model gives no gradients, where torch fails for that.

    Args:
        message: What is said.
        hint: What to do.

    Raises:
        Unavailable: It gives none.
    """
    try:
        yield
    except RuntimeError as error:
        told = str(error)
        if not any(word in told for word in _TOLD):
            raise
        raise Unavailable(message, hint) from error
