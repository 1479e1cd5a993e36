"""What a handout shows of a lecture: chapters, scenes, steps with the pictures of their pages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from explorer.api.question import MODEL, Table
from explorer.headless import AnsweredRun
from explorer.lectures import Lecture, Scene, Step
from explorer.lectures.playing import Played, PlayedAsk, PlayedStep
from explorer.sessions.export.provenance import of_model
from explorer.text import _
from explorer.text.formatting import dates
from explorer.ui.blocks.page.shown import now
from explorer.ui.export.film.drawing import AnsweredFrame, drawn
from explorer.ui.export.handout.chosen import CHOICE, HandoutChoice, StepFocus, picture_of
from explorer.ui.export.paper import PaperPicture
from explorer.ui.views.frame.key_finding import in_words

Frames = Callable[[Step], Sequence[AnsweredFrame]]
"""Asks a step of moments of its model's training; none of a model without."""

Asks = Callable[[Played, int], PlayedAsk | None]
"""Works out what is right where a step of a scene asks; None where it asks nothing."""


@dataclass(frozen=True)
class HandoutStep:
    """A step on paper.

    Attributes:
        played: The step, and what came of it.
        picture: Of what it is about; None without an answer.
        table: The rows of its answer; None without an answer.
        film: The same at moments of a training, all of one size; none where it has none.
        asked: What it asks, with what is right; None where it asks nothing.
        solved: The picture of what is to be done, done; None where nothing is.
    """

    played: PlayedStep
    picture: PaperPicture | None
    table: Table | None
    film: tuple[PaperPicture, ...] = ()
    asked: PlayedAsk | None = None
    solved: PaperPicture | None = None

    @property
    def words(self) -> str:
        """What its picture shows, for whoever does not see it; "" without an answer."""
        answered = self.played.answered
        if answered is None:
            return ""
        run = answered.run
        return in_words(run.question, run.result, run.question.settings_of(run.document))

    @property
    def look(self) -> tuple[str, ...]:
        """What to look at."""
        return self.played.step.look()

    @property
    def verdict(self) -> str:
        """The claim in words, and whether it holds; "" where nothing is claimed."""
        claim = self.played.step.claim()
        if not claim:
            return ""
        if self.played.holds:
            return _("{claim} It holds.", claim=claim)
        return _("{claim} It does not hold.", claim=claim)

    @property
    def trouble(self) -> str:
        """Why there is no answer, or a claim can't be judged; "" where all went well."""
        failures = (*self.played.failures, *(self.asked.failures if self.asked else ()))
        return " ".join(f"{one.said} {one.advice}".strip() for one in failures)


@dataclass(frozen=True)
class Section:
    """A scene on paper.

    Attributes:
        chapter: The title of its chapter where it is the first one there, "" otherwise.
        scene: The scene.
        parts: Its steps.
    """

    chapter: str
    scene: Scene
    parts: tuple[HandoutStep, ...]


@dataclass(frozen=True)
class PlayedLecture:
    """A lecture that was played, to be drawn in any language.

    Attributes:
        lecture: Which.
        scenes: Its scenes, played.
        frames: Of steps whose models have moments, by scene and step: what each answered.
        asks: What steps ask, by scene and step, with what is right.
    """

    lecture: Lecture
    scenes: tuple[Played, ...]
    frames: Mapping[tuple[str, int], Sequence[AnsweredFrame]] = field(default_factory=dict)
    asks: Mapping[tuple[str, int], PlayedAsk] = field(default_factory=dict)

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of scenes that do not hold."""
        return tuple(one.scene.name for one in self.scenes if not one.holds)

    @property
    def answers(self) -> Iterator[AnsweredRun]:
        """What was answered."""
        for one in self.scenes:
            yield from self.answers_in(one.scene.name)

    def answers_in(self, scene: str) -> Iterator[AnsweredRun]:
        """What was answered in one of its scenes."""
        for one in (one for one in self.scenes if one.scene.name == scene):
            for number, step in enumerate(one.steps):
                asked = self.asks.get((scene, number))
                for played in (step, None if asked is None else asked.solved):
                    if played is not None and played.answered is not None:
                        yield played.answered

    @property
    def texts(self) -> Iterator[str]:
        """What models were asked about."""
        for step in (step for one in self.scenes for step in one.scene.steps):
            yield from filter(None, (step.text, step.pair))

    def sections(self, choice: HandoutChoice = CHOICE) -> Iterator[Section]:
        """Its scenes, drawn in the language in use.

        Args:
            choice: How wide pictures are, and how high.
        """
        played = {one.scene.name: one for one in self.scenes}
        for chapter in self.lecture.chapters:
            for number, scene in enumerate(chapter.scenes):
                places = ((scene.name, at) for at in range(len(scene.steps)))
                steps = zip(played[scene.name].steps, places, strict=True)
                parts = tuple(
                    part_of(one, choice, self.frames.get(place, ()), self.asks.get(place))
                    for one, place in steps
                )
                yield Section("" if number else chapter.title(), scene, parts)


def played(
    lecture: Lecture, play: Callable[[Scene], Played], frames: Frames, ask: Asks
) -> PlayedLecture:
    """Play a lecture, scene by scene.

    Args:
        lecture: Which.
        play: Plays a scene.
        frames: Asks a step of its model's moments.
        ask: Works out what is right where a step asks.
    """
    scenes, found, asks = [], {}, {}
    for scene in lecture.scenes:
        scenes.append(play(scene))
        for number, one in enumerate(scenes[-1].steps):
            if one.answered is not None and (asked := frames(one.step)):
                found[scene.name, number] = asked
            if (right := ask(scenes[-1], number)) is not None:
                asks[scene.name, number] = right
    return PlayedLecture(lecture, tuple(scenes), found, asks)


def part_of(
    one: PlayedStep,
    choice: HandoutChoice,
    frames: Sequence[AnsweredFrame] = (),
    asked: PlayedAsk | None = None,
) -> HandoutStep:
    """A step as it is drawn in the language in use."""
    answered = one.answered
    if answered is None:
        return HandoutStep(one, None, None, asked=asked)
    focus = StepFocus.of(answered, named(one.step))
    table = answered.run.question.table(answered.result)
    film = tuple(drawn(frames, choice, focus.keys)) if frames else ()
    made = picture_of(answered, focus, choice, is_brief=True)
    done = None if asked is None or asked.solved is None else asked.solved.answered
    solved = None
    if done is not None:
        focus = StepFocus.of(done, named(one.step))
        solved = picture_of(done, focus, choice, is_brief=True)
    return HandoutStep(one, made, table, film, asked, solved)


def named(step: Step) -> Sequence[str]:
    """Titles, in English, of what a step is about; none for the whole page."""
    return step.focus or tuple(filter(None, (step.scroll_to,)))


def made_with(answers: Iterable[AnsweredRun]) -> str:
    """By which models, with which versions, and when: said once for all pictures; "" of none."""
    runs = [one.run for one in answers]
    if not runs:
        return ""
    stamps = {stamp.id: stamp for run in runs for stamp in run.models.values()}
    models = (of_model(MODEL, stamps[name]) for name in sorted(stamps))
    told = [f"{name} {number}" for name, number in runs[0].versions.items()]
    return f"{' '.join(models)} {', '.join(told)}. {dates.in_full(now())}."
