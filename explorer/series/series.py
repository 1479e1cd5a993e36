"""A series: one model at several steps of its training."""

from dataclasses import dataclass

from explorer.api.errors import CheckpointFault
from explorer.series.loss_curve import LossCurve
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
class CheckpointSeries:
    """Frames in the order of their steps, damaged ones too.

    Attributes:
        id: What a user types: a folder, the name of a run, or a hub's id.
        title: What a user reads.
        frames: At least one.
        losses: How its loss fell; None where nobody wrote that down.
    """

    id: str
    title: str
    frames: tuple[Frame, ...]
    losses: LossCurve | None = None

    @property
    def steps(self) -> tuple[int, ...]:
        """Of all frames."""
        return tuple(one.step for one in self.frames)

    def frame(self, step: int) -> Frame:
        """The frame of a step, a damaged one too.

        Raises:
            UserMistake: There is none of this step; nothing between two frames is ever shown.
        """
        frame = next((one for one in self.frames if one.step == step), None)
        if frame is None:
            raise no_step(str(step), self.steps)
        return frame

    def at(self, step: int) -> Frame:
        """The frame of a step, to be shown.

        Raises:
            UserMistake: There is none of this step.
            CheckpointFault: It is damaged.
        """
        frame = self.frame(step)
        if frame.problem:
            raise CheckpointFault("{problem}", "{hint}", problem=frame.problem, hint=frame.hint)
        return frame
