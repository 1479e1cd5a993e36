"""Scenes and lessons, whichever lecture is open, among what is found by its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from explorer.lectures import LESSONS, opened
from explorer.text import _
from explorer.ui.theme.icons import icon
from explorer.ui.views.latest_work import LatestWork
from explorer.ui.window.menus.command_finder import CommandFinder
from explorer.ui.window.menus.ranking import EntryKind, MenuCommand

if TYPE_CHECKING:
    from explorer.lectures import Chapter, Lecture, Scene
    from explorer.ui.lectures.actions import LectureActions

BUNDLED = ("", LESSONS)
"""The lectures that come with the program, as they are opened."""


def add_scenes(finder: CommandFinder, lectures: LectureActions) -> None:
    """Let the open lecture be found, and what is bundled; each as soon as it is read."""
    lecturing = lectures.lecturing

    def add() -> None:
        if lecturing.lecture is not None:
            finder.add(_commands(finder, lecturing.lecture, lectures.show_scene))
        others = [path for path in BUNDLED if path != lecturing.path]
        # What is read for the first time takes as long as the window may stand still.
        reading = LatestWork("scenes", finder)
        reading.done.connect(add_others)
        reading.ask(lambda: {path: opened(path) for path in others})

    def add_others(found: dict[str, Lecture]) -> None:
        for path, lecture in found.items():

            def show(scene: Scene, _checked: bool = False, path: str = path) -> None:
                lectures.open_scene(path, scene.name)

            finder.add(_commands(finder, lecture, show))

    if lecturing.lecture is not None:
        add()
        return
    # The finder is gone when it is closed, and the connection with it.
    read = QAction(finder)
    read.triggered.connect(add)
    lecturing.opened.connect(read.trigger, Qt.ConnectionType.SingleShotConnection)
    lecturing.begin()


def _commands(
    finder: CommandFinder, lecture: Lecture, show: Callable[..., object]
) -> Iterator[MenuCommand]:
    for chapter in lecture.chapters:
        for scene in chapter.scenes:
            yield _command(finder, chapter, scene, partial(show, scene))


def _command(
    finder: CommandFinder, chapter: Chapter, scene: Scene, show: Callable[..., object]
) -> MenuCommand:
    action = QAction(finder)
    action.triggered.connect(show)
    chapters = "\n".join(dict.fromkeys(chapter.titles.values()))
    names = tuple(dict.fromkeys(scene.titles.values()))
    place = chapter.title() or _("Lecture")
    glyph = icon("presentation")
    return MenuCommand(action, scene.title(), place, chapters, EntryKind.SCENE, names, (), glyph)
