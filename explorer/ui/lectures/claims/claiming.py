"""A claim for a scene that is saved: suggested by the answer on screen, and checked in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from explorer.api.question import Question
from explorer.lectures import Step
from explorer.text import _, said
from explorer.ui.lectures.claims.verdict import Judgement, SeenStep, Verdict, told_of
from explorer.ui.views.latest_work import LatestWork

if TYPE_CHECKING:
    from explorer.lectures.claims.cells import Beside


@dataclass(frozen=True)
class ClaimedAnswer:
    """The answer that something is claimed of.

    Attributes:
        question: The question.
        result: Its answer.
        beside: The exact answers laid beside it; None where they are not wanted.
    """

    question: Question[Any, Any]
    result: Any
    beside: Beside | None


class Claiming(QObject):
    """Suggests a claim, and tells whether one holds; both on threads of their own.

    It lives as long as the window: a thread may tell of its work when whoever asked is gone.

    Signals:
        suggested: The claim, and the sentence that it was made of; "" where the answer suggests
            none.
        checked: A claim and its Told.
    """

    suggested = Signal(str, str)
    checked = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._suggesting = LatestWork("claim", self)
        self._suggesting.done.connect(lambda both: self.suggested.emit(*both))
        self._checking = LatestWork("check", self)
        self._checking.done.connect(self._tell)

    def suggest(self, answer: ClaimedAnswer) -> None:
        """Suggest a claim of an answer."""
        self._suggesting.ask(lambda: _suggested(answer))

    def check(self, claim: str, answer: ClaimedAnswer) -> None:
        """Look whether a claim holds; what was asked before is told no more."""
        self._checking.ask(lambda: (claim, _told_of(claim, answer)))

    def forget(self) -> None:
        """Tell nothing of what was asked so far."""
        self._suggesting.forget()
        self._checking.forget()

    def _tell(self, checked: tuple[str, Judgement]) -> None:
        claim, told = checked
        if told.verdict is Verdict.HOLDS and not told.values:
            told = Judgement(Verdict.UNKNOWN, _("It says nothing of the answer."))
        self.checked.emit(claim, told)


def _suggested(answer: ClaimedAnswer) -> tuple[str, str]:
    # What plays scenes without a window is read when something is claimed.
    from explorer.lectures.claims.cells import cells_of
    from explorer.lectures.claims.proposing import proposed

    sentence = answer.question.headline_of(answer.result).sentence
    claims = proposed(sentence, cells_of(answer.question, answer.result))
    return " and ".join(claims), said(sentence) if claims else ""


def _told_of(claim: str, answer: ClaimedAnswer) -> Judgement:
    step = Step(answer.question.name, claims=(claim,))
    return told_of(SeenStep(step, answer.result, answer.beside), ())
