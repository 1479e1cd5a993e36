"""What is asked about, above the page in presenter mode: the texts, and a question put to them.

Of a model that is a moment of its training the steps stand there too.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from explorer.api.question import SLOTS, Words
from explorer.document import MASK_LITERAL, Document
from explorer.questions import all_questions
from explorer.text import _, said
from explorer.text.printable import shortened
from explorer.ui.blocks.page.shown import masked_text
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.document.second_page import question_of
from explorer.ui.lectures.stage.letters import write_in
from explorer.ui.library.moments.step_slider import StepSlider
from explorer.ui.theme.text_roles import in_role

if TYPE_CHECKING:
    from explorer.ui.lectures.actions import LectureActions
    from explorer.ui.window.host import HostWindow

LINE, CAPTION = 0.033, 0.024
"""Letters, as parts of the window's height."""
LONGEST = 600
"""Characters of a text that are shown: a page of them would leave the answer no room."""


class StageInput(QFrame):
    """Takes no room outside presenter mode, and none where the page is not about a text.

    Lines are wrapped and never cut: a class sees what the model was given.

    Attributes:
        steps: What moves a model through its training, by slot; hidden where it has no moments.
    """

    def __init__(self, window: HostWindow, actions: LectureActions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("stage_input")
        self._window, self._lecturing = window, actions.lecturing
        self._presenting = presenting = actions.presenting
        self._lines: list[tuple[str, str]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(14, 6, 14, 6)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        moments = window.bench.moments
        # A slider hides itself where its model has no moments; what holds it, where nobody asks it.
        self._holders = {slot: QWidget(self) for slot in SLOTS}
        self.steps = {
            slot: StepSlider(slot, moments, holder, is_on_stage=True)
            for slot, holder in self._holders.items()
        }
        column = QVBoxLayout()
        for slot, holder in self._holders.items():
            inside = QVBoxLayout(holder)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.addWidget(self.steps[slot])
            column.addWidget(holder)
        self._grid.addLayout(column, 0, 2)
        moments.changed.connect(self.refresh)
        presenting.turned.connect(self.refresh)
        actions.lecturing.moved.connect(self.refresh)
        presenting.sized.connect(self._fit)
        # To methods alone: what is behind the window lives on when the window is made anew.
        window.view_area.visibility_changed.connect(self.refresh)
        window.bench.state.changed.connect(self.refresh)
        self.hide()

    def refresh(self) -> None:
        """Bring it up to the document and the page on screen."""
        lines = []
        question = question_of(self._window.view_area.current.question)
        if self._presenting.is_on:
            lines = input_lines(self._window.bench.state.document, question)
        playing = self._playing(question)
        for slot, holder in self._holders.items():
            holder.setVisible(slot in playing)
        if lines != self._lines:
            self._lines = lines
            self._show()
        has_steps = any(slot in playing and not one.isHidden() for slot, one in self.steps.items())
        self.setVisible(bool(lines) or (has_steps and self._presenting.is_on))

    def _playing(self, question: str) -> Collection[str]:
        """The slots whose steps are of interest.

        In a lecture those of the models that the page asks: one from a step before may be there
        still. Without one the user chose them all.
        """
        bench, asks = self._window.bench, all_questions().get(question)
        cards = bench.models.cards
        if asks is None or not cards or not self._lecturing.runs:
            return SLOTS
        return asks.cast(cards, bench.models.active, bench.state.document).values()

    def _show(self) -> None:
        for old in self.findChildren(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly):
            self._grid.removeWidget(old)
            old.hide()
            old.deleteLater()
        has_names = len(self._lines) > 1
        for row, (name, text) in enumerate(self._lines):
            if has_names:
                caption = plain_label(self, name)
                in_role(caption, "muted")
                self._grid.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop)
            line = plain_label(self, text)
            line.setObjectName(f"stage_line_{row}")
            line.setWordWrap(True)
            line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
            in_role(line, "strong")
            line.setAccessibleName(f"{name}: {text}")
            self._grid.addWidget(line, row, 1)
        self._fit()

    def _fit(self) -> None:
        for one in self.findChildren(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly):
            part = LINE if one.objectName() else CAPTION
            write_in(one, self._presenting.pixels(part))


def input_lines(document: Document, question: str) -> list[tuple[str, str]]:
    """What a page's question is asked about, with what each line of it is.

    Args:
        document: The user's.
        question: The question's name.
    """
    asks = all_questions().get(question)
    # Whatever reads a text can't be asked without one.
    if asks is None or not asks.conditions or not document.text.strip():
        return []
    lines = [(_("Text"), masked_text(document, 0, MASK_LITERAL))]
    if document.pair is not None:
        lines.append((_("Second text"), masked_text(document, 1, MASK_LITERAL)))
    for option in asks.options:
        if isinstance(option, Words) and option.is_input:
            typed = option.of(document).strip()
            if typed and (option.when is None or option.when(document)):
                lines.append((said(option.label), typed))
    return [(name, shortened(text, LONGEST)) for name, text in lines]
