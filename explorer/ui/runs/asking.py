"""What is asked when the document or the model changes: the tokens, and every visible view."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.api.question import MODEL, Failure, ModelCard, ModelStamp, Question
from explorer.api.question.roles import RoleBinding, cast_of
from explorer.document import Document
from explorer.engine.messages import Answer, Ask
from explorer.questions import all_questions
from explorer.questions.tokenizers.tokens.question import TokensRequest, TokensResult
from explorer.sessions.records import StoredRun
from explorer.text import _
from explorer.ui.document.second_page import (
    SecondState,
    carried_second_pages,
    is_second,
    second_name,
)
from explorer.ui.document.state import DocumentState
from explorer.ui.library.models import ModelSlots
from explorer.ui.runs.answers import AnswerKey, Answers
from explorer.ui.runs.asker import Asker
from explorer.ui.runs.engine_bridge import EngineBridge, Reply
from explorer.ui.runs.recording import Recording
from explorer.ui.views.frame.state_pages import Way
from explorer.ui.views.frame.view_frame import ViewFrame
from explorer.ui.views.page_view import PageView

TOKENS_LANE = "tokens"
TOKENS_PAUSE_MS = 30
"""The tokens follow the typing closely; a tokenizer takes a millisecond."""

RUNS_KEPT = 32


class Tokenising(QObject):
    """Keeps the tokens of the document up to date; they are not logged.

    Signals:
        tokenised: The document and its TokensResult.
        nothing: There is no model to cut the text.
        failed: A Failure.
    """

    tokenised = Signal(object, object)
    nothing = Signal()
    failed = Signal(object)

    def __init__(
        self,
        state: DocumentState,
        models: ModelSlots,
        bridge: EngineBridge,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._models = models
        self._bridge = bridge
        self._answers = Answers()
        self._asked: AnswerKey | None = None
        self._told: AnswerKey | None = None
        self._latest: tuple[Document, TokensResult] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._ask_now)
        state.changed.connect(self._plan)
        models.changed.connect(self._plan)
        models.active_changed.connect(self._plan)

    @property
    def is_idle(self) -> bool:
        """Nothing is planned and nothing is under way."""
        return not self._timer.isActive() and self._asked is None

    def _plan(self, _changed: object = None) -> None:
        self._timer.start(TOKENS_PAUSE_MS if self._state.is_typing else 0)

    def _ask_now(self) -> None:
        card = self._models.active_card
        document = self._state.document
        if card is None or not (document.text or document.pair):
            self._asked = self._told = None
            self._bridge.forget(TOKENS_LANE)
            self.nothing.emit()
            return
        question = AnswerKey(TokensRequest.of(document), ((MODEL, card.stamp),))
        if question == self._asked:
            return
        if question == self._told:
            # Only a view's option changed, or the text is again what it was.
            self._asked = None
            self._bridge.forget(TOKENS_LANE)
            return
        known = self._answers.get(question)
        if known is not None:
            self._asked = None
            self._bridge.forget(TOKENS_LANE)
            self._tell(question, document, known)
            return
        self._asked = question
        self._bridge.submit(
            TOKENS_LANE,
            Ask(question.request, {MODEL: self._models.active}),
            Reply(
                answered=lambda answer: self._answered(question, document, answer),
                failed=self._refused,
                stopped=self._ended,
                lost=lambda _reason: self._ended(),
            ),
        )

    def _answered(self, question: AnswerKey, document: Document, answer: Answer) -> None:
        self._ended()
        if isinstance(answer.result, TokensResult):
            self._answers.put(question, answer.result)
            self._tell(question, document, answer.result)

    def _tell(self, question: AnswerKey, document: Document, result: TokensResult) -> None:
        self._told, self._latest = question, (document, result)
        self.tokenised.emit(document, result)

    def tell_again(self) -> None:
        """Say once more what was said last, to widgets that were not there then."""
        if self._told is not None and self._latest is not None:
            self.tokenised.emit(*self._latest)

    def _refused(self, failure: Failure) -> None:
        self._ended()
        self._told = None
        self.nothing.emit()
        self.failed.emit(failure)

    def _ended(self) -> None:
        self._asked = None


class ViewAskers(QObject):
    """All views' askers, woken by what they depend on.

    Signals:
        shown: A view shows a result: question, document, result.
        replayed: A logged run was asked again; the StoredRun of then and the Run of now.
    """

    shown = Signal(str, object, object)
    replayed = Signal(object, object)

    def __init__(
        self,
        state: DocumentState,
        models: ModelSlots,
        bridge: EngineBridge,
        recording: Recording,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._models = models
        self._bridge = bridge
        self._recording = recording
        self._typing_pause_ms = 200
        self._runs: OrderedDict[str, StoredRun] = OrderedDict()
        self._model_when_restored: ModelCard | None = None
        self._is_held = False
        self.ways: Callable[[Question[Any, Any], Any, RoleBinding], Sequence[Way]] = (
            lambda *_asked: ()
        )
        self.to_load: Callable[[Mapping[str, ModelStamp], Callable[[], object]], Sequence[Way]] = (
            lambda *_models: ()
        )
        self.examples: Callable[[Question[Any, Any]], Sequence[Way]] = lambda _question: ()
        self.bring_back: Callable[[str], object] = lambda _question: None
        """Makes a page anew that was let go."""
        self.askers: dict[str, Asker] = {}
        self._answers: dict[str, Answers] = {}
        self.tokenising = Tokenising(state, models, bridge, self)
        state.keeps_run = self._answers_too
        state.changed.connect(self.refresh)
        models.changed.connect(self._leave_restored)
        models.active_changed.connect(self._leave_restored)
        models.changed.connect(self.refresh)
        models.active_changed.connect(self.refresh)
        models.progressed.connect(self._loading_went_on)
        bridge.died.connect(self.refresh)

    @property
    def is_idle(self) -> bool:
        """Nothing is planned and nothing is under way."""
        return self.tokenising.is_idle and all(a.is_idle for a in self.askers.values())

    def set_typing_pause(self, milliseconds: int) -> None:
        """How long after the last key a view asks."""
        self._typing_pause_ms = milliseconds
        for asker in self.askers.values():
            asker.typing_pause_ms = milliseconds

    def add(self, view: PageView, frame: ViewFrame) -> Asker:
        """Let a view ask; one that is made anew goes on where the one before it was."""
        before = self.askers.get(view.name)
        if before is not None:
            before.go_on_in(view, frame)
            return before
        known = self.answers_of(view.question)
        second = SecondState(self._state, view.of, self) if is_second(view.name) else None
        state, models = second or self._state, self._models
        asker = Asker(view, frame, state, models, self._bridge, self._recording, known, self)
        asker.typing_pause_ms = self._typing_pause_ms
        asker.ways = self.ways
        asker.examples = self.examples
        asker.to_load = self.to_load
        asker.is_held = lambda: self._is_held
        asker.page.bring_back = lambda: self.bring_back(asker.name)
        if second is None:
            asker.restored = self._restored_for
            asker.shown.connect(self.shown)
            asker.replayed.connect(self.replayed)
        self.askers[view.name] = asker
        return asker

    def answers_of(self, question: str) -> Answers:
        """The latest answers to a question, whether its page asked or the overview."""
        return self._answers.setdefault(question, Answers())

    def let_go(self, question: str) -> bool:
        """Keep what a page shows, and not its widgets; False where something would be lost."""
        return self.askers[question].let_go()

    def forget(self, questions: Iterable[str]) -> None:
        """Let go of what some questions answered, and of who asks them: `add` begins anew."""
        for question in questions:
            self._answers.pop(question, None)
            for page in (question, second_name(question)):
                asker = self.askers.pop(page, None)
                if asker is not None:
                    asker.cancel()
                    asker.deleteLater()

    def restore(self, stored: StoredRun, name: str) -> None:
        """Go to a logged run's document and show its result; nothing is asked for it."""
        self._runs[stored.summary.id] = stored
        self._model_when_restored = self._models.active_card
        document = carried_second_pages(self._state.document, self._exchanged(stored))
        while len(self._runs) > RUNS_KEPT:
            self._runs.popitem(last=False)
        self._state.restore(name, document, stored.summary.id)

    def _exchanged(self, stored: StoredRun) -> Document:
        """A run's document, A and B exchanged where its models lie the other way round today."""
        question = all_questions().get(stored.summary.operation)
        cast = cast_of(stored.models, self._models.cards)
        if question is None or not question.swap or cast.keys() != stored.models.keys():
            return stored.document
        for swap in (None, True):
            document = stored.document.with_option(question.swap, swap)
            if question.cast(self._models.cards, self._models.active, document) == cast:
                return document
        return stored.document

    def restored(self) -> StoredRun | None:
        """The logged run that is shown now, or None."""
        return self._runs.get(self._state.run_id) if self._state.run_id else None

    def _restored_for(self, question: str) -> StoredRun | None:
        stored = self.restored()
        return stored if stored is not None and stored.summary.operation == question else None

    def _answers_too(self, document: Document) -> bool:
        """Whether the restored run is the answer to a document: it asks the same question."""
        stored = self.restored()
        asker = self.askers.get(stored.summary.operation) if stored is not None else None
        return stored is not None and asker is not None and asker.asks_same(stored, document)

    def hold(self) -> None:
        """Ask nothing until `go_on`: models and document change together, one after the other."""
        self._is_held = True

    def go_on(self) -> None:
        """Ask what is due now."""
        if self._is_held:
            self._is_held = False
            self.refresh()

    def run_again(self) -> None:
        """Ask what every visible view shows once more."""
        for asker in self.askers.values():
            if asker.is_visible:
                asker.ask_again()

    def cancel(self) -> None:
        """Stop what every view waits for."""
        for asker in self.askers.values():
            if not asker.is_idle:
                asker.cancel()

    def _leave_restored(self, _changed: object = None) -> None:
        """A model that was loaded or chosen since a run was restored is asked instead."""
        stored, card = self.restored(), self._models.active_card
        if stored is None or card is None or card == self._model_when_restored:
            return
        self._model_when_restored = card
        if card.stamp.fingerprint not in {one.fingerprint for one in stored.models.values()}:
            self._state.edit(_("ask {title}", title=card.title), self._state.document)

    def refresh(self, _changed: object = None) -> None:
        """Bring every view that is seen up to what is known now."""
        for asker in self.askers.values():
            if asker.is_visible:
                asker.refresh()

    def _loading_went_on(self) -> None:
        if self._models.loading or self._models.active_card is None:
            self.refresh()
