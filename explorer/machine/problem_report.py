"""What a developer needs to know of a problem, gathered in one text that the user reads first.

Nothing is sent anywhere. The text is English whatever the window speaks, as log files are.
"""

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.api.question import Failure
from explorer.serialise import to_builtins
from explorer.settings import Settings

LOGS = ("window.log", "window-crash.log", "engine.log", "engine-crash.log")
"""The log files that are quoted, in this order."""

MOST_BYTES = 32_000
"""Of each log file, from its end."""

_KEPT_BACK = ("document", "recent_folders", "window_geometry", "window_state", "pages", "scrolls")
"""Settings that tell of the user's texts and folders, or that nobody can read."""


@dataclass(frozen=True)
class Surroundings:
    """What the program knows of itself when something goes wrong.

    Attributes:
        versions: Of the program and of what computes, by name.
        models: What is loaded, a line each.
        screen: What the window is drawn on, a line each.
    """

    versions: Mapping[str, str]
    models: Sequence[str] = ()
    screen: Sequence[str] = ()


def problem_report(
    surroundings: Surroundings,
    settings: Settings,
    logs: Path,
    failure: Failure | None = None,
) -> str:
    """Everything in one text, as Markdown; the home folder is written as ~.

    Args:
        surroundings: What runs.
        settings: Those in force; the sentence on screen and the names of folders stay out.
        logs: The folder of the log files; one that can't be read is named with the reason.
        failure: What went wrong, where the report is about that.
    """
    machine = [
        f"system: {platform.platform()}",
        f"processor: {platform.machine()}, {os.cpu_count()} cores",
        *surroundings.screen,
    ]
    parts = [
        "# PLM Explorer: problem report",
        "(What did you do, what did you expect, and what came instead? Please write it here.)",
        *([_section("What went wrong", _told(failure))] if failure else []),
        _section("Versions", _lines(f"{a}: {b}" for a, b in surroundings.versions.items())),
        _section("Machine", _lines(machine)),
        _section("Loaded models", _lines(surroundings.models) or "none"),
        _section("Settings", _block(_settings(settings))),
        *(_section(name, _block(_end_of(logs / name))) for name in LOGS),
    ]
    return _without_home("\n\n".join(parts)) + "\n"


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body}"


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _block(text: str) -> str:
    return f"```\n{text.rstrip()}\n```" if text.strip() else "empty"


def _told(failure: Failure) -> str:
    said = f"{failure.message} {failure.hint}".strip()
    return f"{said}\n\n{_block(failure.traceback)}" if failure.traceback else said


def _settings(settings: Settings) -> str:
    kept = {name: value for name, value in to_builtins(settings).items() if name not in _KEPT_BACK}
    return json.dumps(kept, indent=2, ensure_ascii=False)


def _end_of(path: Path) -> str:
    """The last lines of a file, whole ones."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - MOST_BYTES))
            content = file.read(MOST_BYTES)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"can't be read: {error.strerror or error}"
    if size > MOST_BYTES:
        content = content[content.find(b"\n") + 1 :]
    return content.decode("utf-8", errors="replace")


def _without_home(text: str) -> str:
    home = str(Path.home())
    return text if len(home) < len("/a/b") else text.replace(home, "~")
