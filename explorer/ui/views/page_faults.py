"""What fails in the window of a question that a plugin brings: told once, and the rest goes on."""

from explorer.engine.messages import PluginRecord
from explorer.engine.plugins.code import in_words
from explorer.engine.plugins.questions import broken_question
from explorer.questions.brought import Brought
from explorer.text import _

_records: dict[str, PluginRecord] = {}


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


def told(one: Brought, error: Exception) -> str:
    """What the user reads where a plugin's page or declaration fails; kept for the dialog."""
    note(one, error)
    return _(
        "The plugin {title} failed to show this ({error}). The Plugins dialog has the details.",
        title=one.title,
        error=in_words(error),
    )
