"""What a handout shows of a lecture: chapters, scenes, steps with the pictures of their pages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from explorer.api.question import Table
from explorer.export_choices import PictureChoice
from explorer.lectures import Lecture, Scene
from explorer.lectures.playing import Played, PlayedStep
from explorer.text import _
from explorer.ui.export.alone import page_alone
from explorer.ui.export.paper import PaperPicture
from explorer.ui.views.frame.key_finding import in_words

CHOICE = PictureChoice("svg", "columns", title=False, caption=False)
"""Pictures as wide as the text of a sheet of A4."""


@dataclass(frozen=True)
class HandoutStep:
    """A step on paper.

    Attributes:
        played: The step, and what came of it.
        picture: Of its page; None without an answer.
        table: The rows of its answer; None without an answer.
    """

    played: PlayedStep
    picture: PaperPicture | None
    table: Table | None

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
        return " ".join(f"{one.said} {one.advice}".strip() for one in self.played.failures)


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


def sections(lecture: Lecture, play: Callable[[Scene], Played]) -> Iterator[Section]:
    """Play a lecture, scene by scene, and lay out what it shows.

    Args:
        lecture: Which.
        play: Plays a scene.
    """
    for chapter in lecture.chapters:
        for number, scene in enumerate(chapter.scenes):
            parts = tuple(_part(one) for one in play(scene).steps)
            yield Section("" if number else chapter.title(), scene, parts)


def _part(played: PlayedStep) -> HandoutStep:
    answered = played.answered
    if answered is None:
        return HandoutStep(played, None, None)
    picture = page_alone(answered, CHOICE)
    return HandoutStep(played, picture, answered.run.question.table(answered.result))
