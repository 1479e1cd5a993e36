"""Parts of an answer that is shown: asked for when they are looked at, and not logged.

The answer itself is on record with the question; whoever asks it again can look at its parts.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from explorer.api.question import SLOTS, Blame, Detail, Failure, ModelStamp
from explorer.engine.messages import Answer, Ask
from explorer.questions import question_of
from explorer.text import N_, _
from explorer.ui.library.models import ModelSlots
from explorer.ui.runs.engine_bridge import EngineBridge, Reply
from explorer.ui.views.page_view import PageView

STOPPED = Failure(
    Blame.USER, N_("Looking closer was cancelled."), N_("Choose it again when you like.")
)


class Details(QObject):
    """Brings a view the details it wants."""

    def __init__(
        self,
        question: str,
        view: Callable[[], PageView],
        models: ModelSlots,
        bridge: EngineBridge,
        parent: QObject | None = None,
    ) -> None:
        """Nothing is wanted yet.

        Args:
            question: Whose answer it is.
            view: The view of now, to which those under way are brought as well.
            models: Who is asked.
            bridge: By which they are asked.
            parent: With which it ends.
        """
        super().__init__(parent)
        self._lanes, self._view_of_now = f"detail:{question}:", view
        self._models = models
        self._bridge = bridge

    @property
    def is_idle(self) -> bool:
        """Nothing is under way."""
        return not self._bridge.is_waiting(self._lanes)

    def serve(self, view: PageView) -> None:
        """Hear what this view wants."""
        view.detail_wanted.connect(self._ask)

    def _ask(self, detail: Detail) -> None:
        question = question_of(detail.request)
        slot = self._slot_of(detail.model)
        if slot is None and question.roles:
            view = self._view_of_now()
            title = view.title_of(detail.model)
            view.detail_failed(
                detail,
                Failure(
                    Blame.USER,
                    _("{model} is not loaded any more.", model=title),
                    _("Load it again to look closer."),
                ),
            )
            return
        self._bridge.submit(
            f"{self._lanes}{detail.lane}",
            Ask(detail.request, {} if slot is None else {question.first_role: slot}),
            Reply(
                answered=lambda answer: self._answered(detail, answer),
                failed=lambda failure: self._view_of_now().detail_failed(detail, failure),
                stopped=lambda: self._view_of_now().detail_failed(detail, STOPPED),
                lost=lambda reason: self._view_of_now().detail_failed(
                    detail, Failure(Blame.MACHINE, reason, _("Try again once the model is loaded."))
                ),
            ),
        )

    def _answered(self, detail: Detail, answer: Answer) -> None:
        result: Any = answer.result
        self._view_of_now().show_detail(detail, result)

    def _slot_of(self, stamp: ModelStamp) -> str | None:
        """Where the model is loaded that gave the answer, the active slot first."""
        for slot in (self._models.active, *SLOTS):
            card = self._models.cards.get(slot)
            if card is not None and card.stamp == stamp:
                return slot
        return None
