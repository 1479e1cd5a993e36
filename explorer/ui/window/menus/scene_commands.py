"""The scenes of the open lecture, among what is found by its words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from explorer.text import _
from explorer.ui.theme.icons import icon
from explorer.ui.window.menus.command_finder import CommandFinder
from explorer.ui.window.menus.ranking import EntryKind, MenuCommand

if TYPE_CHECKING:
    from explorer.lectures import Chapter, Scene
    from explorer.ui.lectures.actions import LectureActions


def add_scenes(finder: CommandFinder, lectures: LectureActions) -> None:
    """Let scenes be found: at once, or as soon as the lecture is read."""
    lecturing = lectures.lecturing

    def add() -> None:
        lecture = lecturing.lecture
        chapters = lecture.chapters if lecture is not None else ()
        finder.add(
            _command(finder, lectures, chapter, scene)
            for chapter in chapters
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
    finder: CommandFinder, lectures: LectureActions, chapter: Chapter, scene: Scene
) -> MenuCommand:
    action = QAction(finder)
    action.triggered.connect(partial(lectures.show_scene, scene))
    chapters = "\n".join(dict.fromkeys(chapter.titles.values()))
    names = tuple(dict.fromkeys(scene.titles.values()))
    place = chapter.title() or _("Lecture")
    glyph = icon("presentation")
    return MenuCommand(action, scene.title(), place, chapters, EntryKind.SCENE, names, (), glyph)
