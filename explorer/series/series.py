"""A series: one model at several steps of its training."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api.errors import CheckpointFault
from explorer.series.steps import no_step
from explorer.text.phrase import NOTHING, Phrase


@dataclass(frozen=True)
class Frame:
    """A model at one step.

    Attributes:
        step: Steps of training before it.
        id: The checkpoint's: a folder, or a hub's id with a revision.
        name: What it is called in its series: "checkpoint-500", "step1000".
        size_bytes: Of its weights; None where that is not known.
        problem: Why it can't be shown; "" where it can.
        hint: What to do about that.
        difference: What else than its weights differs from the first frame; "" where nothing does.
    """

    step: int
    id: str
    name: str
    size_bytes: int | None = None
    problem: Phrase = NOTHING
    hint: Phrase = NOTHING
    difference: Phrase = NOTHING


@dataclass(frozen=True)
class Series:
    """Frames in the order of their steps, damaged ones too.

    Attributes:
        id: What a user types: a folder, the name of a run, or a hub's id.
        title: What a user reads.
        frames: At least one.
    """

    id: str
    title: str
    frames: tuple[Frame, ...]

    @property
    def shown(self) -> tuple[Frame, ...]:
        """Those that can be shown."""
        return tuple(one for one in self.frames if not one.problem)

    @property
    def steps(self) -> tuple[int, ...]:
        """Of all frames."""
        return tuple(one.step for one in self.frames)

    def at(self, step: int) -> Frame:
        """The frame of a step.

        Raises:
            UserMistake: There is none of this step; nothing between two frames is ever shown.
            CheckpointFault: It is damaged.
        """
        frame = next((one for one in self.frames if one.step == step), None)
        if frame is None:
            raise no_step(str(step), self.steps)
        if frame.problem:
            raise CheckpointFault(
                "{problem}", "{hint}", problem=frame.problem, hint=frame.hint or NOTHING
            )
        return frame

    def damaged(self) -> Iterator[Frame]:
        """Those that can't be shown."""
        return (one for one in self.frames if one.problem)
