"""What must be known before numbers of two models are believed, as a caption tells it."""

from typing import Any

from explorer.text import said


def noted(result: Any) -> tuple[str, ...]:
    """The notes of an answer: over which words distributions are renormalised among them."""
    return tuple(map(said, result.notes))
