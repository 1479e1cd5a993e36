"""Asks the overview's questions one after the other, and holds what stands out in their answers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.api.question import Failure, Headline, Question
from explorer.api.question.parts.part import SILENT
from explorer.document import Document
from explorer.engine.messages import Answer, Ask
from explorer.ui.blocks.page.shown import Origin
from explorer.ui.document.state import DocumentState
from explorer.ui.library.models import ModelSlots
from explorer.ui.overview.plan import Plan, Planned, plan_of
from explorer.ui.runs.answers import AnswerKey, Answers, KeptAnswer
from explorer.ui.runs.ask_and_log import RunRequest, run_of
from explorer.ui.runs.engine_bridge import EngineBridge, Reply

LANE = "overview"


@dataclass(frozen=True)
class SurveyFinding:
    """What one question found.

    Attributes:
        of: The question.
        question: What decided the answer.
        document: What it was asked of.
        result: The answer; None where it failed.
        headline: What stands out in it, which may be nothing.
        failure: Why there is no answer.
    """

    of: Question[Any, Any]
    question: AnswerKey
    document: Document
    result: Any = None
    headline: Headline = SILENT
    failure: Failure | None = None

    @property
    def stands_out(self) -> bool:
        """Whether there is something to be told."""
        return bool(self.headline.sentence)


class OverviewSurvey(QObject):
    """The questions of the overview, asked while somebody looks at it.

    There is one call under way at a time, so that a page that is opened meanwhile waits for one
    answer at most. What came is kept where the questions' pages find it, and is not logged before
    such a page is opened.

    Attributes:
        plan: What is asked of the document and the models of now.
        is_stopped: The user wants no more answers to these questions.
        is_visible: Somebody looks.
        typing_pause_ms: How long after the last key it asks.

    Signals:
        changed: The plan is another, an answer has come, or nothing is asked any more.
        answered: The first or another answer has come; its finding.
    """

    changed = Signal()
    answered = Signal(object)

    def __init__(
        self,
        state: DocumentState,
        models: ModelSlots,
        bridge: EngineBridge,
        answers_of: Callable[[str], Answers],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._state, self._models, self._bridge = state, models, bridge
        self._answers_of = answers_of
        self.plan = Plan(Document())
        self.is_stopped = self.is_visible = False
        self.typing_pause_ms = 200
        self._found: dict[str, SurveyFinding] = {}
        self._asked: Planned | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        state.changed.connect(self.refresh)
        models.changed.connect(self._models_changed)
        models.active_changed.connect(self.refresh)
        models.progressed.connect(self._loading_went_on)

    # ---- what there is -----------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        """Nothing is planned and nothing is under way."""
        return self._asked is None and not self._timer.isActive()

    @property
    def pending(self) -> tuple[Planned, ...]:
        """What is still to be asked, in order."""
        return tuple(one for one in self.plan.asked if not self.is_new(one.of.name))

    def is_new(self, question: str) -> bool:
        """Whether what was found is the answer to what is asked now, and no earlier one."""
        found = self._found.get(question)
        if found is None:
            return False
        return any(one.question == found.question for one in self.plan.asked)

    @property
    def standing_out(self) -> list[SurveyFinding]:
        """The strongest first; of equal ones in the order of the pages."""
        found = [one for one in self._in_order() if one.stands_out]
        return sorted(found, key=lambda one: -one.headline.strength)

    @property
    def silent(self) -> list[SurveyFinding]:
        """In which nothing stands out, as far as they are known of what is asked now."""
        return [
            one
            for one in self._in_order()
            if not one.stands_out and one.failure is None and self.is_new(one.of.name)
        ]

    @property
    def failed(self) -> list[SurveyFinding]:
        """Those that the models refused."""
        return [
            one for one in self._in_order() if one.failure is not None and self.is_new(one.of.name)
        ]

    def _in_order(self) -> list[SurveyFinding]:
        names = [one.of.name for one in self.plan.asked]
        return [self._found[name] for name in names if name in self._found]

    # ---- asking ------------------------------------------------------------------------------

    def set_visible(self, visible: bool) -> None:
        """Ask while somebody looks, and nothing else."""
        self.is_visible = visible
        if visible:
            self.refresh()
        else:
            self._timer.stop()
            self._let_go()

    def stop(self) -> None:
        """Ask no more of what is planned now."""
        self.is_stopped = True
        self._timer.stop()
        self._let_go()
        self.changed.emit()

    def go_on(self) -> None:
        """Ask what was not asked yet."""
        self.is_stopped = False
        self.refresh()

    def refresh(self, _changed: object = None, *, at_once: bool = False) -> None:
        """Plan anew for the document and the models of now.

        Args:
            at_once: Ask before anybody is told.
        """
        if not self.is_visible:
            return
        before = self.plan
        self.plan = plan_of(self._state.document, self._models.cards, self._models.active)
        if [one.question for one in before.asked] != [one.question for one in self.plan.asked]:
            self.is_stopped = False
        if self._asked is not None and self._asked not in self.plan.asked:
            self._let_go()
        self._follow_settings()
        following = next(iter(self.pending), None)
        if following is not None and not self.is_stopped and self._asked is None:
            if at_once and not self._is_known(following):
                self._ask(following, self.plan.document)
            else:
                self._timer.start(self.typing_pause_ms if self._state.is_typing else 0)
        self.changed.emit()

    def _models_changed(self) -> None:
        # The engine works while the window shows that another model is there.
        self.refresh(at_once=not self._state.is_typing)

    def _follow_settings(self) -> None:
        """Tell what stands out by the settings of now, which change no answer."""
        now = self.plan.document
        for name, one in self._found.items():
            settings = one.of.settings_of(now)
            if self.is_new(name) and settings != one.of.settings_of(one.document):
                self._found[name] = _told(replace(one, document=now))

    def _is_known(self, asked: Planned) -> bool:
        return self._answers_of(asked.of.name).get(asked.question) is not None

    def _loading_went_on(self) -> None:
        if self._models.active_card is None:
            self.refresh()

    def _let_go(self) -> None:
        self._asked = None
        self._bridge.forget(LANE)

    def _go_on(self) -> None:
        """Take the next answer: one that is known, or the engine's."""
        asked = next(iter(self.pending), None)
        if asked is None or self.is_stopped or not self.is_visible or self._asked is not None:
            return
        known = self._answers_of(asked.of.name).get(asked.question)
        if known is not None:
            self._take(asked, self.plan.document, known.result)
        else:
            self._ask(asked, self.plan.document)

    def _ask(self, asked: Planned, document: Document) -> None:
        self._asked = asked
        inquiry = RunRequest(
            asked.of, document, asked.question.request, asked.cast, dict(asked.question.models)
        )
        self._bridge.submit(
            LANE,
            Ask(inquiry.request, inquiry.cast),
            Reply(
                answered=lambda answer: self._answered(asked, inquiry, answer),
                failed=lambda failure: self._failed(asked, document, failure),
                stopped=self.stop,
                lost=lambda _reason: self.stop(),
            ),
        )

    def _answered(self, asked: Planned, inquiry: RunRequest, answer: Answer) -> None:
        run = run_of(self._bridge, inquiry, answer)
        kept = KeptAnswer(run.result, Origin.of_run(run), run)
        self._answers_of(asked.of.name).put(asked.question, kept)
        self._take(asked, inquiry.document, run.result)

    def _failed(self, asked: Planned, document: Document, failure: Failure) -> None:
        self._put(SurveyFinding(asked.of, asked.question, document, failure=failure))

    def _take(self, asked: Planned, document: Document, result: Any) -> None:
        self._put(SurveyFinding(asked.of, asked.question, document, result))

    def _put(self, finding: SurveyFinding) -> None:
        self._asked = None
        self._found[finding.of.name] = finding
        following = next(iter(self.pending), None)
        if following is not None and not self.is_stopped:
            # The engine works while it is found out what stands out in this one, and drawn.
            if self._is_known(following):
                self._timer.start(0)
            else:
                self._ask(following, self.plan.document)
        finding = _told(finding)
        self._found[finding.of.name] = finding
        self.answered.emit(finding)
        self.changed.emit()


def _told(finding: SurveyFinding) -> SurveyFinding:
    """With what stands out in its answer, by the settings of its document."""
    if finding.result is None:
        return finding
    settings = finding.of.settings_of(finding.document)
    return replace(finding, headline=finding.of.headline_of(finding.result, **settings))
