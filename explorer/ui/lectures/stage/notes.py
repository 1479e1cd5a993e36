"""The speaker's own window: the whole step, what comes next, and how long it has been."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.text import _
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.guarded import guarded
from explorer.ui.lectures.claims.claim_line import ClaimLine
from explorer.ui.lectures.scene_card import key_of
from explorer.ui.lectures.wording import next_tip, step_line
from explorer.ui.theme.text_roles import TextRole, in_role

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel

    from explorer.ui.lectures.actions import LectureActions
    from explorer.ui.window.host import HostWindow

SIZE = (640, 520)


@guarded
class SpeakerNotes(QWidget):
    """Stands on another screen, where there is one; the keys of the stage are its keys, too."""

    def __init__(self, window: HostWindow, actions: LectureActions) -> None:
        super().__init__(window, Qt.WindowType.Window)
        self.setObjectName("speaker_notes")
        self.setWindowTitle(_("Notes for the speaker"))
        # The keys stay with the stage, until somebody clicks here.
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._window, self._actions = window, actions
        self._began = time.monotonic()
        self.clock = self._label("notes_clock", "heading")
        self.again = QPushButton(_("Start the clock again"), self)
        self.again.clicked.connect(self.start_clock)
        self.title = self._label("notes_title", "title")
        self.place = self._label("notes_step", "muted")
        self.look = self._label("notes_look", "body")
        self.claim = ClaimLine(self)
        self.coming = self._label("notes_next", "muted")
        top = QHBoxLayout()
        top.addWidget(self.clock)
        top.addWidget(self.again)
        top.addStretch(1)
        top.addWidget(self.place)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 14, 18, 14)
        column.setSpacing(10)
        column.addLayout(top)
        for one in (self.title, self.look, self.claim):
            column.addWidget(one)
        column.addStretch(1)
        column.addWidget(self.coming)
        self.addActions([actions.on, actions.back, actions.present])
        self._seconds = QTimer(self)
        self._seconds.setInterval(500)
        self._seconds.timeout.connect(self._tick)
        actions.lecturing.moved.connect(self.refresh)
        actions.lecturing.changed.connect(self.refresh)

    def open(self) -> None:
        """Show it, on a screen that the stage is not on where there is one."""
        here = self._window.screen()
        other = next((one for one in QGuiApplication.screens() if one != here), None)
        self.resize(*SIZE)
        if other is not None:
            self.move(other.availableGeometry().topLeft())
        self._seconds.start()
        self.show()
        self.refresh()

    def put_away(self) -> None:
        """The clock goes on."""
        self._seconds.stop()
        self.hide()

    def start_clock(self) -> None:
        """Count from now."""
        self._began = time.monotonic()
        self._tick()

    def refresh(self) -> None:
        """Bring it up to the step on screen."""
        lecturing, at = self._actions.lecturing, self._actions.lecturing.at
        if not self.isVisible():
            return
        self._tick()
        if at is None:
            self.title.setText(_("No scene is on the stage."))
            for one in (self.place, self.look, self.coming):
                one.setText("")
            self.claim.hide()
            return
        self.title.setText(at.scene.title())
        self.place.setText(step_line(at))
        self.look.setText("\n\n".join(at.step.look()))
        self.claim.show_claim(at.step.claim(), lecturing.told)
        self.coming.setText(next_tip(at, lecturing.next(), key_of(self._actions.on)))

    def _tick(self) -> None:
        minutes, seconds = divmod(int(time.monotonic() - self._began), 60)
        self.clock.setText(f"{minutes}:{seconds:02d}")
        self.clock.setAccessibleName(_("{minutes} minutes on the stage", minutes=minutes))

    def _label(self, name: str, role: TextRole) -> QLabel:
        made = plain_label(self)
        made.setObjectName(name)
        made.setWordWrap(True)
        in_role(made, role)
        return made
