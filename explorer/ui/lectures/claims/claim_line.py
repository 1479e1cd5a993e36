"""A claim in words, with a sign that says whether it holds in the answer on screen."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from explorer.lectures.scene import Step
from explorer.text import _
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.lectures.claims.verdict import Judgement, Verdict
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.theme.text_roles import in_role

SIGN = 18
"""Pixels of the sign at the usual size of text."""
_SIGNS = {
    Verdict.HOLDS: ("check-circle", "positive"),
    Verdict.FAILS: ("close-circle-outline", "danger"),
    Verdict.WAITING: ("timer-sand", "muted"),
    Verdict.UNKNOWN: ("help-circle-outline", "muted"),
    Verdict.NONE: ("circle-small", "muted"),
}


class ClaimLine(QWidget):
    """The claim, and what is known of it; takes no room where nothing is claimed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("claim")
        self._sign = plain_label(self)
        self._sign.setObjectName("claim_sign")
        self._sign.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.words = plain_label(self)
        self.words.setObjectName("claim_words")
        in_role(self.words, "strong")
        self.why = plain_label(self)
        self.why.setObjectName("claim_why")
        in_role(self.why, "small")
        for one in (self.words, self.why):
            one.setWordWrap(True)
            one.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
            one.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(1)
        grid.addWidget(self._sign, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.words, 0, 1)
        grid.addWidget(self.why, 1, 1)
        grid.setColumnStretch(1, 1)
        # What is higher than it needs has its room below, not between the lines.
        grid.setRowStretch(2, 1)
        self._told = Judgement(Verdict.NONE)
        theme_signals().changed.connect(self._fit)

    def show_claim(self, words: str, told: Judgement) -> None:
        """Show a claim, and what is known of it."""
        self._told = told
        self.words.setText(words)
        self.why.setText(told.why)
        self.why.setVisible(bool(told.why))
        said = verdict_said(told.verdict)
        self.setToolTip(plain_tip("\n".join(filter(None, (said, told.values)))))
        self._sign.setAccessibleName(said)
        self.setAccessibleName(" ".join(filter(None, (words, said, told.why))))
        self.setVisible(bool(words))
        self._fit()

    def show_step(self, step: Step, told: Judgement) -> None:
        """Show a step's claim; none beside a question, whose answer it would give away."""
        if step.ask is None:
            self.show_claim(step.claim(), told)
        else:
            self.show_claim("", Judgement(Verdict.NONE))

    def _fit(self, _theme: object = None) -> None:
        glyph, colour = _SIGNS[self._told.verdict]
        size = zoomed(SIGN)
        self._sign.setPixmap(icon(glyph, colour).pixmap(size, size))


def verdict_said(verdict: Verdict) -> str:
    """What a sign stands for."""
    return {
        Verdict.HOLDS: _("It holds in the answer on screen."),
        Verdict.FAILS: _("It does not hold in the answer on screen."),
        Verdict.WAITING: _("It is judged as soon as there is an answer."),
        Verdict.UNKNOWN: _("The answer on screen does not say."),
        Verdict.NONE: "",
    }[verdict]
