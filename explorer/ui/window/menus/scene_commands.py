"""The scenes of the open lecture, and the lessons, among what is found by its words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from explorer.lectures import LESSONS, lessons
from explorer.text import _
from explorer.ui.theme.icons import icon
from explorer.ui.window.menus.command_finder import CommandFinder
from explorer.ui.window.menus.ranking import EntryKind, MenuCommand

if TYPE_CHECKING:
    from explorer.lectures import Chapter, Scene
    from explorer.ui.lectures.actions import LectureActions


def add_scenes(finder: CommandFinder, lectures: LectureActions) -> None:
    """Let scenes and lessons be found: at once, or as soon as the lecture is read."""
    lecturing = lectures.lecturing

    def add() -> None:
        lecture = lecturing.lecture
        chapters = lecture.chapters if lecture is not None else ()
        finder.add(
            _command(finder, chapter, scene, partial(lectures.show_scene, scene))
            for chapter in chapters
            for scene in chapter.scenes
        )
        if lecturing.path != LESSONS:
            # Whoever learns alone looks for a lesson whatever lecture is open.
            finder.add(
                _command(finder, chapter, scene, partial(lectures.open_scene, LESSONS, scene.name))
                for chapter in lessons().chapters
                for scene in chapter.scenes
            )

    if lecturing.lecture is not None:
        add()
        return
    # The finder is gone when it is closed, and the connection with it.
    read = QAction(finder)
    read.triggered.connect(add)
    lecturing.opened.connect(read.trigger, Qt.ConnectionType.SingleShotConnection)
    lecturing.begin()


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
