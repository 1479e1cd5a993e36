"""What fails in the window of a question that a plugin brings: told once, and the rest goes on."""

from collections.abc import Iterator
from contextlib import contextmanager

from explorer.engine.messages import PluginRecord
from explorer.engine.plugins.border.code import failure_of, in_words
from explorer.engine.plugins.questions import broken_question
from explorer.questions.brought import Brought
from explorer.text import _

_records: dict[str, PluginRecord] = {}
_raised: list[bool] = []


def records() -> tuple[PluginRecord, ...]:
    """The rows of what failed since the program was started, for the Plugins dialog."""
    return tuple(_records.values())


def note(one: Brought, error: Exception) -> None:
    """Keep what failed of a question for the dialog."""
    record = broken_question(one, one.place, error)
    _records[record.id] = record


def forget() -> None:
    """Begin anew, with other plugins."""
    _records.clear()


@contextmanager
def raised() -> Iterator[None]:
    """Let what fails raise inside the block: a picture that says so in an answer's place is none.

    Raises:
        PluginFault: A plugin's page or declaration failed.
    """
    _raised.append(True)
    try:
        yield
    finally:
        _raised.pop()


def told(one: Brought, error: Exception) -> str:
    """What the user reads where a plugin's page or declaration fails; kept for the dialog.

    Raises:
        PluginFault: Nobody would see it, as `raised` says.
    """
    if _raised:
        raise failure_of(one.title, error) from error
    note(one, error)
    return _(
        "The plugin {title} failed to show this ({error}). The Plugins dialog has the details.",
        title=one.title,
        error=in_words(error),
    )
