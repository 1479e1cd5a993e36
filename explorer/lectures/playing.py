"""Scenes played without a window: models loaded, questions asked, claims judged."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from explorer import headless
from explorer.api.question import SLOTS, ExplorerError, Failure, Question, UserMistake
from explorer.api.question.roles import RoleBinding
from explorer.document import Document
from explorer.lectures.claims.cells import cells_of, lays_beside, names_of
from explorer.lectures.claims.claim import JudgedClaim, judge
from explorer.lectures.lessons.ask import here_of, live_answer, told_answer
from explorer.lectures.scene import Control, Scene, Step
from explorer.program import Program
from explorer.series.naming import series_named
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.engine.runner import Runner


@dataclass(frozen=True)
class PlayedStep:
    """A step, and what came of it.

    Attributes:
        step: What was asked.
        cells: What claims can name; empty where there is no answer.
        claims: Its claims, those that could be judged.
        failures: Why there is no answer, or why a claim could not be judged.
        answered: The answer; None where there is none.
    """

    step: Step
    cells: Mapping[str, object] = field(default_factory=dict)
    claims: tuple[JudgedClaim, ...] = ()
    failures: tuple[Failure, ...] = ()
    answered: headless.AnsweredRun | None = None

    @property
    def holds(self) -> bool:
        """Whether there is an answer, and everything that is claimed holds."""
        return not self.failures and all(one.holds for one in self.claims)


@dataclass(frozen=True)
class PlayedControl:
    """A control, and what came of it.

    Attributes:
        control: What was asked.
        claims: The claims that must fail in it, those that could be judged.
        failures: Why there is no answer, or why a claim could not be judged.
    """

    control: Control
    claims: tuple[JudgedClaim, ...] = ()
    failures: tuple[Failure, ...] = ()

    @property
    def fails(self) -> bool:
        """Whether there is an answer, of which none of them holds."""
        return not self.failures and not any(one.holds for one in self.claims)


@dataclass(frozen=True)
class PlayedAsk:
    """What a step asks, and what is right.

    Attributes:
        step: The step.
        live: The right answer; None where it could not be worked out.
        told: The same for people; "" for what is to be done.
        done: What is to be done is done in the step's solution; None where nothing is.
        failures: Why it could not be worked out.
        solved: The step's solution, played; None where it has none.
    """

    step: Step
    live: object = None
    told: str = ""
    done: bool | None = None
    failures: tuple[Failure, ...] = ()
    solved: PlayedStep | None = None

    @property
    def holds(self) -> bool:
        """There is an answer; and what is to be done is not done yet, and is in the solution."""
        wanted = self.done is None or (self.done and self.live is False)
        return not self.failures and wanted


@dataclass(frozen=True)
class Played:
    """A scene, and what came of its steps.

    Attributes:
        scene: What was played.
        steps: In order.
    """

    scene: Scene
    steps: tuple[PlayedStep, ...]

    @property
    def holds(self) -> bool:
        """Whether everything that is claimed in it holds."""
        return all(step.holds for step in self.steps)


MOST_KEPT = 24
"""Models that stay loaded between two steps; those that are longest out of use go first."""
KEPT_BYTES = 256 << 20
"""Of their weights: what the bundled miniatures take together is far less, one large model more."""


class ScenePlayer:
    """Plays scenes one after the other; models stay loaded for steps to come.

    Loading a miniature takes ten times as long as asking it, and the lecture comes back to each.

    Args:
        program: Where everything is.
        runner: Who asks; None for one of its own.
        wants: What else is asked of each answer, for its picture.
    """

    def __init__(
        self,
        program: Program,
        runner: "Runner | None" = None,
        wants: headless.Wants | None = None,
    ) -> None:
        self._program, self._wants = program, wants
        # A runner of somebody else has the two slots of the window, which whoever lends needs too.
        more = map(str, range(len(SLOTS), MOST_KEPT)) if runner is None else ()
        self._slots: tuple[str, ...] = (*SLOTS, *more)
        self._runner = runner or program.runner(slots=self._slots)
        self._lies: dict[str, str] = {}
        """Which model is in a slot, the one that was used last at the end."""

    def play(self, scene: Scene) -> Played:
        """Play a scene; what goes wrong in a step is told with it, and the next one is played."""
        played: list[PlayedStep] = []
        for step in scene.steps:
            played.append(self._step(step, played))
        return Played(scene, tuple(played))

    def play_controls(self, played: Played, number: int) -> tuple[PlayedControl, ...]:
        """Play the controls of a step of a scene that was played."""
        step, before = played.steps[number].step, played.steps[:number]
        found = []
        for control in step.controls:
            claims = tuple(step.claims[place] for place in control.fails)
            asked = self._step(replace(control.step, claims=claims), before)
            found.append(PlayedControl(control, asked.claims, asked.failures))
        return tuple(found)

    def play_ask(self, played: Played, number: int) -> PlayedAsk | None:
        """Work out the answer to what a step of a scene that was played asks; None for nothing."""
        step, before = played.steps[number].step, played.steps[:number]
        if step.ask is None:
            return None
        try:
            live = live_answer(step.ask, _asked_names(played.steps[number], before))
            done = solved = None
            if step.solution is not None:
                solved = self._step(step.solution, before)
                if solved.failures:
                    return PlayedAsk(step, failures=solved.failures)
                done = live_answer(step.ask, _asked_names(solved, before)) is True
        except ExplorerError as error:
            return PlayedAsk(step, failures=(Failure.of(error),))
        return PlayedAsk(step, live, told_answer(step.ask, live), done, solved=solved)

    def ask(self, step: Step) -> headless.AnsweredRun:
        """Ask one step's question of its models; it is not logged.

        Raises:
            ExplorerError: There is no such question or model, or no answer.
        """
        from explorer.questions import all_questions
        from explorer.questions.former_names import name_today

        name = name_today(step.question)
        if name not in all_questions():
            raise UserMistake(
                N_("There is no question {name}."), N_("ask --list names them all."), name=name
            )
        question = all_questions()[name]
        document = step.document()
        check_options(question, step, document)
        request, cast = self._bound(question, self._loaded(step), document)
        models = headless.LoadedModels(self._runner, self._program, cast)
        answered = models.ask(request, document, log=False)
        if lays_beside(question, document):
            answered = models.with_beside(answered)
        return answered if self._wants is None else models.with_details(answered, self._wants)

    def _step(self, step: Step, before: Sequence[PlayedStep]) -> PlayedStep:
        try:
            answered = self.ask(step)
            asked = answered.run
            laid = answered.beside if lays_beside(asked.question, asked.document) else None
            cells = cells_of(asked.question, answered.result, laid)
        except ExplorerError as error:
            return PlayedStep(step, failures=(Failure.of(error),))
        names = names_of(cells, [one.cells for one in before])
        judged, failures = [], []
        for claim in step.claims:
            try:
                judged.append(judge(claim, names))
            except UserMistake as error:
                failures.append(Failure.of(error))
        return PlayedStep(step, cells, tuple(judged), tuple(failures), answered)

    def _loaded(self, step: Step) -> Mapping[str, str]:
        """Load what is not loaded yet; gives where the models lie, by the window's slots."""
        found: dict[str, str] = {}
        for shown, model in zip(SLOTS, step.models, strict=False):
            slot = self._slot_of(model, set(found.values()))
            if self._lies.pop(slot, None) != model:
                headless.load(self._runner, self._program, model, allow_pickle=False, slot=slot)
            self._lies[slot] = model
            found[shown] = slot
        self._let_go(set(found.values()))
        return found

    def _slot_of(self, model: str, taken: Collection[str]) -> str:
        """Where a model lies, or is to be loaded.

        Args:
            model: Its id.
            taken: Slots of the models that play with it.
        """
        free: list[str] = [
            slot for slot in self._slots if slot not in self._lies and slot not in taken
        ]
        others = [slot for slot in self._lies if slot not in taken]
        there = [slot for slot in others if self._lies[slot] == model]
        # A frame gets its weights into another one of its series.
        series = series_named(model)
        frames = [slot for slot in others if series and series_named(self._lies[slot]) == series]
        return next(iter((*there, *frames, *free, *others)))

    def _let_go(self, used: Collection[str]) -> None:
        """Unload what is too large to be kept, and not needed now."""
        cards = self._runner.cards
        for slot in [one for one in self._lies if one not in used]:
            if sum(one.weights_bytes for one in cards.values()) <= KEPT_BYTES:
                return
            self._runner.unload(slot)
            del self._lies[slot]

    def _bound(
        self, question: Question[Any, Any], lie: Mapping[str, str], document: Document
    ) -> tuple[Any, RoleBinding]:
        """The request, and who plays which role in it: cast as the window does, B empty for one.

        Args:
            question: Which.
            lie: Where the step's models lie, by the window's slots.
            document: What is asked about.

        Raises:
            UserMistake: Something is missing before it can be asked.
        """
        # A model that another step loaded takes no part.
        found = self._runner.cards
        cards = {shown: replace(found[slot], slot=shown) for shown, slot in lie.items()}
        cast = {
            role: slot
            for role, slot in question.cast(cards, SLOTS[0], document).items()
            if slot in cards or role not in question.optional
        }
        request = question.request_among(document, cards, SLOTS[0])
        if request is None:
            playing = [cards[slot] for slot in cast.values() if slot in cards]
            raise UserMistake(question.hint(document, playing))
        return request, {role: lie[slot] for role, slot in cast.items() if slot in cards}


def _asked_names(played: PlayedStep, before: Sequence[PlayedStep]) -> Mapping[str, object]:
    """What an answer can name: what claims can, and what is on screen."""
    names = names_of(played.cells, [one.cells for one in before])
    return names.with_field("here", here_of(played.step.question, played.step.document()))


def check_options(question: Question[Any, Any], step: Step, document: Document) -> None:
    """Refuse what a document would leave at its default without a word: a scene is then another.

    Raises:
        UserMistake: The question has no such option, or the option no such value.
    """
    declared = {one.key: one for one in question.options}
    for key, value in step.options.items():
        if key in declared and value is not None:
            declared[key].check(declared[key].held(document))
        elif key.startswith(f"{question.name}.") and key not in declared:
            # Some are set by gestures alone and have no widget: they are known by what they change.
            without = document.with_option(key, None)
            if _asked(question, document) != _asked(question, without):
                continue
            raise UserMistake(
                N_("{question} has no option {name}; it has {names}."),
                N_("Write one of these."),
                question=question.name,
                name=key.partition(".")[2],
                names=", ".join(one.partition(".")[2] or one for one in declared) or "-",
            )


def _asked(question: Question[Any, Any], document: Document) -> object:
    return question.request_among(document, {}, SLOTS[0])
