"""Asks one view's question when it changes, and shows the answer once it is on record."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.api.question import Blame, Failure, ModelStamp, Question
from explorer.api.question.roles import RoleBinding, cast_of, missing_of, not_loaded
from explorer.document import Document
from explorer.engine.messages import Progress
from explorer.sessions.records import LoggedRun, StoredRun
from explorer.text import _, said
from explorer.ui.blocks.page.page import Fetch
from explorer.ui.blocks.page.shown import Origin
from explorer.ui.document.second_page import PageState
from explorer.ui.library.models import ModelSlots
from explorer.ui.runs.answers import AnswerKey, Answers, KeptAnswer
from explorer.ui.runs.ask_and_log import Callbacks, RunRequest, ask_and_log, keep
from explorer.ui.runs.details import Details
from explorer.ui.runs.engine_bridge import EngineBridge, nothing
from explorer.ui.runs.half_typed import HalfTyped
from explorer.ui.runs.held_page import HeldPage
from explorer.ui.runs.logged import Replaying, from_the_log
from explorer.ui.runs.recording import Recording
from explorer.ui.runs.unable import NO_MODEL, why_not
from explorer.ui.views.frame.state_pages import Way
from explorer.ui.views.frame.view_frame import ViewFrame
from explorer.ui.views.page_view import PageView


class Asker(QObject):
    """One view, its frame, and its lane to the engine.

    Attributes:
        of: The question.
        name: What the window calls the page.
        state: The document that it asks about.
        page: The view and the frame, or what is kept of them.

    Signals:
        shown: The view shows a result; with the question's name, the document and the result.
        replayed: A logged run was asked again; the StoredRun of then and the Run of now.
    """

    shown = Signal(str, object, object)
    replayed = Signal(object, object)

    def __init__(
        self,
        view: PageView,
        frame: ViewFrame,
        state: PageState,
        models: ModelSlots,
        bridge: EngineBridge,
        recording: Recording,
        answers: Answers,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.is_visible = False
        self.typing_pause_ms = 200
        self.restored: Callable[[str], StoredRun | None] = lambda _question: None
        self.ways: Callable[[Question[Any, Any], Any, RoleBinding], Sequence[Way]] = (
            lambda *_asked: ()
        )
        self.to_load: Callable[[Mapping[str, ModelStamp], Callable[[], object]], Sequence[Way]] = (
            lambda *_models: ()
        )
        self.examples: Callable[[Question[Any, Any]], Sequence[Way]] = lambda _question: ()
        self.is_held: Callable[[], bool] = lambda: False
        """Whether other models and another document are on their way."""
        self.state = state
        self._models = models
        self._bridge = bridge
        self.half_typed = HalfTyped(recording)
        self._by_typing = self._in_part = False
        self._answers = answers
        self._asked: AnswerKey | None = None
        self._settled: AnswerKey | str | None = None
        self._drawn: Document | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._ask_now)
        self._planned: tuple[AnswerKey, Document, RoleBinding] | None = None
        self._demanded: AnswerKey | None = None
        self._replaying: Replaying | None = None
        self._awaited = ""
        """The logged run that is asked again once its models are loaded."""
        self._said: Callable[[], None] = nothing
        """Says once more what the frame says of a question that is settled."""
        self.of, self.name = view.of, view.name
        self.page = HeldPage()
        self._details = Details(view.name, lambda: self.view, models, bridge, self)
        self._stand_in(view, frame)
        state.taken_back.connect(self._take_back)

    @property
    def view(self) -> PageView:
        """The page's view; made anew where it was let go."""
        return self.page.widgets[0]

    @property
    def frame(self) -> ViewFrame:
        """What is around it."""
        return self.page.widgets[1]

    def let_go(self) -> bool:
        """Keep what is shown, and not its widgets; False where something would be lost."""
        is_idle = self.is_idle and self._details.is_idle
        return is_idle and not self.is_visible and self.page.let_go()

    def _stand_in(self, view: PageView, frame: ViewFrame) -> None:
        self.page.stand_in(view, frame)
        self._details.serve(view)
        frame.cancel_requested.connect(self.cancel)
        frame.retry_requested.connect(self.ask_again)
        view.run_requested.connect(self.ask_again)

    def go_on_in(self, view: PageView, frame: ViewFrame) -> None:
        """Show all that is shown, and what is under way, in another view of the same question."""
        kept = self.page.kept
        self._stand_in(view, frame)
        kept.give(view)
        if view.has_result:
            frame.show_result()
        if self._asked is not None or self._planned is not None:
            frame.show_working(with_options=True)
        elif isinstance(self._settled, AnswerKey):
            self._said()
            if view.has_result and view.document is not None:
                self.shown.emit(self.of.name, view.document, view.result)
        else:
            # A logged run is shown anew.
            self._settled = None
        # Why it can't be asked, or what is missing, is found out once more when it is seen.
        self.is_visible = False

    @property
    def lane(self) -> str:
        """The engine's lane of this view."""
        return f"view:{self.name}"

    @property
    def is_idle(self) -> bool:
        """Nothing is planned and nothing is under way."""
        return self._planned is None and self._asked is None

    def set_visible(self, visible: bool) -> None:
        """A hidden view asks nothing; once it is seen it asks what is due."""
        self.is_visible = visible
        if visible:
            self.refresh()

    def refresh(self) -> None:
        """Bring the view up to the document and the model, asking if need be.

        One that is hidden hears of nothing before it is seen: a text would cost more to edit with
        each page that was ever seen.
        """
        if self.is_held() or not self.is_visible:
            return
        document = self.state.document
        self.view.set_models(self._models.cards, self.state.slot(self._models.active))
        stored = self.restored(self.of.name)
        if stored is not None:
            if self._settled != stored.summary.id:
                self._show_restored(stored)
            elif self._awaited == stored.summary.id and not missing_of(
                stored.models, self._models.cards
            ):
                self.ask_again()
            elif document != self._drawn:
                self._drawn = document
                self.view.set_document(document)
            return
        self.view.set_document(document)
        cast = self._cast(document)
        if missing := self._empty(cast):
            self._show_no_model(missing[0], cast)
            return
        card = self._models.cards.get(next(iter(cast.values()), ""))
        if card is not None and self.view.needs_model:
            why = why_not(self.of, card)
            if why:
                self._drop()
                self.view.clear()
                self.frame.show_unavailable(why, self.ways(self.of, None, cast))
                return
        request = self.view.request_of(document)
        if request is None:
            self._drop()
            self.view.clear()
            examples = self.examples(self.of)
            self.frame.show_empty(self.view.empty_hint(document), ways=examples, with_options=True)
            return
        self._go_for(self._question(cast, request), document, cast)

    def asks_same(self, stored: StoredRun, document: Document) -> bool:
        """Whether a document differs from a logged run's in nothing that its view asks about."""
        one = stored.document
        if (one.text, one.pair, one.masks, one.entities, one.top_k) != (
            document.text,
            document.pair,
            document.masks,
            document.entities,
            document.top_k,
        ):
            return False
        # Of the one shown now: in it A and B may be exchanged, since they lie otherwise today.
        if self._usual(self.state.document) != self._usual(document):
            return False
        request = self.view.request_of(one)
        return request is not None and request == self.view.request_of(document)

    def _cast(self, document: Document) -> RoleBinding:
        """Who plays which role: as in the run that is asked again, else as the question has it."""
        again = self._replaying
        if again is not None and again.holds(document, self._models.active_card):
            found = cast_of(again.run.models, self._models.cards)
            if found.keys() == again.run.models.keys():
                return found
        return self._usual(document)

    def _usual(self, document: Document) -> RoleBinding:
        slot = self.state.slot(self._models.active)
        return self.of.cast(self._models.cards, slot, document)

    def _empty(self, cast: RoleBinding) -> list[str]:
        """The slots of a cast that no model is loaded in."""
        return [slot for slot in cast.values() if slot not in self._models.cards]

    def _question(self, cast: RoleBinding, request: Any) -> AnswerKey:
        return AnswerKey(request, tuple(self._models.stamps_of(cast).items()))

    def ask_again(self) -> None:
        """Ask once more, whatever is known; a logged run of who answered it, wherever that is."""
        stored = self.restored(self.of.name)
        document = self.state.document
        self._awaited = ""
        if stored is not None:
            missing = missing_of(stored.models, self._models.cards)
            # One that was asked alone is asked of the model of now, where there is one.
            alone = len(stored.models) == 1 and self._models.active_card is not None
            if missing and not alone:
                self._show_missing(stored, said(not_loaded(missing, self.view.title_of)))
                return
            self._replaying = Replaying(stored, document, self._models.active_card)
        if self.state.run_id:
            self.state.edit(_("run again"), document)
        cast = self._cast(document)
        request = self.view.request_of(document)
        if request is not None and not self._empty(cast):
            question = self._question(cast, request)
            self._answers.forget(question)
            self._drop()
            self._demanded = question
        self.refresh()

    def cancel(self) -> None:
        """Stop what this view waits for."""
        if missing := self._empty(self._cast(self.state.document)):
            self._models.cancel(missing[0])
            return
        if self._planned is not None and self._asked is None:
            self._settled = self._planned[0]
            self._planned = None
            self._timer.stop()
            self._say(self._show_stopped)
            return
        self._bridge.cancel(self.lane)

    # ---- asking ------------------------------------------------------------------------------

    def _go_for(self, question: AnswerKey, document: Document, cast: RoleBinding) -> None:
        if question in (self._settled, self._asked):
            return
        if self._planned is not None and question == self._planned[0]:
            return
        known = self._answers.get(question)
        if known is not None:
            self._drop()
            if known.unlogged is None:
                self._show(question, document, known.result, known.origin)
                return
            # The overview asked it: as soon as it is on record it is shown here.
            self._asked = question
            self.frame.show_working(with_options=True)
            record = self.half_typed.recorder(document, typed=self.state.is_typing)
            heard = self._callbacks(question, document)
            keep(replace(known.unlogged, document=document), record, heard)
            return
        self._drop()
        if question != self._demanded and self.view.on_demand(document):
            self._settled = question
            self._say(lambda: self._offer(document))
            return
        self._planned = (question, document, cast)
        self._by_typing = self.state.is_typing
        self.frame.show_working(with_options=True)
        self._timer.start(self.typing_pause_ms if self.state.is_typing else 0)

    def _ask_now(self) -> None:
        if self._planned is None:
            return
        question, document, cast = self._planned
        self._planned = self._demanded = None
        self._asked, self._in_part = question, False
        inquiry = RunRequest(self.of, document, question.request, cast, dict(question.models))
        ask_and_log(
            self._bridge,
            self.lane,
            inquiry,
            self.half_typed.recorder(document, typed=self._by_typing),
            self._callbacks(question, document),
        )

    def _callbacks(self, question: AnswerKey, document: Document) -> Callbacks:
        return Callbacks(
            answered=lambda run, origin: self._answered(question, run, origin),
            failed=lambda failure: self._failed(question, failure),
            stopped=lambda: self._stopped(question),
            lost=lambda reason: self._lost(question, reason),
            progressed=self._went_on,
            parted=lambda result: self._parted(question, document, result),
        )

    def _take_back(self, document: Document) -> None:
        """Asked again, it is answered and kept anew."""
        if self.half_typed.take_back(document):
            request = self.view.request_of(document)
            if request is not None:
                self._answers.forget(self._question(self._cast(document), request))

    def _drop(self) -> None:
        """Nothing is asked any more, and nothing is settled."""
        self._timer.stop()
        self._planned = None
        self._asked = None
        self._settled = None
        self._in_part = False
        self._bridge.forget(self.lane)

    def _went_on(self, progress: Progress) -> None:
        self.frame.set_progress(
            said(progress.stage), progress.done, progress.total, said(progress.detail)
        )

    def _parted(self, question: AnswerKey, document: Document, result: Any) -> None:
        if question == self._asked:
            self._in_part = True
            self.view.show_part(result, document)
            self.frame.show_part()

    def _compare(self, run: LoggedRun) -> None:
        """Tell of a logged run that was asked again."""
        again = self._replaying
        if again is not None and not again.is_told and again.document == run.document:
            self._replaying = replace(again, is_told=True)
            self.replayed.emit(again.run, run)

    def _answered(self, question: AnswerKey, run: LoggedRun, origin: Origin) -> None:
        self._compare(run)
        if self.view.keeps(run.result):
            self._answers.put(question, KeptAnswer(run.result, origin))
        if question == self._asked:
            self._asked = None
            self._show(question, run.document, run.result, origin)

    def _failed(self, question: AnswerKey, failure: Failure) -> None:
        if question == self._asked:
            self._asked = None
            self._settled = question
            self.view.clear()
            self._say(lambda: self._show_failed(question, failure))

    def _show_failed(self, question: AnswerKey, failure: Failure) -> None:
        cast = self._cast(self.state.document)
        ways = (*self._to_fetch(question.request), *self.ways(self.of, question.request, cast))
        self.frame.show_failed(failure, ways, with_options=True)

    def _to_fetch(self, request: Any) -> Sequence[Way]:
        """Where the tokenizer that is asked is not here: the button that downloads it."""
        tokenizer_of = self.of.tokenizer_of
        name = tokenizer_of(request) if tokenizer_of is not None else ""
        if not self.view.lacks_tokenizer(name):
            return ()
        return ((_("Download its tokenizer alone"), partial(self.view.act, Fetch(name))),)

    def _stopped(self, question: AnswerKey) -> None:
        if question == self._asked:
            self._asked = None
            self._settled = question
            self._say(self._show_stopped)

    def _lost(self, question: AnswerKey, reason: str) -> None:
        hint = _("Your text is safe. Try again once the model is loaded again.")
        self._failed(question, Failure(Blame.MACHINE, reason, hint))

    def _say(self, how: Callable[[], None]) -> None:
        self._said = how
        how()

    # ---- showing -----------------------------------------------------------------------------

    def _show(self, question: AnswerKey, document: Document, result: Any, origin: Origin) -> None:
        self._settled = question
        self.frame.make_room()
        self.view.show_result(result, document, origin)
        self._say(self._show_answer)
        self.shown.emit(self.of.name, document, result)

    def _show_answer(self) -> None:
        self.frame.show_result()

    def _show_restored(self, stored: StoredRun) -> None:
        self._drop()
        self._awaited = ""
        self._settled = stored.summary.id
        self.half_typed.leave_the_log()
        # As it was, but for A and B, which may be exchanged today.
        self._drawn = self.state.document
        self.view.set_document(self._drawn)
        if stored.result is not None:
            self.view.show_result(stored.result, stored.document, Origin.of(stored))
            self.frame.show_result(from_the_log(stored, self.view.title_of))
            self.shown.emit(self.of.name, stored.document, stored.result)
            return
        self.view.clear()
        why = stored.unreadable or _("This run has no result.")
        self.frame.show_failed(stored.failure or Failure(Blame.USER, why, _("Ask it again.")))

    def _show_missing(self, stored: StoredRun, sentence: str) -> None:
        """The models of a run are not here to be asked again."""
        ways = self.to_load(stored.models, partial(self._await, stored))
        hint = _("Load what is missing, then ask again.")
        if self.view.has_result:
            self.frame.show_stale(sentence if ways else f"{sentence} {hint}", ways)
        else:
            self.frame.show_failed(Failure(Blame.USER, sentence, hint), ways)

    def _await(self, stored: StoredRun) -> None:
        """The models of a run are being loaded, to be asked again."""
        self._awaited = stored.summary.id
        if self.view.has_result:
            self.frame.show_stale(_("It is asked again as soon as its models are loaded."))

    def _show_stopped(self) -> None:
        if self.view.stopped():
            self.refresh()
        elif self._in_part:
            self.frame.show_stale(_("Cancelled. What had been found by then is shown."))
        elif self.view.has_result:
            self.frame.show_stale(_("Cancelled. This is the answer to an earlier question."))
        else:
            self.frame.show_failed(
                Failure(
                    Blame.USER, _("The question was cancelled."), _("Ask again when you like.")
                ),
                with_options=True,
            )

    def _offer(self, document: Document) -> None:
        """The question waits for the Run button."""
        request = self.view.request_of(document)
        known = "" if request is None else _(self.of.warns(request))
        if self.view.has_result:
            earlier = _("This is the answer to an earlier question.")
            self.frame.show_stale(f"{earlier} {known}".strip())
        else:
            hint = known or self.view.empty_hint(document)
            self.frame.show_empty(hint, action=_("Run"), with_options=True)

    def _show_no_model(self, slot: str, cast: RoleBinding) -> None:
        self._drop()
        loading = self._models.loading.get(slot)
        if loading is None and self._models.are_expected:
            self.frame.show_working()
        elif loading is None:
            self.view.clear()
            nothing = len(cast) == 1 or not self._models.cards
            words = _(NO_MODEL if nothing else self.view.second_model_hint)
            request = self.view.request_of(self.state.document)
            self.frame.show_empty(words, ways=self.ways(self.of, request, cast))
        elif loading.ways is not None:
            words = _(
                "{stage}. {title} is loaded once they are there.",
                stage=said(loading.stage),
                title=loading.title,
            )
            self.frame.show_empty(words, ways=loading.ways())
        else:
            self.frame.show_working()
            self.frame.set_progress(
                _("Loading {title}", title=loading.title),
                loading.done,
                loading.total,
                said(loading.stage),
            )
