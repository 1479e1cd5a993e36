"""The question of a step: what is asked, where it is answered, hints, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from explorer.lectures.lessons.ask import AskKind, unit_said
from explorer.text import _
from explorer.ui.blocks.widget.accessible import announce
from explorer.ui.controls.handed_on import hand_on
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.guarded import guarded
from explorer.ui.lectures.asking.choice import ChoiceButton
from explorer.ui.lectures.asking.wording import hint_button_said, outcome_said, show_button_said
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.theme.text_roles import TextRole, in_role

if TYPE_CHECKING:
    from explorer.lectures.lessons.ask import LessonAsk
    from explorer.ui.lectures.asking.asking import LessonAsking

SIGN = 18
"""Pixels of the sign before what came of an answer, at the usual size of text."""


@guarded
class AskCard(QFrame):
    """Takes no room where nothing is asked."""

    def __init__(self, asking: LessonAsking, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("ask_card")
        self._asking = asking
        self._shown: LessonAsk | None = None
        self._was_said = ""
        self.question = self._label("ask_question", "strong")
        self.typed = QLineEdit(self)
        self.typed.setObjectName("ask_typed")
        hand_on(self.typed)
        self.typed.returnPressed.connect(self._check)
        self.unit = self._label("ask_unit", "muted")
        self.unit.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.check = self._button("ask_check", _("Check"))
        self.check.setProperty("primary", True)
        self.check.clicked.connect(self._check)
        self._choices = QWidget(self)
        self._choice_rows = QVBoxLayout(self._choices)
        self._choice_rows.setContentsMargins(0, 0, 0, 0)
        self._choice_rows.setSpacing(2)
        self._group = QButtonGroup(self)
        self.choices: list[ChoiceButton] = []
        self.problem = self._label("ask_problem", "small")
        self._sign = plain_label(self)
        self._sign.setObjectName("ask_sign")
        self.outcome = self._label("ask_outcome", "body")
        self.hints = self._label("ask_hints", "small")
        self.hint = self._button("ask_hint", "")
        self.hint.clicked.connect(asking.hint)
        self.show_answer = self._button("ask_show", "")
        self.show_answer.clicked.connect(asking.show_answer)
        self._lay_out()
        asking.changed.connect(self.refresh)
        theme_signals().changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.typed, 1)
        row.addWidget(self.unit)
        row.addWidget(self.check)
        told = QHBoxLayout()
        told.setSpacing(6)
        told.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        told.addWidget(self.outcome, 1)
        help_row = QHBoxLayout()
        help_row.setSpacing(6)
        help_row.addWidget(self.hint)
        help_row.addWidget(self.show_answer)
        help_row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(6)
        column.addWidget(self.question)
        column.addWidget(self._choices)
        column.addLayout(row)
        column.addWidget(self.problem)
        column.addLayout(told)
        column.addWidget(self.hints)
        column.addLayout(help_row)

    # ---- showing -----------------------------------------------------------------------------

    def refresh(self, _theme: object = None) -> None:
        """Bring it up to what is asked, and what is known of the answer."""
        asking, ask = self._asking, self._asking.ask
        self.setVisible(ask is not None)
        if ask is None:
            self._shown = None
            return
        if ask is not self._shown:
            self._shown = ask
            self._ask(ask)
        words, is_over = ask.said(), asking.is_over
        is_typed = ask.kind in (AskKind.NUMBER, AskKind.WORD) and not is_over
        self.typed.setVisible(is_typed)
        self.unit.setVisible(is_typed and bool(ask.unit))
        self._choices.setVisible(bool(self.choices))
        for one in self.choices:
            one.setEnabled(not is_over)
        self.check.setVisible(not is_over and ask.kind is not AskKind.DO)
        self.check.setText(_("Guess") if ask.first else _("Check"))
        self._say(self.problem, asking.problem)
        sign, said = outcome_said(ask, asking)
        self._say(self.outcome, said)
        self._sign.setVisible(bool(said))
        if said:
            glyph, tint = sign
            self._sign.setPixmap(icon(glyph, tint).pixmap(zoomed(SIGN), zoomed(SIGN)))
        hints = words.hints[: asking.hints]
        self._say(self.hints, "\n".join(_("Hint: {hint}", hint=one) for one in hints))
        left = len(words.hints) - asking.hints
        self.hint.setText(hint_button_said(asking.hints, len(words.hints)))
        self.hint.setVisible(not is_over and left > 0)
        self.show_answer.setText(show_button_said(ask))
        # A guess is passed over by going on.
        self.show_answer.setVisible(not is_over and not ask.first)
        heard = asking.problem or said or self.hints.text()
        if heard and heard != self._was_said and self.isVisible():
            announce(self, heard)
        self._was_said = heard

    def _ask(self, ask: LessonAsk) -> None:
        """Another question: nothing is typed or chosen yet, but what was given before."""
        words, given = ask.said(), self._asking.given
        self.question.setText(words.question)
        self.setAccessibleName(words.question)
        self.unit.setText(unit_said(ask))
        self.typed.clear()
        self.typed.setAccessibleName(words.question)
        self.typed.setPlaceholderText(_("A number") if ask.kind is AskKind.NUMBER else _("A word"))
        for old in self.choices:
            self._group.removeButton(old)
            self._choice_rows.removeWidget(old)
            old.hide()  # or it is drawn below the new ones until it is gone
            old.deleteLater()
        self.choices = []
        for number, choice in enumerate(words.choices):
            button = ChoiceButton(choice, self._choices)
            button.setObjectName(f"ask_choice_{number}")
            self._group.addButton(button, number)
            self._choice_rows.addWidget(button)
            self.choices.append(button)
        if given is not None and ask.kind is AskKind.CHOICE and given.given:
            self.choices[int(given.given)].setChecked(True)

    def _check(self) -> None:
        ask = self._asking.ask
        if ask is not None and ask.kind is AskKind.CHOICE:
            chosen = self._group.checkedId()
            self._asking.answer("" if chosen < 0 else str(chosen))
        else:
            self._asking.answer(self.typed.text())

    @staticmethod
    def _say(label: QLabel, words: str) -> None:
        label.setText(words)
        label.setVisible(bool(words))

    def _label(self, name: str, role: TextRole) -> QLabel:
        made = plain_label(self)
        made.setObjectName(name)
        in_role(made, role)
        made.setWordWrap(True)
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return made

    def _button(self, name: str, text: str) -> QPushButton:
        made = QPushButton(text, self)
        made.setObjectName(name)
        return made
