"""Questions that plugins bring: what this process knows of them, once it was told where to look.

Every process that asks, answers or reads questions is told at its start (`bring`); the plugins are
looked for when a question is first named.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.api.question import Question
from explorer.samples.sample_files import Sample
from explorer.text import _


@dataclass(frozen=True)
class Brought:
    """A question that a plugin brings.

    Attributes:
        question: What its question.py declares.
        folder: Its folder as a module, the same in every process.
        place: Its folder.
        plugin: The plugin's id.
        title: What a user calls the plugin.
        version: The plugin's own; "" where its manifest has none.
        source: Where the plugin is from: "bundled", "folder" or "package".
        samples: What its page can be tried with.
    """

    question: Question[Any, Any]
    folder: str
    place: Path
    plugin: str
    title: str
    version: str
    source: str
    samples: tuple[Sample, ...] = ()


Finding = Callable[[], Sequence[Brought]]
"""Finds the questions of a program's plugins."""


def none_brought() -> Sequence[Brought]:
    """What a process knows that was told of no plugins."""
    return ()


_LABEL = "plugin "


def as_version(one: Brought) -> dict[str, str]:
    """The plugin of a question among the versions of what made an answer."""
    return {_LABEL + one.plugin: one.version or _("of no version")}


def plugin_among(versions: dict[str, str]) -> str:
    """The id of the plugin that brought the question of a run; "" where none did."""
    return next((name[len(_LABEL) :] for name in versions if name.startswith(_LABEL)), "")
