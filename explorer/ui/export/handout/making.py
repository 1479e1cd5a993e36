"""Plays a lecture and writes it as a handout."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from explorer import lectures
from explorer.lectures import Scene
from explorer.lectures.playing import Played, ScenePlayer
from explorer.program import Program
from explorer.sessions.export.tables import write_atomically
from explorer.text import _
from explorer.ui.export.alone import details_wanted
from explorer.ui.export.handout import sections, writer_of


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
    """

    scenes: int
    failed: tuple[str, ...]


def make(program: Program, handout: Handout, tell: Callable[[str, int, int], None]) -> MadeHandout:
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
    lecture = lectures.read(handout.lecture) if handout.lecture else lectures.bundled()
    player, count = ScenePlayer(program, wants=details_wanted), len(lecture.scenes)
    found: list[Played] = []

    def play(scene: Scene) -> Played:
        done = len(found)
        words = _(
            "scene {number} of {count}: {title}", number=done + 1, count=count, title=scene.title()
        )
        tell(words, done, count)
        found.append(player.play(scene))
        return found[-1]

    made = list(sections(lecture, play))
    own = lecture.name if handout.lecture else _("Inside pretrained language models")
    write_atomically(Path(handout.file), written(handout.title or own, made))
    return MadeHandout(count, tuple(one.scene.name for one in found if not one.holds))
