"""Plays a lecture and writes it as a handout, or as a site."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from explorer import lectures
from explorer.api.question import ExplorerError, Topic
from explorer.lectures import Scene, Step
from explorer.lectures.playing import Played, ScenePlayer
from explorer.program import Program
from explorer.questions import all_questions
from explorer.series.series import Frame
from explorer.sessions.export.tables import write_atomically
from explorer.text import _
from explorer.ui.export.alone import details_wanted
from explorer.ui.export.film.drawing import AnsweredFrame
from explorer.ui.export.handout import writer_of
from explorer.ui.export.handout.chosen import CHOICE, ON_PAPER
from explorer.ui.export.handout.content import PlayedLecture, made_with, played

Tell = Callable[[str, int, int], None]
"""Hears how far it is: in words, how many are done, and of how many."""
One = TypeVar("One")
MOST_FRAMES = 10
"""Of a film on a page."""


@dataclass(frozen=True)
class Handout:
    """What to make.

    Attributes:
        file: Where; its ending says how.
        lecture: A folder, a zip file or a scene's file; "" for the bundled lecture.
        title: What stands above it; "" for the lecture's own.
    """

    file: str
    lecture: str = ""
    title: str = ""


@dataclass(frozen=True)
class MadeHandout:
    """What came of it.

    Attributes:
        scenes: How many there are.
        failed: Names of those that do not hold.
        texts: What models were asked about.
        left_out: Pages of a site's gallery that have no answer, with why.
        files: How many files a site has.
    """

    scenes: int
    failed: tuple[str, ...]
    texts: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    files: int = 1


def make(program: Program, handout: Handout, tell: Tell) -> MadeHandout:
    """Play a lecture into a file.

    Args:
        program: Where everything is.
        handout: What to make.
        tell: Hears how far it is: in words, how many scenes are done, and of how many.

    Raises:
        UserMistake: The ending is none of a handout's, or the lecture can't be read.
        MachineFault: The file can't be written.
    """
    # A name that can't be is said before the answers take their time.
    written = writer_of(Path(handout.file))
    on_paper = Path(handout.file).suffix.lower() == ".pdf"
    done = play(program, handout.lecture, tell, films=not on_paper)
    below = made_with(done.answers)
    choice = ON_PAPER if on_paper else CHOICE
    title = handout.title or title_of(done, handout.lecture)
    file = written(title, [*done.sections(choice)], below)
    write_atomically(Path(handout.file), file)
    return MadeHandout(len(done.scenes), done.failed, tuple(done.texts))


def title_of(done: PlayedLecture, named: str) -> str:
    """What a lecture is called in the language in use.

    Args:
        done: The lecture.
        named: As it was asked for; "" for the bundled one.
    """
    return done.lecture.name if named else _("Inside pretrained language models")


def play(program: Program, named: str, tell: Tell, *, films: bool = True) -> PlayedLecture:
    """Play all scenes of a lecture, and ask its films.

    Args:
        program: Where everything is.
        named: A folder, a zip file or a scene's file; "" for the bundled lecture.
        tell: Hears how far it is.
        films: Whether they are asked; paper has the last moment alone.

    Raises:
        UserMistake: The lecture can't be read.
    """
    lecture = lectures.opened(named)
    player, count = ScenePlayer(program, wants=details_wanted), len(lecture.scenes)
    done: list[Played] = []

    def play_one(scene: Scene) -> Played:
        words = _(
            "scene {number} of {count}: {title}",
            number=len(done) + 1,
            count=count,
            title=scene.title(),
        )
        tell(words, len(done), count)
        done.append(player.play(scene))
        return done[-1]

    def frames(step: Step) -> Sequence[AnsweredFrame]:
        return list(_frames(program, player, step)) if films else ()

    return played(lecture, play_one, frames, player.play_ask)


def _frames(program: Program, player: ScenePlayer, step: Step) -> Iterator[AnsweredFrame]:
    """A step at moments of a training: of the first of its models that has several, if any has."""
    question = all_questions()[step.question]
    # What asks about a whole training is no moment of it.
    if not step.models or question.listing.heading == Topic.LEARNING:
        return
    for place, name in enumerate(step.models):
        moments = _moments(program, name)
        if len(moments) < 2:
            continue
        for one in _spread(moments, MOST_FRAMES):
            models = (*step.models[:place], one.id, *step.models[place + 1 :])
            # A moment that can't be asked is left out: the others are a film all the same.
            with suppress(ExplorerError):
                yield AnsweredFrame(one.step, player.ask(replace(step, models=models)))
        return


def _moments(program: Program, name: str) -> Sequence[Frame]:
    """Those of a model that is at the end of its training; another one is asked for itself."""
    from explorer.engine.library.series import series_of

    series = series_of(program.catalogue(program.plugin_host()), name)
    if series is None or name not in (series.id, series.frames[-1].id):
        return ()
    return [one for one in series.frames if not one.problem]


def _spread(of: Sequence[One], most: int) -> Sequence[One]:
    """So many at most, the first and the last among them."""
    if len(of) <= most:
        return of
    return [of[round(n * (len(of) - 1) / (most - 1))] for n in range(most)]
