"""Where everything is kept that the program writes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.engine.library.hub_cache import default_hub_cache
from explorer.paths import Paths
from explorer.text import _


@dataclass(frozen=True)
class KeptPath:
    """A file or a folder.

    Attributes:
        name: Of its row, for tests and screen readers.
        title: What is kept there.
        path: Where.
        folder: What is opened to look at it: itself, or what it lies in.
    """

    name: str
    title: str
    path: Path
    folder: Path


def places(paths: Paths) -> Iterator[KeptPath]:
    """Every place, in the order of how often one looks there."""
    for name, title, path, is_file in (
        ("settings", _("Settings, the text and the window as they are"), paths.settings, True),
        ("sessions", _("Session log"), paths.sessions, True),
        ("sheet", _("Comparison sheet"), paths.sheet, True),
        ("results", _("Results of files of sentences"), paths.results, False),
        ("plugins", _("Your plugins"), paths.user_plugins, False),
        ("hub", _("Downloaded models"), paths.hub_cache or default_hub_cache(), False),
        ("cache", _("What can be made again"), paths.cache, False),
        ("logs", _("Log files of the program"), paths.logs, False),
    ):
        yield KeptPath(name, title, path, path.parent if is_file else path)
