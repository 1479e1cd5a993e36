"""What a speaker does on the stage by single keys: black screen, still picture, pointer, notes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from explorer.text import _
from explorer.ui.lectures.stage.cover import StageCover
from explorer.ui.lectures.stage.notes import SpeakerNotes

if TYPE_CHECKING:
    from explorer.ui.lectures.actions import LectureActions
    from explorer.ui.window.host import HostWindow


class StageTools(QObject):
    """Actions that have their keys while presenting alone: letters are typed elsewhere.

    Attributes:
        cover: What lies over the window.
        notes: The speaker's window; None until it is wanted.
    """

    def __init__(self, window: HostWindow, actions: LectureActions) -> None:
        super().__init__(window)
        self._window, self._actions = window, actions
        self.cover = StageCover(window)
        self.notes: SpeakerNotes | None = None
        self._keys: dict[QAction, tuple[str, ...]] = {}
        self._switch("stage_blank", _("&Black screen"), ("B", "."), self.cover.blank)
        self._switch("stage_freeze", _("&Keep the picture on screen"), ("F",), self.cover.freeze)
        self._switch("stage_pointer", _("&Pointer"), ("L",), self.cover.point)
        self._switch("stage_notes", _("&Notes for the speaker"), ("N",), self._show_notes)
        self._add("stage_clock", _("&Start the clock again"), ("T",), self._start_clock)
        actions.presenting.turned.connect(self._turned)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._give_keys)
        self._turned()

    @property
    def all(self) -> list[QAction]:
        """The actions, in the menu's order."""
        return list(self._keys)

    def _turned(self) -> None:
        is_on = self._actions.is_presenting
        for action in self._keys:
            action.setEnabled(is_on)
            if not is_on:
                action.setChecked(False)
        if not is_on:
            self.cover.lift()
            self._show_notes(False)
        self._give_keys(None, QApplication.focusWidget())

    def _give_keys(self, _old: QWidget | None, focus: QWidget | None) -> None:
        types = isinstance(focus, QLineEdit | QPlainTextEdit)
        for action, keys in self._keys.items():
            free = self._actions.is_presenting and not types
            wanted = [QKeySequence(one) for one in keys] if free else []
            if wanted != action.shortcuts():
                action.setShortcuts(wanted)

    def _show_notes(self, wanted: bool) -> None:
        if wanted and self.notes is None:
            self.notes = SpeakerNotes(self._window, self._actions)
            self.notes.addActions(self.all)
        if self.notes is not None:
            (self.notes.open if wanted else self.notes.put_away)()

    def _start_clock(self, _checked: bool = False) -> None:
        self._show_notes(True)
        if self.notes is not None:
            self.notes.start_clock()

    def _switch(
        self, name: str, text: str, keys: tuple[str, ...], does: Callable[[bool], None]
    ) -> None:
        action = self._add(name, text, keys, does)
        action.setCheckable(True)

    def _add(
        self, name: str, text: str, keys: tuple[str, ...], does: Callable[..., None]
    ) -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(name)
        # What has no tick is triggered with False.
        action.triggered.connect(does)
        self._window.addAction(action)
        self._keys[action] = keys
        return action
