"""Asks a template's questions one after the other and makes entries of the answers."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from explorer.api.question import Blame, Failure, TemplateEntry
from explorer.text import _
from explorer.ui.blocks.page.shown import Origin, Pinned
from explorer.ui.runs.ask_and_log import Callbacks, RunRequest, ask_and_log
from explorer.ui.runs.details import Details
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.sheet.templates import without_label
from explorer.ui.views import view_for
from explorer.ui.views.page_view import PageView
from explorer.ui.workbench.workbench import Workbench

LANE = "sheet"


class SheetAsking(QObject):
    """One round of questions at a time.

    Signals:
        asked: How many of how many are answered.
        answered: The entries, once all are there.
        failed: A Failure; nothing came of the round.
        stopped: The user cancelled it.
    """

    asked = Signal(int, int)
    answered = Signal(object)
    failed = Signal(object)
    stopped = Signal()

    def __init__(self, bench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._questions: Sequence[TemplateEntry] = ()
        self._entries: list[SheetEntry] = []
        self._known: dict[TemplateEntry, SheetEntry] = {}

    @property
    def is_idle(self) -> bool:
        """Nothing is being asked."""
        return len(self._entries) == len(self._questions)

    def ask(self, questions: Sequence[TemplateEntry]) -> None:
        """Begin a round; one under way is dropped."""
        self._drop()
        self._questions = tuple(questions)
        self._entries, self._known = [], {}
        self._next()

    def cancel(self) -> None:
        """Stop; nothing comes of the round."""
        if not self.is_idle:
            self._drop()
            self.stopped.emit()

    def _drop(self) -> None:
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
        kind = view_for(question.operation)
        if kind is None:
            self._fail(
                Failure(
                    Blame.USER, _("There is no page {operation}.", operation=question.operation)
                )
            )
            return
        view = self._page_for(question)
        try:
            self._ask(question, view)
        finally:
            view.deleteLater()

    def _ask(self, question: TemplateEntry, view: PageView) -> None:
        models = self._bench.models
        cast = view.of.cast(models.cards, question.slot or models.active, question.document)
        missing = [slot for slot in cast.values() if slot not in models.cards]
        if missing:
            hint = (
                _(view.second_model_hint)
                if len(cast) > 1
                else _("Load one from the model library.")
            )
            self._fail(
                Failure(Blame.USER, _("No model is loaded as {missing}.", missing=missing[0]), hint)
            )
            return
        request = view.request_of(question.document)
        if request is None:
            hint = view.empty_hint(question.document)
            self._fail(
                Failure(Blame.USER, _("{title} has nothing to answer.", title=view.title), hint)
            )
            return
        round_of_now = self._questions

        def failed(failure: Failure) -> None:
            if self._questions is round_of_now:  # else a newer round has begun
                self._fail(failure)

        ask_and_log(
            self._bench.bridge,
            LANE,
            RunRequest(view.of, question.document, request, cast, models.stamps_of(cast)),
            self._bench.recording.record,
            Callbacks(
                answered=lambda run, origin: self._add(question, run.result, origin),
                failed=failed,
                stopped=self.cancel,
                lost=lambda why: failed(Failure(Blame.MACHINE, why, _("Try again."))),
            ),
        )

    def _add(self, question: TemplateEntry, result: Any, origin: Origin) -> None:
        if self.is_idle or self._questions[len(self._entries)] != question:
            return  # a newer round has begun
        view = self._page_for(question)
        if question.baseline is not None:
            first = self._entries[question.baseline]
            view.baseline = Pinned(first.result, first.shown.asked, first.origin)
        # Parts of an answer that its page can't be drawn without are asked for as in the window.
        bench = self._bench
        Details(view.question, lambda: view, bench.models, bench.bridge, view).serve(view)
        view.settled.connect(
            lambda: self._drawn(question, view), Qt.ConnectionType.SingleShotConnection
        )
        view.show_result(result, question.document, origin)

    def _drawn(self, question: TemplateEntry, view: PageView) -> None:
        entry = SheetEntry.of(view, question.label)
        view.deleteLater()
        if entry is None or self.is_idle or self._questions[len(self._entries)] != question:
            return  # a newer round has begun
        self._entries.append(entry)
        self._known[without_label(question)] = entry
        self._next()

    def _page_for(self, question: TemplateEntry) -> PageView:
        """A page on no screen, with the models of now."""
        kind = view_for(question.operation)
        assert kind is not None
        view = kind()
        view.set_models(self._bench.models.cards, question.slot or self._bench.models.active)
        view.set_document(question.document)
        return view

    def _fail(self, failure: Failure) -> None:
        self._questions, self._entries = (), []
        self.failed.emit(failure)
