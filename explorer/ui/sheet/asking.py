"""Asks a template's questions one after the other and makes entries of the answers."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from explorer.api import Blame, Failure
from explorer.engine.messages import Answer, Ask
from explorer.sessions.records import Run
from explorer.ui.engine_bridge import Reply
from explorer.ui.sheet.entry import Entry
from explorer.ui.sheet.templates import Question, without_label
from explorer.ui.views import View, views
from explorer.ui.views.view import Origin, Pinned, now
from explorer.ui.workbench import Workbench

LANE = "sheet"


class SheetAsking(QObject):
    """One round of questions at a time.

    Signals:
        asked: How many of how many are answered.
        answered: The entries, once all are there.
        failed: A Failure; nothing came of the round.
    """

    asked = Signal(int, int)
    answered = Signal(object)
    failed = Signal(object)

    def __init__(self, bench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._questions: Sequence[Question] = ()
        self._entries: list[Entry] = []
        self._known: dict[Question, Entry] = {}

    @property
    def is_idle(self) -> bool:
        """Nothing is being asked."""
        return len(self._entries) == len(self._questions)

    def ask(self, questions: Sequence[Question]) -> None:
        """Begin a round; one under way is dropped."""
        self.cancel()
        self._questions = tuple(questions)
        self._entries, self._known = [], {}
        self._next()

    def cancel(self) -> None:
        """Stop; nothing comes of the round."""
        self._bench.bridge.forget(LANE)
        self._questions, self._entries = (), []

    def _next(self) -> None:
        self.asked.emit(len(self._entries), len(self._questions))
        if self.is_idle:
            self.answered.emit(tuple(self._entries))
            return
        question = self._questions[len(self._entries)]
        known = self._known.get(without_label(question))
        if known is not None:
            self._add(question, known.result, known.origin)
            return
        kind = next((kind for kind in views() if kind.of.name == question.operation), None)
        if kind is None:
            self._fail(Failure(Blame.USER, f"There is no view {question.operation}."))
            return
        view = kind()
        try:
            self._ask(question, view)
        finally:
            view.deleteLater()

    def _ask(self, question: Question, view: View) -> None:
        models = self._bench.models
        view.set_models(models.cards, question.slot or models.active)
        view.set_document(question.document)
        slots = view.slots(question.document) or (question.slot or models.active,)
        missing = [slot for slot in slots if slot not in models.cards]
        if missing:
            hint = view.second_model_hint if len(slots) > 1 else "Load one from the model library."
            self._fail(Failure(Blame.USER, f"No model is loaded as {missing[0]}.", hint))
            return
        request = view.request_of(question.document)
        if request is None:
            hint = view.empty_hint(question.document)
            self._fail(Failure(Blame.USER, f"{view.title} has nothing to answer.", hint))
            return
        answered: Callable[[Answer], None] = lambda answer: self._answered(  # noqa: E731
            question, request, slots, view.of.table, answer
        )
        self._bench.bridge.submit(
            LANE,
            Ask(request, slots[0]),
            Reply(
                answered=answered,
                failed=self._fail,
                lost=lambda why: self._fail(Failure(Blame.MACHINE, why, "Try again.")),
            ),
        )

    def _answered(
        self,
        question: Question,
        request: Any,
        slots: tuple[str, ...],
        table: Callable[[Any], Any],
        answer: Answer,
    ) -> None:
        cards = self._bench.models.cards
        stamps = [cards[slot].stamp for slot in slots if slot in cards]
        ready = self._bench.bridge.latest_ready
        versions = dict(ready.versions) if ready is not None else {}
        seed = int(getattr(request, "seed", 0))
        run = Run(
            operation=question.operation,
            document=question.document,
            request=request,
            result=answer.result,
            table=table(answer.result),
            model=getattr(answer.result, "model", stamps[0] if stamps else None),
            seed=seed,
            duration=answer.duration,
            versions=versions,
            others=tuple(stamps[1:]),
        )
        origin = Origin(now(), seed, versions)
        self._bench.recording.record(run, lambda _id: self._add(question, answer.result, origin))

    def _add(self, question: Question, result: Any, origin: Origin) -> None:
        if self.is_idle or self._questions[len(self._entries)] != question:
            return  # a newer round has begun
        baseline = None
        if question.baseline is not None:
            first = self._entries[question.baseline]
            baseline = Pinned(first.result, first.document, first.origin)
        entry = Entry(
            question.operation, result, question.document, origin, baseline, question.label
        )
        self._entries.append(entry)
        self._known[without_label(question)] = entry
        self._next()

    def _fail(self, failure: Failure) -> None:
        self._questions, self._entries = (), []
        self.failed.emit(failure)
