"""The line on top of the stage: the scene's title, which step it is, the way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from explorer.text import _
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.lectures.scene_card import key_of
from explorer.ui.lectures.stage.letters import write_in
from explorer.ui.lectures.wording import back_tip, next_tip, step_line
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role

if TYPE_CHECKING:
    from explorer.ui.lectures.actions import LectureActions

ICON = 22
TITLE, PLACE = 0.034, 0.026
"""Parts of the window's height."""


class StageTitle(QFrame):
    """Takes no room outside presenter mode, and none where no scene runs.

    Attributes:
        title: The scene's.
        place: Which step of how many.
        back, next, end: Buttons.
    """

    def __init__(self, actions: LectureActions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("stage_title")
        self._actions, self._lecturing = actions, actions.lecturing
        self.title = plain_label(self)
        self.title.setObjectName("strip_title")
        self.title.setWordWrap(True)
        self.title.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        in_role(self.title, "strong")
        self.place = plain_label(self)
        self.place.setObjectName("strip_step")
        in_role(self.place, "muted")
        self.back = self._button("strip_back", "chevron-left", _("Back"), actions.back)
        self.next = self._button("strip_next", "chevron-right", _("Next"), actions.on)
        self.end = self._button("strip_end", "close", _("End presenter mode"), actions.present)
        self.end.setToolTip(_("End presenter mode (Escape)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 4, 8, 0)
        row.setSpacing(10)
        row.addWidget(self.title, 1)
        for one in (self.place, self.back, self.next, self.end):
            row.addWidget(one, 0, Qt.AlignmentFlag.AlignVCenter)
        self._lecturing.moved.connect(self.refresh)
        self._lecturing.changed.connect(self.refresh)
        actions.presenting.turned.connect(self.refresh)
        actions.presenting.sized.connect(self._fit)
        self.refresh()

    def refresh(self) -> None:
        """Bring it up to the step on screen."""
        lecturing, at = self._lecturing, self._lecturing.at
        self.setVisible(at is not None and self._actions.is_presenting)
        if at is None or self.isHidden():
            return
        self.title.setText(at.scene.title())
        self.place.setText(step_line(at))
        to, before = lecturing.next(), lecturing.previous()
        self.next.setEnabled(to is not None)
        self.back.setEnabled(before is not None)
        self.next.setToolTip(plain_tip(next_tip(at, to, key_of(self._actions.on))))
        self.back.setToolTip(plain_tip(back_tip(at, before, key_of(self._actions.back))))
        self._fit()

    def _fit(self) -> None:
        presenting = self._actions.presenting
        write_in(self.title, presenting.pixels(TITLE))
        write_in(self.place, presenting.pixels(PLACE))

    def _button(self, name: str, glyph: str, spoken: str, action: QAction) -> QToolButton:
        made = QToolButton(self)
        made.setObjectName(name)
        made.setIcon(icon(glyph))
        icon_in_size(made, ICON)
        made.setAccessibleName(spoken)
        made.setAutoRaise(True)
        # The keys stay with the page.
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.clicked.connect(action.trigger)
        return made
