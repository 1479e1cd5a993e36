"""What can be done with lectures, for the menus, the panel, presenter mode and the keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from explorer.lectures import LESSONS
from explorer.text import _
from explorer.ui.lectures.classroom.classroom import Classroom
from explorer.ui.lectures.files.exporting import LectureExporter
from explorer.ui.lectures.files.saving import Saving
from explorer.ui.lectures.lecturing import Lecturing

if TYPE_CHECKING:
    from explorer.lectures import Scene
    from explorer.ui.lectures.stage.presenting import Presenting
    from explorer.ui.window.host import HostWindow

ON, ON_ANYWHERE = "PgDown", "F4"
BACK, BACK_ANYWHERE = "PgUp", "Shift+F4"
"""What a presenter's clicker sends; and a key that no list and no text has a use for."""


class LectureActions(QObject):
    """Actions that are enabled when they do something.

    Attributes:
        lecturing: The lecture and its scene.
        on: The next step.
        back: The step before.
        present: Presenter mode.
        of_lectures: What opens and saves lectures.
    """

    def __init__(self, window: HostWindow, presenting: Presenting) -> None:
        super().__init__(window)
        self._window, self.presenting = window, presenting
        self.lecturing = Lecturing(window)
        self._opens: str | None = None
        self.on = self._action("scene_on", _("&Next step"))
        self.on.triggered.connect(lambda: self.lecturing.step(1))
        self.back = self._action("scene_back", _("&Previous step"))
        self.back.triggered.connect(lambda: self.lecturing.step(-1))
        self.again = self._action("scene_again", _("&Show the scene again"))
        self.again.triggered.connect(self.lecturing.show_again)
        self.leave = self._action("leave_lecture", _("&Leave the lecture"))
        self.leave.triggered.connect(self.lecturing.go_back)
        self.present = self._action("present", _("&Presenter mode"))
        self.present.setShortcut(QKeySequence("Ctrl+F11"))
        self.present.setCheckable(True)
        self.present.triggered.connect(window.present)
        self.present.setToolTip(
            _("The page alone, in letters for a large room; Escape brings everything back")
        )
        self.bundled = self._action("bundled_lecture", _("&Bundled lecture"))
        self.bundled.triggered.connect(lambda: self.open(""))
        self.lessons = self._action("lessons", _("L&essons"))
        self.lessons.triggered.connect(lambda: self.open(LESSONS))
        self.lessons.setToolTip(_("For whoever learns alone: guess, look, try, answer"))
        self.anew = self._action("lesson_anew", _("&Begin this lesson again"))
        self.anew.triggered.connect(self.lecturing.begin_anew)
        self.classroom = Classroom(window, self.lecturing)
        self.save_answers = self._action("save_answers", _("Save &my answers…"))
        self.save_answers.triggered.connect(self.classroom.save_own)
        self.open_answers = self._action("open_answers", _("Answers of a &class…"))
        self.open_answers.triggered.connect(self.classroom.pick)
        self.open_answers.setToolTip(
            _("A folder of files that “Save my answers” wrote; they can be dropped here, too")
        )
        self.saving = Saving(window, self.lecturing, self.open)
        self.open_file = self._action("open_lecture", _("Open &lecture…"))
        self.open_file.triggered.connect(self.saving.pick)
        self.open_folder = self._action("open_lecture_folder", _("Open a &folder of scenes…"))
        self.open_folder.triggered.connect(self.saving.pick_folder)
        self.save = self._action("save_scene_as", _("Save &as scene…"))
        self.save.triggered.connect(self.saving.save_as)
        self.save.setToolTip(
            _("Keep the text, the masks, the models and this page as a scene of a lecture")
        )
        self.exporting = LectureExporter(window, self.lecturing)
        self.exporting.changed.connect(self.refresh)
        self.export_page = self._action("export_lecture_page", "")
        self.export_page.triggered.connect(lambda: self.exporting.pick(".html"))
        self.export_pdf = self._action("export_lecture_pdf", "")
        self.export_pdf.triggered.connect(lambda: self.exporting.pick(".pdf"))
        self.of_lectures = [
            self.open_file,
            self.open_folder,
            self.bundled,
            self.lessons,
            self.anew,
            self.save_answers,
            self.open_answers,
            self.save,
        ]
        self.lecturing.moved.connect(self.refresh)
        self.lecturing.opened.connect(self.refresh)
        self.lecturing.opened.connect(self._opened)
        presenting.turned.connect(self.refresh)
        self.lecturing.failed.connect(
            lambda failure: window.notifications.failure("lecture", failure)
        )
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_changed)
        self.refresh()

    @property
    def is_on_screen(self) -> bool:
        """A scene runs, and something on screen tells of it."""
        shown = self.presenting.is_on or self._window.lecture_dock.isVisible()
        return self.lecturing.runs and shown

    @property
    def is_presenting(self) -> bool:
        """Presenter mode is on."""
        return self.presenting.is_on

    def library_wanted(self) -> None:
        """A model is missing."""
        self._window.open_library("A")

    def open(self, path: str) -> None:
        """Open a lecture, and show its scenes; one that is a single scene is shown at once."""
        self._opens = path
        self.lecturing.open(path)

    def open_scene(self, path: str, name: str, _checked: bool = False) -> None:
        """Open a lecture and go to one of its scenes, where somebody left it."""

        def begin() -> None:
            lecture = self.lecturing.lecture
            if lecture is not None and self.lecturing.path == path:
                self.show_scene(lecture.scene(name))

        if self.lecturing.lecture is not None and self.lecturing.path == path:
            begin()
            return
        self.lecturing.opened.connect(begin, Qt.ConnectionType.SingleShotConnection)
        self.open(path)

    def open_or(self, folder: Path, otherwise: Callable[[], None]) -> None:
        """Open a folder of scenes, or do something else with what is none."""
        self._opens = str(folder)

        def open_other() -> None:
            otherwise()
            if self._window.lecture_dock.isVisible():
                # What it was about to read when this folder was read instead.
                self.lecturing.begin()

        self.lecturing.files.open_or(folder, open_other)

    def _opened(self) -> None:
        """A lecture that the user chose is to be seen; one that was open at the end waits."""
        wanted, self._opens = self._opens, None
        lecture = self.lecturing.lecture
        if wanted is None or wanted != self.lecturing.path or lecture is None:
            return
        if len(lecture.scenes) == 1:
            self.show_scene(lecture.scenes[0])
        else:
            self._show_panel()

    def show_scene(self, scene: Scene, _checked: bool = False) -> None:
        """Go to a scene of the open lecture, its panel in sight."""
        self._show_panel()
        self.lecturing.resume(scene)

    def _show_panel(self) -> None:
        if not self.is_presenting:
            self._window.lecture_dock.show()
            self._window.lecture_dock.raise_()

    def refresh(self, _visible: object = None) -> None:
        """Enable what does something now, and give it its keys."""
        here, lecturing = self.is_on_screen, self.lecturing
        is_more = lecturing.next() is not None or lecturing.is_guessing
        self.on.setEnabled(here and is_more)
        self.back.setEnabled(here and lecturing.previous() is not None)
        self.again.setEnabled(here)
        self.leave.setEnabled(lecturing.runs)
        self.bundled.setEnabled(bool(lecturing.path))
        self.lessons.setEnabled(lecturing.path != LESSONS)
        is_lesson = lecturing.at is not None and bool(lecturing.at.scene.asks)
        self.anew.setEnabled(is_lesson)
        self.save_answers.setEnabled(is_lesson)
        self._offer_exports()
        self._give_keys(QApplication.focusWidget())

    def _offer_exports(self) -> None:
        """A menu has no room for a reason but the action's own words."""
        why_not = ""
        if self.lecturing.lecture is None:
            why_not = _("no lecture is open yet")
        elif self.exporting.is_under_way:
            why_not = _("an export is under way")
        for action, does in (
            (self.export_page, _("Lecture as &web page…")),
            (self.export_pdf, _("Lecture as PDF &handout…")),
        ):
            action.setEnabled(not why_not)
            words = _("{action} ({reason})", action=does.rstrip("…"), reason=why_not)
            action.setText(words if why_not else does)

    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self.lecturing.runs:
            self._give_keys(new)

    def _give_keys(self, focus: QWidget | None) -> None:
        """Page Down and Page Up go on and back, but where a list or a long text has them."""
        free = self.presenting.is_on or not has_pages(focus)
        for action, page, anywhere in (
            (self.on, ON, ON_ANYWHERE),
            (self.back, BACK, BACK_ANYWHERE),
        ):
            keys = [QKeySequence(one) for one in ((page, anywhere) if free else (anywhere,))]
            if keys != action.shortcuts():
                action.setShortcuts(keys)

    def _action(self, name: str, text: str) -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(name)
        return action


def has_pages(widget: QWidget | None) -> bool:
    """Whether a widget has a use of its own for Page Down and Page Up."""
    if isinstance(widget, QAbstractItemView | QAbstractSpinBox | QAbstractSlider | QComboBox):
        return True
    if isinstance(widget, QPlainTextEdit | QTextEdit) and isinstance(widget, QAbstractScrollArea):
        return widget.verticalScrollBar().maximum() > 0
    return False
