"""What a checkpoint's tokenizer raises over a text: it comes of the checkpoint's files."""

from collections.abc import Iterator
from contextlib import contextmanager

from explorer.api.family import CheckpointFault
from explorer.text import N_
from explorer.text.printable import first_line

PANIC = "PanicException"
"""What is raised where code in Rust gave up; it is no Exception."""


@contextmanager
def cutting() -> Iterator[None]:
    """Tell whose fault it is where a tokenizer can't cut a text.

    Raises:
        CheckpointFault: The library raised what it has no class of its own for.
    """
    try:
        yield
    except BaseException as error:
        if type(error) is not Exception and type(error).__name__ != PANIC:
            raise
        raise CheckpointFault(
            N_("This checkpoint's tokenizer can't split the text ({first_line})."),
            N_("Its files do not fit each other, or are damaged: copy them again."),
            first_line=first_line(error),
        ) from error
