"""Reads lectures on a thread of their own: a slow disk must not stop the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from explorer.api.question import ExplorerError, Failure
from explorer.lectures import Lecture, opened
from explorer.ui.views.latest_work import LatestWork

SCENE, PACKED = ".toml", ".zip"
MODELS_OWN = "config.json"
"""A folder with this file is a model's, whatever else is in it."""


def may_be_lecture(path: Path) -> bool:
    """Whether a path looks like a scene or like scenes in a zip file, by its name."""
    return path.suffix.lower() in (SCENE, PACKED)


def holds_scenes(folder: Path) -> bool:
    """Whether a folder has scenes in it, and is no model's."""
    try:
        if not folder.is_dir() or (folder / MODELS_OWN).exists():
            return False
        return next(folder.glob(f"*{SCENE}"), None) is not None
    except (OSError, ValueError):
        return False


@dataclass(frozen=True)
class _Read:
    """What was read, where; or what is to be done instead."""

    path: str
    read: Lecture | Failure | Callable[[], None]


class LectureFiles(QObject):
    """Reads one lecture at a time: a newer one is meant instead of an older one.

    Signals:
        opened: A Lecture, and its path; "" for the bundled one.
        failed: A Failure, and the path.
    """

    opened = Signal(object, str)
    failed = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = LatestWork("lecture", self)
        self._work.done.connect(self._deliver)

    def open(self, path: str) -> None:
        """Read a lecture; a signal tells what came of it.

        Args:
            path: A scene's file, a folder of scenes or a zip file; "" for the bundled lecture,
                "lessons" for the bundled lessons.
        """
        self._work.ask(lambda: _read(path))

    def open_or(self, folder: Path, otherwise: Callable[[], None]) -> None:
        """Read a folder of scenes, or do something else where it is none."""
        path = str(folder)
        self._work.ask(lambda: _read(path) if holds_scenes(folder) else _Read(path, otherwise))

    def _deliver(self, found: _Read) -> None:
        if isinstance(found.read, Lecture):
            self.opened.emit(found.read, found.path)
        elif isinstance(found.read, Failure):
            self.failed.emit(found.read, found.path)
        else:
            found.read()


def _read(path: str) -> _Read:
    try:
        return _Read(path, opened(path))
    except ExplorerError as error:
        return _Read(path, Failure.of(error))
