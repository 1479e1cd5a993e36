"""On the stage: the block that a step names, alone and in letters as large as it has room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

from explorer.questions.former_names import name_today
from explorer.ui.blocks.block import page_of
from explorer.ui.guarded import guarded
from explorer.ui.theme import chrome

if TYPE_CHECKING:
    from explorer.ui.lectures.actions import LectureActions
    from explorer.ui.views.page_view import PageView
    from explorer.ui.window.host import HostWindow

SMALLER = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5)
"""Of letters that are 3 % of the height: a block that needs more room has somewhat smaller ones."""
SPARE = 26
"""Pixels around a page in its area."""


@guarded
class Stage(QObject):
    """Shows what a step is about and nothing else, as long as presenter mode lasts."""

    def __init__(self, window: HostWindow, actions: LectureActions) -> None:
        super().__init__(window)
        self._window, self._actions = window, actions
        self._view: PageView | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._suit)
        actions.presenting.turned.connect(self.refresh)
        actions.presenting.sized.connect(self._later.start)
        actions.lecturing.moved.connect(self.refresh)
        actions.lecturing.changed.connect(self.refresh)

    @property
    def _is_on(self) -> bool:
        return self._actions.is_presenting and self._actions.lecturing.runs

    def refresh(self) -> None:
        """Bring it up to the step, or leave the page as it is outside presenter mode."""
        at, going = self._actions.lecturing.at, self._actions.lecturing.going
        view = None
        if self._is_on and at is not None:
            if going.is_under_way:
                return
            view = self._window.view_of(name_today(at.step.question))
        if self._view is not view:
            self._leave()
            self._view = view
            if view is not None:
                view.settled.connect(self._later.start)
        for frame in self._window.view_area.frames.values():
            frame.header.setVisible(view is None)
        if view is None:
            self._actions.presenting.suit_block(None)
        elif at is not None:
            view.stand_on_stage(at.step.focus)
            self._later.start()

    def _leave(self) -> None:
        if self._view is not None and isValid(self._view):
            self._view.settled.disconnect(self._later.start)
            self._view.stand_on_stage(None)

    def _suit(self) -> None:
        """Write the block in the largest letters in which it needs no scrolling."""
        view, presenting = self._view, self._actions.presenting
        if view is None or not isValid(view) or not view.laid or not self._is_on:
            return
        port = view.area.viewport()
        width, high = port.width() - SPARE, port.height() - SPARE
        now, full = chrome.now_to_usual(), presenting.full_scale
        if width <= 0 or high <= 0:
            return

        def height_at(scale: float) -> float:
            # What is drawn in letters of another size is the same page at another width.
            room = high * now / scale
            return page_of(view.laid, width * now / scale, room).height * scale / now

        scales = [round(full * one, 3) for one in SMALLER]
        presenting.suit_block(next((s for s in scales if height_at(s) <= high + 1), scales[-1]))
