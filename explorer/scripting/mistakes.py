"""What goes wrong where Python asks: the program's own failures, with what to do about them."""

import contextlib
from collections.abc import Iterator

from explorer.api.errors import ExplorerError, UserMistake

__all__ = ["Mistake", "Trouble", "advised"]

Trouble = ExplorerError
"""Whatever the program expects to go wrong: a mistake, a damaged checkpoint, no memory."""
Mistake = UserMistake
"""A question, a text or a value that can't be asked as it is; it says what can."""


@contextlib.contextmanager
def advised() -> Iterator[None]:
    """Let a failure say what to do about it where Python shows it, in the reader's language."""
    try:
        yield
    except ExplorerError as error:
        notes = (error.said if error.said != error.message else "", error.advice)
        for note in filter(None, notes):
            if note not in getattr(error, "__notes__", ()):
                error.add_note(note)
        raise
