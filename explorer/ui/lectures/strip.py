"""The strip under the page in presenter mode: the scene's title, its sentences, the way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.text import _
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.lectures.claims.claim_line import ClaimLine
from explorer.ui.lectures.scene_card import key_of
from explorer.ui.lectures.wording import back_tip, next_tip, step_line
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import in_role

if TYPE_CHECKING:
    from explorer.ui.lectures.actions import LectureActions

ICON = 22


class Strip(QFrame):
    """Takes no room outside presenter mode, and none where no scene runs."""

    def __init__(self, actions: LectureActions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("scene_strip")
        self._actions = actions
        self._lecturing = lecturing = actions.lecturing
        self.title = plain_label(self)
        self.title.setObjectName("strip_title")
        in_role(self.title, "title")
        self.place = plain_label(self)
        self.place.setObjectName("strip_step")
        in_role(self.place, "muted")
        self.look = plain_label(self)
        self.look.setObjectName("strip_look")
        self.look.setWordWrap(True)
        self.look.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.claim = ClaimLine(self)
        self.back = self._button("strip_back", "chevron-left", _("Back"), actions.back)
        self.next = self._button("strip_next", "chevron-right", _("Next"), actions.on)
        self.end = self._button("strip_end", "close", _("End presenter mode"), actions.present)
        self.end.setToolTip(_("End presenter mode (Escape)"))
        head = QHBoxLayout()
        head.setSpacing(10)
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head.addWidget(self.title, 1)
        head.addWidget(self.place)
        for button in (self.back, self.next, self.end):
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 8, 8)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.look)
        column.addWidget(self.claim)
        lecturing.moved.connect(self.refresh)
        lecturing.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Bring it up to what is known of the step."""
        lecturing, at = self._lecturing, self._lecturing.at
        self.setVisible(at is not None and self._actions.is_presenting)
        if at is None or self.isHidden():
            return
        self.title.setText(at.scene.title())
        self.title.setToolTip(plain_tip(at.scene.title()))
        self.place.setText(step_line(at))
        said = lecturing.problem or lecturing.going.loading or " ".join(at.step.look())
        self.look.setText(said)
        self.claim.show_claim(at.step.claim(), lecturing.told)
        self.setAccessibleName(f"{at.scene.title()}. {said}")
        to, before = lecturing.next(), lecturing.previous()
        self.next.setEnabled(to is not None)
        self.back.setEnabled(before is not None)
        self.next.setToolTip(plain_tip(next_tip(at, to, key_of(self._actions.on))))
        self.back.setToolTip(plain_tip(back_tip(at, before, key_of(self._actions.back))))

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
