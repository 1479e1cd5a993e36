"""Answers that are followed back to what they were made from, where a model can be."""

from collections.abc import Iterator
from contextlib import contextmanager

from explorer.api.family import ModelStamp, Unavailable
from explorer.text import N_, Phrase

FINE = frozenset({"float32", "float64"})
"""Number types whose gradients are worth summing up."""

_TOLD = ("grad", "backward", "derivative", "graph", "model.train()")
"""What torch says of a model that was compiled or quantised, or whose parts keep no trace."""


def why_no_gradients(stamp: ModelStamp) -> str:
    """Why a model has none as it is loaded, in a sentence: a Phrase, or marked with `N_`.

    A gradient goes back through every layer, so that all of their weights have to be there at once;
    and a function of rounded weights and states is made of steps, whose slope says nothing.
    """
    if stamp.is_offloaded:
        return N_(
            "Gradients need all layers in memory at once, and some of this model's lie elsewhere."
        )
    if stamp.is_quantised:
        return Phrase(
            N_("This model gives no gradients, for its weights are rounded to {dtype}."),
            dtype=stamp.dtype.split()[0],
        )
    if stamp.dtype in FINE:
        return ""
    return Phrase(
        N_("Gradients are too coarse in {dtype}, as this model is loaded."), dtype=stamp.dtype
    )


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
    except (RuntimeError, AssertionError) as error:  # Reformer asserts that it is trained
        told = str(error)
        if not any(word in told for word in _TOLD):
            raise
        raise Unavailable(message, hint) from error
