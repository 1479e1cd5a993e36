"""The question of the step on screen: what is right in the answer of now, and what was given."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from explorer.api.question import Failure, UserMistake
from explorer.given_answers import GivenAnswer
from explorer.lectures.lessons.ask import (
    AskKind,
    LessonAsk,
    here_of,
    is_right,
    kept_answer,
    live_answer,
    typed_answer,
)
from explorer.text import _
from explorer.ui.lectures.claims.verdict import names_in
from explorer.ui.views.latest_work import LatestWork

if TYPE_CHECKING:
    from explorer.document import Document
    from explorer.ui.lectures.lecturing import Lecturing


class LessonAsking(QObject):
    """Follows the lecture: at most one question is asked, that of its step.

    Attributes:
        live: What is right in the answer that is on the page; None while nobody knows.
        hints: How many hints were taken at this step.
        problem: One sentence on what is wrong with what was typed, or why nothing is checked.

    Signals:
        changed: Another question is asked, or something is known or said of it.
    """

    changed = Signal()

    def __init__(self, lecturing: Lecturing) -> None:
        super().__init__(lecturing)
        self._lecturing = lecturing
        self.live: object | None = None
        self.hints = 0
        self.problem = ""
        self._of: tuple[object, Document, tuple[object, ...] | None] | None = None
        """The answer on the page that `live` is of, what it is an answer to, and what is laid
        beside it."""
        self._working = LatestWork("answer", self)
        self._working.done.connect(self._found)
        self._working.trouble.connect(self._not_found)
        lecturing.moved.connect(self._moved)
        lecturing.changed.connect(self._look)
        lecturing.answers.changed.connect(self.changed)

    @property
    def ask(self) -> LessonAsk | None:
        """What is asked; None where nothing is."""
        at = self._lecturing.at
        return None if at is None else at.step.ask

    @property
    def given(self) -> GivenAnswer | None:
        """What was answered so far."""
        return self._lecturing.given

    @property
    def is_over(self) -> bool:
        """Nothing is asked any more: guessed, answered rightly, or shown."""
        ask, given = self.ask, self.given
        return ask is None or (given is not None and (ask.first or given.is_over))

    # ---- what somebody does ------------------------------------------------------------------

    def answer(self, text: str) -> None:
        """Check what was typed or chosen, or keep a guess and show the page."""
        ask = self.ask
        if ask is None or self.is_over:
            return
        try:
            given = typed_answer(ask, text)
        except UserMistake as error:
            self._say(error.said)
            return
        self.problem = ""
        if self._lecturing.is_guessing:
            self._keep(GivenAnswer(given))
            self._lecturing.reveal()
        elif self.live is None:
            self._say(_("The page has no answer yet; wait for it, then try again."))
        else:
            live = kept_answer(ask, self.live)
            right = is_right(ask, given, self.live)
            self._keep(GivenAnswer(given, right, self.hints, live=live))

    def hint(self) -> None:
        """Take one more hint."""
        ask = self.ask
        if ask is not None and self.hints < len(ask.said().hints):
            self.hints += 1
            self.changed.emit()

    def show_answer(self) -> None:
        """Say what is right, and do what was to be done."""
        ask, at = self.ask, self._lecturing.at
        if ask is None or at is None:
            return
        self.problem = ""
        guesses = self._lecturing.is_guessing
        live = "" if self.live is None else kept_answer(ask, self.live)
        self._keep(GivenAnswer(hints=self.hints, shown=True, live=live))
        if guesses:
            self._lecturing.reveal()
        elif at.step.solution is not None:
            self._lecturing.show_solution(at.step.solution)

    def _keep(self, given: GivenAnswer) -> None:
        at = self._lecturing.at
        if at is not None:
            self._lecturing.answers.give(self._lecturing.path, at.scene, at.number, given)

    def _say(self, sentence: str) -> None:
        self.problem = sentence
        self.changed.emit()

    # ---- the answer on the page --------------------------------------------------------------

    def _moved(self) -> None:
        given = self.given
        self._working.forget()
        self.live = self._of = None
        self.hints, self.problem = (0 if given is None else given.hints), ""
        self.changed.emit()

    def _look(self) -> None:
        """Work out what is right, where another answer is on the page than before."""
        ask, lecturing = self.ask, self._lecturing
        result, at = lecturing.result, lecturing.at
        if ask is None or at is None or result is None or lecturing.is_guessing:
            return
        document = lecturing.document
        if lecturing.awaits_beside:
            self._working.forget()
            self.live = self._of = None  # of the page of before
            return
        seen, before = lecturing.seen_now(result), lecturing.seen_before()
        of = (result, document, None if seen.beside is None else tuple(seen.beside))
        if self._of is not None and self._of[0] is result and self._of[1:] == of[1:]:
            return
        self._of, self.problem = of, ""
        question = at.step.question

        def work() -> object:
            names = names_in(seen, before).with_field("here", here_of(question, document))
            return live_answer(ask, names)

        self.live = None
        self._working.ask(work)

    def _not_found(self, failure: Failure) -> None:
        """Say why nothing is checked: to a learner who changed the page, without expressions."""
        if self._lecturing.was_changed:
            said = _(
                "The page as it is now doesn't say what is right here. “Show the scene again” "
                "brings the step back."
            )
        else:
            said = failure.said
        self._say(said)

    def _found(self, live: object) -> None:
        ask, given = self.ask, self.given
        if ask is None:
            return
        self.live = live
        if ask.kind is AskKind.DO and live is True and not self.is_over:
            self._keep(GivenAnswer(right=True, hints=self.hints))
        elif given is not None and given.right is None and not given.live:
            right = is_right(ask, given.given, live) if given.given else None
            known = replace(given, right=right, live=kept_answer(ask, live))
            if known != given:
                self._keep(known)
        self.changed.emit()
