"""The scene on screen: what to look at, what is claimed, where it is from, and the way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.text import _
from explorer.ui.blocks.widget.accessible import announce
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.controls.scrolling import scrolling
from explorer.ui.lectures.asking.ask_card import AskCard
from explorer.ui.lectures.asking.asking import LessonAsking
from explorer.ui.lectures.claims.claim_line import ClaimLine
from explorer.ui.lectures.wording import again_said, back_tip, next_tip, step_line
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.text_roles import TextRole, in_role

if TYPE_CHECKING:
    from explorer.ui.lectures.lecturing import Lecturing


class SceneCard(QWidget):
    """Title, sentences, claim, source and buttons.

    Signals:
        library_wanted: A model is missing: choose one in the library.
    """

    library_wanted = Signal()

    def __init__(
        self, lecturing: Lecturing, on: QAction, back: QAction, present: QAction, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("scene_card")
        self._lecturing = lecturing
        self.asking = LessonAsking(lecturing)
        self._on, self._back = on, back
        self._looks: list[QLabel] = []
        inside = QWidget(self)
        self.area = scrolling(inside, "scene_area", self)  # before it is full: moves are dear
        self.place = self._text("scene_step", "small", inside)
        self.title = self._text("scene_title", "heading", inside)
        self.look = QWidget(inside)
        self._sentences = QVBoxLayout(self.look)
        self._sentences.setContentsMargins(0, 0, 0, 0)
        self._sentences.setSpacing(6)
        self.problem = self._text("scene_problem", "strong", inside)
        self.loading = self._text("scene_loading", "muted", inside)
        self.claim = ClaimLine(inside)
        self.changed_since = self._text("scene_changed", "small", inside)
        self.sources = self._text("scene_sources", "small", inside)
        self.library = self._button("scene_library", _("Open the library"), "", inside)
        self.library.clicked.connect(self.library_wanted)
        self.ask = AskCard(self.asking, inside)
        self.again = self._button(
            "scene_again",
            _("Show the scene again"),
            _("Back to the text, the masks and the settings of this step"),
            inside,
        )
        self.again.clicked.connect(lecturing.show_again)
        column = self._column = QVBoxLayout(inside)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(8)
        rows: tuple[QWidget, ...] = (
            self.place,
            self.title,
            self.problem,
            self.library,
            self.look,
            self.ask,
            self.loading,
            self.claim,
            self.changed_since,
            self.again,
            self.sources,
        )
        for widget in rows:
            column.addWidget(widget, 0, _left(widget))
        column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.area, 1)
        layout.addLayout(self._way(present))
        lecturing.moved.connect(self._moved)
        lecturing.changed.connect(self.refresh)
        self.asking.changed.connect(self.refresh)
        self.refresh()

    def _way(self, present: QAction) -> QHBoxLayout:
        """The buttons that stay in sight."""
        self.back = self._button("scene_back", _("Back"), "", self, "chevron-left")
        self.next = self._button("scene_next", _("Next"), "", self, "chevron-right")
        self.next.setProperty("primary", True)
        self.present = self._tool("scene_present", "presentation", _("Presenter mode"))
        self.present.setToolTip(plain_tip(f"{present.toolTip()} ({key_of(present)})"))
        self.leave = self._tool("scene_leave", "exit-to-app", _("Leave the lecture"))
        self.leave.setToolTip(
            _("Leave the lecture: the text, the page and the models of before come back")
        )
        self.back.clicked.connect(self._back.trigger)
        self.next.clicked.connect(self._on.trigger)
        self.present.clicked.connect(present.trigger)
        self.leave.clicked.connect(self._lecturing.go_back)
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 12, 8)
        row.setSpacing(6)
        for button in (self.back, self.next):
            row.addWidget(button, 1)
        row.addWidget(self.present)
        row.addWidget(self.leave)
        return row

    # ---- showing -----------------------------------------------------------------------------

    def _moved(self) -> None:
        self.area.verticalScrollBar().setValue(0)
        self.refresh()
        at = self._lecturing.at
        if at is not None and self.isVisible():
            looks = () if self._lecturing.is_guessing else at.step.look()
            asked = () if at.step.ask is None else (at.step.ask.said().question,)
            announce(self, " ".join((at.scene.title(), step_line(at), *looks, *asked)))

    def refresh(self) -> None:
        """Bring it up to what is known of the step."""
        at, lecturing = self._lecturing.at, self._lecturing
        self.setVisible(at is not None)
        if at is None:
            return
        self.place.setText(step_line(at))
        self.title.setText(at.scene.title())
        self.setAccessibleName(at.scene.title())
        guesses, ask = lecturing.is_guessing, at.step.ask
        self._order(asks_first=ask is not None and ask.first)
        self._show_sentences(() if guesses else at.step.look())
        self._say(self.problem, lecturing.problem)
        self.library.setVisible(bool(lecturing.problem) and lecturing.lacks_model)
        self._say(self.loading, lecturing.going.loading)
        self.claim.show_step(at.step, lecturing.told)
        since, again = again_said(lecturing)
        self._say(self.changed_since, since)
        self.again.setText(again)
        self.again.setVisible(bool(again))
        sources = at.scene.cited
        self._say(self.sources, _("Source: {sources}", sources=sources) if sources else "")
        to, before = lecturing.next(), lecturing.previous()
        self.next.setToolTip(plain_tip(next_tip(at, to, key_of(self._on))))
        self.back.setToolTip(plain_tip(back_tip(at, before, key_of(self._back))))
        self.next.setText(_("Show it") if guesses else _("Next"))
        self.next.setEnabled(to is not None or guesses)
        # Faint white would not be seen on a light ground.
        self.next.setIcon(icon("chevron-right", "on_accent" if self.next.isEnabled() else "muted"))
        self.back.setEnabled(before is not None)

    def _order(self, *, asks_first: bool) -> None:
        """A guess comes before what explains it, any other question after."""
        first, second = (self.ask, self.look) if asks_first else (self.look, self.ask)
        if self._column.indexOf(first) > self._column.indexOf(second):
            at = self._column.indexOf(second)
            self._column.removeWidget(first)
            self._column.insertWidget(at, first)

    def _show_sentences(self, sentences: tuple[str, ...]) -> None:
        if [one.text() for one in self._looks] == list(sentences):
            return
        for old in self._looks:
            self._sentences.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._looks = []
        for number, sentence in enumerate(sentences):
            label = self._text(f"scene_look_{number}", "body", self.look)
            label.setText(sentence)
            self._sentences.addWidget(label)
            self._looks.append(label)
        self.look.setVisible(bool(sentences))

    @staticmethod
    def _say(label: QLabel, words: str) -> None:
        label.setText(words)
        label.setVisible(bool(words))

    @staticmethod
    def _text(name: str, role: TextRole, parent: QWidget) -> QLabel:
        made = plain_label(parent)
        made.setObjectName(name)
        in_role(made, role)
        made.setWordWrap(True)
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return made

    def _tool(self, name: str, glyph: str, spoken: str) -> QToolButton:
        made = QToolButton(self)
        made.setObjectName(name)
        made.setIcon(icon(glyph))
        icon_in_size(made)
        made.setAccessibleName(spoken)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return made

    @staticmethod
    def _button(name: str, text: str, tip: str, parent: QWidget, glyph: str = "") -> QPushButton:
        made = QPushButton(text, parent)
        made.setObjectName(name)
        made.setToolTip(plain_tip(tip))
        if glyph:
            made.setIcon(icon(glyph))
            icon_in_size(made)
        return made


def _left(widget: QWidget) -> Qt.AlignmentFlag:
    """Buttons are as wide as their words."""
    is_button = isinstance(widget, QPushButton)
    return Qt.AlignmentFlag.AlignLeft if is_button else Qt.AlignmentFlag(0)


def key_of(action: QAction) -> str:
    """The first of an action's keys, as this system writes it."""
    shortcuts = action.shortcuts()
    return shortcuts[0].toString(shortcuts[0].SequenceFormat.NativeText) if shortcuts else ""
