"""Below the block on the stage: the one sentence that is read, and the claim with its sign."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from explorer.ui.controls.plain_words import plain_label
from explorer.ui.lectures.claims.claim_line import ClaimLine
from explorer.ui.lectures.stage.letters import write_in
from explorer.ui.lectures.wording import ready_said

if TYPE_CHECKING:
    from explorer.ui.lectures.actions import LectureActions

LOOK, CLAIM, WHY = 0.033, 0.028, 0.024
"""Parts of the window's height."""


class Strip(QFrame):
    """Takes no room outside presenter mode, and none where no scene runs.

    Of what a step says the first sentence is here; the speaker has the others (`notes.py`).
    """

    def __init__(self, actions: LectureActions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("scene_strip")
        self._actions = actions
        self._lecturing = lecturing = actions.lecturing
        self.look = plain_label(self)
        self.look.setObjectName("strip_look")
        self.look.setWordWrap(True)
        self.look.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.claim = ClaimLine(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 6, 14, 8)
        column.setSpacing(4)
        column.addWidget(self.look)
        column.addWidget(self.claim)
        lecturing.moved.connect(self.refresh)
        lecturing.changed.connect(self.refresh)
        actions.presenting.turned.connect(self.refresh)
        actions.presenting.sized.connect(self._fit)
        self.refresh()

    def refresh(self) -> None:
        """Bring it up to what is known of the step."""
        lecturing, at = self._lecturing, self._lecturing.at
        self.setVisible(at is not None and self._actions.is_presenting)
        if at is None or self.isHidden():
            return
        ask = at.step.ask
        # Before a guess, what is to be seen would give it away.
        guessed = ask.said().question if ask is not None and lecturing.is_guessing else ""
        first = guessed or next(iter(at.step.look()), "")
        said = lecturing.problem or lecturing.going.loading or ready_said(lecturing) or first
        self.look.setText(said)
        self.claim.show_step(at.step, lecturing.told)
        self.setAccessibleName(f"{at.scene.title()}. {said}")
        self._fit()

    def _fit(self) -> None:
        presenting = self._actions.presenting
        write_in(self.look, presenting.pixels(LOOK))
        write_in(self.claim.words, presenting.pixels(CLAIM))
        write_in(self.claim.why, presenting.pixels(WHY))
