"""The lecture that is open, the scene on screen, and the step it is at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from explorer.api.question import SLOTS, Failure
from explorer.document import Document
from explorer.given_answers import GivenAnswer
from explorer.lectures import Lecture, Scene, Step
from explorer.questions.former_names import name_today
from explorer.settings import OwnPlace
from explorer.text import _
from explorer.ui.controls.gliding import Glide
from explorer.ui.document.gestures import quoted
from explorer.ui.lectures.asking.answers import LessonAnswers
from explorer.ui.lectures.claims.beside import awaits_beside, beside_of
from explorer.ui.lectures.claims.verdict import Judgement, SeenStep, Verdict, told_of
from explorer.ui.lectures.files.reading import LectureFiles
from explorer.ui.lectures.going import Destination, Going
from explorer.ui.views.frame.view_frame import FrameState
from explorer.ui.views.latest_work import LatestWork

if TYPE_CHECKING:
    from explorer.ui.views.page_view import PageView
    from explorer.ui.window.host import HostWindow

SAID_MS = 10_000
MOST_SEEN = 2000
"""Scenes that are remembered as seen; the oldest are forgotten first."""


@dataclass(frozen=True)
class At:
    """A step of a scene.

    Attributes:
        scene: The scene.
        number: The step's, from 0.
    """

    scene: Scene
    number: int = 0

    @property
    def step(self) -> Step:
        """The step."""
        return self.scene.steps[self.number]


class Lecturing(QObject):
    """Opens lectures and goes through them.

    Attributes:
        lecture: The one that is open; None before it was read.
        path: Where it was read; "" of the bundled one.
        at: The step on screen, or None while no scene runs.
        problem: One sentence on why the step could not be shown; "" where it could.
        lacks_model: That is so because of a model.
        is_ready: The step's models are there, and the user opened another page on the way.
        result: The answer on screen to the step's question; None where there is none.
        going: How it gets there.
        answers: What was answered to the questions of steps.

    Signals:
        opened: Another lecture is open.
        failed: A lecture could not be read: a Failure.
        moved: Another step is on screen, or none any more.
        changed: What is known of the step has changed: its models, its answer, a problem.
        seen_changed: A scene was seen for the first time.
    """

    opened = Signal()
    failed = Signal(object)
    moved = Signal()
    changed = Signal()
    seen_changed = Signal()

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self._window = window
        self._bench = window.bench
        self.lecture: Lecture | None = None
        self._is_chosen = False
        self.path = ""
        self.at: At | None = None
        self.problem = ""
        self.lacks_model = self.is_ready = False
        self._asked: Document | None = None
        self._before: Destination | None = None
        self._left: Document | None = None
        """What the scene left on screen that ran until another lecture was opened."""
        self._seen: dict[int, SeenStep] = {}
        self._begins = False
        """A scene was begun, or a step about another text, whose answer is not there yet."""
        self._view: PageView | None = None
        self._judged_with: tuple[object, ...] | None = None
        self.result: object | None = None
        self._told = Judgement(Verdict.NONE)
        self.answers = LessonAnswers(self._bench.settings_store, self)
        self._judging = LatestWork("claims", self)
        self._judging.done.connect(self._judged)
        self.files = LectureFiles(self)
        self.files.opened.connect(self._opened)
        self.files.failed.connect(self._not_opened)
        self.going = Going(window)
        self.going.arrived.connect(self._arrived)
        self.going.ready.connect(self._ready)
        self.going.refused.connect(self._refused)
        self.going.went_on.connect(self.changed)
        self._bench.asking.shown.connect(self._shown)
        self._bench.state.changed.connect(self._edited)

    # ---- the lecture -------------------------------------------------------------------------

    def begin(self) -> None:
        """Read the lecture of last time, unless one is open already."""
        if self.lecture is None and not self._is_chosen:
            self.files.open(self._bench.settings_store.settings.lecture)

    def open(self, path: str) -> None:
        """Read another lecture; "" for the bundled one."""
        self._is_chosen = True
        self.files.open(path)

    def take_over(self, other: Lecturing) -> None:
        """Be where another window's was, which this one takes the place of."""
        self.lecture, self.path, self.at = other.lecture, other.path, other.at
        self.problem, self.lacks_model = other.problem, other.lacks_model
        self.is_ready = other.is_ready
        self.result, self._told = other.result, other.told
        self._asked, self._before, self._left = other._asked, other._before, other._left
        self._seen = dict(other._seen)
        was_under_way = other.going.is_under_way
        other._end_scene()
        if self.lecture is not None:
            self.opened.emit()
            self.moved.emit()
        if was_under_way:
            self.show_again()

    def is_seen(self, scene: Scene) -> bool:
        """Whether a scene of this lecture was on screen."""
        return self._seen_as(scene) in self._bench.settings_store.settings.scenes_seen

    def _seen_as(self, scene: Scene) -> str:
        return f"{self.path}#{scene.name}"

    def _opened(self, lecture: Lecture, path: str) -> None:
        if self.runs:
            # A scene of this lecture begins where that of the other one did.
            self._left = self._bench.state.document
            self._end_scene()
        self.lecture, self.path = lecture, path
        self._bench.settings_store.change(lecture=path)
        self.opened.emit()

    def _not_opened(self, failure: Failure, path: str) -> None:
        self.failed.emit(failure)
        if self.lecture is None and path:
            # The lecture of last time is gone.
            self.files.open("")

    # ---- the steps ---------------------------------------------------------------------------

    @property
    def runs(self) -> bool:
        """A scene is on screen."""
        return self.at is not None

    def show(self, scene: Scene, number: int = 0) -> None:
        """Go to a step of a scene: its models, its text, its page; and ask."""
        if self.at is None:
            if self._before is None:
                self._keep(self._place_now())
            self._window.status.showMessage(
                _("Undo brings back your text; leaving the lecture brings back everything."),
                SAID_MS,
            )
        if self.at is None or self.at.scene != scene:
            self._seen = {}
            self._begins = True
        self.at = At(scene, number)
        self._begins |= not self.is_guessing and _is_of_other_words(self.at.step, self.document)
        self.problem, self.is_ready = "", False
        self._forget_answer()
        self.answers.at(self.path, scene, number)
        self.moved.emit()
        if not self.is_guessing:
            self.going.go(self._place_of(self.at))
        elif number:
            # What is to be seen is not there yet: the step before is, from which it is guessed.
            self.going.go(self._place_of(At(scene, number - 1)))
        else:
            self.changed.emit()

    def resume(self, scene: Scene) -> None:
        """Go to a scene: to the step of a lesson that somebody was at last, or to the first."""
        self.show(scene, self.answers.step_of(self.path, scene))

    def begin_anew(self) -> None:
        """Forget what was answered in the scene on screen, and begin it again."""
        if self.at is not None:
            self.answers.forget(self.path, self.at.scene)
            self.show(self.at.scene)

    # ---- what a step asks --------------------------------------------------------------------

    @property
    def given(self) -> GivenAnswer | None:
        """What was answered to the step on screen; None before anything was."""
        at = self.at
        return None if at is None else self.answers.of(self.path, at.scene, at.number)

    @property
    def is_guessing(self) -> bool:
        """The step on screen asks for a guess before it shows anything, and has none yet."""
        ask = None if self.at is None else self.at.step.ask
        return ask is not None and ask.first and self.given is None

    @property
    def document(self) -> Document:
        """What is on screen."""
        return self._bench.state.document

    def reveal(self) -> None:
        """Show the step that was guessed about, whether a guess was made or not."""
        at = self.at
        if at is not None:
            if self.is_guessing:
                self.answers.give(self.path, at.scene, at.number, GivenAnswer(shown=True))
            self.show(at.scene, at.number)

    def show_solution(self, step: Step) -> None:
        """Put on screen what the step on screen asks to be done."""
        if self.at is not None:
            self._forget_answer()
            self.going.go(self._place_of(At(replace(self.at.scene, steps=(step,)))))

    def seen_now(self, result: object) -> SeenStep:
        """The step on screen with its answer."""
        assert self.at is not None
        return SeenStep(self.at.step, result, None if self._view is None else beside_of(self._view))

    @property
    def awaits_beside(self) -> bool:
        """The step claims or asks something of exact answers that are under way."""
        at, view = self.at, self._view
        return at is not None and view is not None and awaits_beside(view, at.step)

    def show_again(self) -> None:
        """Back to the step as the scene has it, whatever was changed since."""
        if self.at is not None:
            self.show(self.at.scene, self.at.number)

    def next(self) -> At | None:
        """What follows the step on screen: the next one, or the next scene; None at the end."""
        return self._neighbour(1)

    def previous(self) -> At | None:
        """What comes before the step on screen; None at the beginning."""
        return self._neighbour(-1)

    def step(self, by: int) -> None:
        """Go on to what follows (1), or back (-1); what is to be guessed is shown first."""
        if by > 0 and self.is_guessing:
            self.reveal()
            return
        to = self._neighbour(by)
        if to is not None:
            self.show(to.scene, to.number)

    def _neighbour(self, by: int) -> At | None:
        if self.at is None or self.lecture is None:
            return None
        number = self.at.number + by
        if 0 <= number < len(self.at.scene.steps):
            return At(self.at.scene, number)
        scenes = self.lecture.scenes
        names = [scene.name for scene in scenes]
        if self.at.scene.name not in names:
            return None
        other = names.index(self.at.scene.name) + by
        if not 0 <= other < len(scenes):
            return None
        scene = scenes[other]
        return At(scene, 0 if by > 0 else len(scene.steps) - 1)

    def leave_scene(self) -> None:
        """No scene runs any more; what is on screen stays."""
        self._end_scene()
        self._keep(None)

    def _end_scene(self) -> None:
        if self.at is not None:
            self.going.stop()
            if self._view is not None and isValid(self._view):
                self._view.page_scroll.bring_to_top("")
            self.at = None
            self.problem, self.is_ready = "", False
            self._seen = {}
            self._forget_answer()
            self.moved.emit()

    def _keep(self, before: Destination | None) -> None:
        """Know what leaving the lecture brings back; the next start does so, too."""
        self._before, self._left = before, None
        own = None
        if before is not None:
            own = OwnPlace(before.question, before.document, before.models)
        self._bench.settings_store.change(own_place=own)

    def go_back(self) -> None:
        """Leave the lecture for what was on screen before it: text, page and models."""
        before = self._before
        self.leave_scene()
        if before is not None:
            self.going.go(before)

    # ---- what is shown -----------------------------------------------------------------------

    @property
    def was_changed(self) -> bool:
        """The text, the masks or an option were changed since the step was shown."""
        return self._asked is not None and self._asked != self._bench.state.document

    @property
    def told(self) -> Judgement:
        """Whether what the step claims holds in the answer on screen."""
        return self._told

    def seen_before(self) -> Sequence[SeenStep]:
        """The steps before this one, with their answers where they were seen."""
        if self.at is None:
            return ()
        steps = self.at.scene.steps[: self.at.number]
        return [self._seen.get(number, SeenStep(step)) for number, step in enumerate(steps)]

    def _arrived(self) -> None:
        if self.at is None:
            return
        if self.is_guessing:
            self.changed.emit()
            return
        self._asked = self._bench.state.document
        self._mark_seen(self.at.scene)
        name = name_today(self.at.step.question)
        view, asker = self._window.view_of(name), self._bench.asking.askers[name]
        self._listen_to(view)
        # The keys of the presenter go to the page, not to the list a scene was chosen in.
        view.page.setFocus()
        view.page_scroll.bring_to_top(self.at.step.heading)
        if asker.is_idle and asker.frame.state is FrameState.RESULT:
            self._take(view.result)
        else:
            self.changed.emit()

    def _ready(self) -> None:
        if self.at is not None:
            self.is_ready = not self.is_guessing
            self.changed.emit()

    def _refused(self, sentence: str, lacks_model: bool) -> None:
        if self.at is not None:
            self.problem, self.lacks_model = sentence, lacks_model
            self.changed.emit()
        else:
            self._window.notifications.say_of_text("lecture", sentence)

    def _shown(self, question: str, _document: Document, result: object) -> None:
        at = self.at
        if at is None or self.going.is_under_way or question != name_today(at.step.question):
            return
        if self.is_guessing or self.is_ready:
            return
        # A window that took the place of another one has made this view itself.
        self._listen_to(self._window.view_of(question))
        self._take(result)

    def _listen_to(self, view: PageView) -> None:
        """Hear when what is laid beside the answer has come, or is wanted no more."""
        if self._view is not view:
            if self._view is not None and isValid(self._view):
                self._view.settled.disconnect(self._settled)
            self._view = view
            view.settled.connect(self._settled)

    def _settled(self) -> None:
        view, at = self._view, self.at
        if view is None or at is None or self.result is None or self.going.is_under_way:
            return
        if view.question == name_today(at.step.question) and self._with_what(view) != (
            self._judged_with
        ):
            self._judge(at, view)
            self.changed.emit()

    def _take(self, result: object) -> None:
        """An answer to the step's question is on screen."""
        if self.at is not None and self._view is not None:
            self.result = result
            if self._begins:
                # Where an axis was is told between settings of one text: bars of other words are
                # other bars.
                self._begins = False
                for glide in self._view.findChildren(Glide):
                    glide.finish()
            self._judge(self.at, self._view)
            self.changed.emit()

    def _judge(self, at: At, view: PageView) -> None:
        seen = SeenStep(at.step, self.result, beside_of(view))
        self._judged_with = self._with_what(view)
        if not self.was_changed:
            self._seen[at.number] = seen
        if not at.step.claims:
            return
        if awaits_beside(view, at.step):
            self._judging.forget()
            self._told = self._not_judged
            self.changed.emit()
        else:
            before = self.seen_before()
            self._judging.ask(lambda: told_of(seen, before))

    @staticmethod
    def _with_what(view: PageView) -> tuple[object, ...] | None:
        """What is laid beside the answer, without looking into it."""
        beside = beside_of(view)
        return None if beside is None else tuple(beside)

    def _edited(self, document: Document) -> None:
        """The page has heard of it already: there may be nothing to answer any more."""
        if self.at is None and self._left is not None and document != self._left:
            self._keep(None)  # the user's own work went on
        if self.at is None or self.going.is_under_way or self.is_ready:
            return
        asker = self._bench.asking.askers.get(name_today(self.at.step.question))
        is_there = asker is not None and asker.page.is_there
        if asker is not None and is_there and asker.frame.state is FrameState.EMPTY:
            self._judging.forget()
            self.result = None
            self._told = self._not_judged
        self.changed.emit()

    @property
    def _not_judged(self) -> Judgement:
        claims = self.at is not None and bool(self.at.step.claims)
        return Judgement(Verdict.WAITING if claims else Verdict.NONE)

    def _judged(self, told: Judgement) -> None:
        self._told = told
        self.changed.emit()

    def _forget_answer(self) -> None:
        self._judging.forget()
        self.result = self._asked = self._judged_with = None
        self._told = self._not_judged

    def _mark_seen(self, scene: Scene) -> None:
        if not self.is_seen(scene):
            seen = self._bench.settings_store.settings.scenes_seen
            self._bench.settings_store.change(
                scenes_seen=(*seen, self._seen_as(scene))[-MOST_SEEN:]
            )
            self.seen_changed.emit()

    def _place_of(self, at: At) -> Destination:
        step = at.step
        return Destination(
            question=name_today(step.question),
            document=step.document(self._bench.state.document),
            name=_("scene {title}", title=quoted(at.scene.title())),
            models=dict(zip(SLOTS, step.models, strict=False)),
            active=SLOTS[0] if step.models else "",
        )

    def _place_now(self) -> Destination:
        models = self._bench.models
        view = self._window.current_view()
        return Destination(
            question=view.question if view is not None else "",
            document=self._bench.state.document,
            name=_("leave the lecture"),
            models=models.names,
            active=models.active,
            is_own=True,
        )


def _is_of_other_words(step: Step, now: Document) -> bool:
    """Whether a step asks about other texts, or hides other words, than what is on screen."""
    to = step.document(now)
    return (to.text, to.pair, to.masks) != (now.text, now.pair, now.masks)
