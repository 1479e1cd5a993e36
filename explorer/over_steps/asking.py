"""Asks one question at every frame of several series; what was asked before is not asked again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.api.question import (
    Context,
    ExplorerError,
    MachineFault,
    ModelStamp,
    Question,
    UserMistake,
)
from explorer.over_steps.kept import KeptNumbers, key_of
from explorer.over_steps.numbers import FrameNumbers, numbers_of
from explorer.series.series import CheckpointSeries, Frame
from explorer.series.steps import chosen
from explorer.text import N_, Phrase

STAGE = N_("asking at every step")
DOES_NOT_ANSWER = N_('{name} does not answer "{title}".')


@dataclass
class AskedFrame:
    """A frame, and what came of it.

    Attributes:
        frame: Which.
        numbers: Of its answer; None while it was not asked, or where it can't be.
        problem: Why it can't be; "" where it can.
    """

    frame: Frame
    numbers: FrameNumbers | None = None
    problem: Phrase = field(default_factory=Phrase)

    @property
    def waits(self) -> bool:
        """Whether it is to be asked."""
        return self.numbers is None and not self.problem


def frames_of(series: CheckpointSeries, steps: str) -> list[AskedFrame]:
    """The frames of a series that are asked; damaged ones say why they are not.

    Args:
        series: All frames.
        steps: As somebody types them: "all", "10,100,1000-4000".

    Raises:
        UserMistake: That is none of its steps.
    """
    wanted = {*chosen(steps, series.steps)}
    return [AskedFrame(one, None, one.problem) for one in series.frames if one.step in wanted]


@dataclass(frozen=True)
class StepsAsking:
    """One question, of any frame.

    Attributes:
        question: Whose question it is.
        request: What is asked.
        role: What the frame plays in it.
        others: Who plays the other roles, by role.
        dtype: The number type that frames are asked in.
        context: Of the run.
    """

    question: Question[Any, Any]
    request: Any
    role: str
    others: Mapping[str, ModelStamp]
    dtype: str
    context: Context

    def look(self, frames: Sequence[AskedFrame], kept: KeptNumbers, written: str) -> None:
        """Take what is kept of frames; what can't be asked at all says so.

        Args:
            frames: Of all series.
            kept: What was asked before.
            written: The request as JSON.

        Raises:
            Cancelled: Nobody waits for it any more.
        """
        for one in frames:
            self.context.check()
            if one.waits:
                try:
                    one.numbers = kept.get(self._key(one, written))
                except (ExplorerError, OSError) as error:
                    one.problem = _why(error)

    def ask(
        self,
        frames: Sequence[AskedFrame],
        kept: KeptNumbers,
        written: str,
        told: Callable[[], None],
    ) -> None:
        """Ask what was not asked yet, frame by frame, and keep each answer before the next one.

        Others are answered between two frames. A frame that can't be asked is left out, and says
        why; where the first one shows that the question can't be, that is raised.

        Args:
            frames: Of all series.
            kept: What was asked before.
            written: The request as JSON.
            told: Called after each frame.

        Raises:
            ExplorerError: The question can't be asked of these models, or nothing can be kept.
            Cancelled: What is done stays done.
        """
        waiting = [one for one in frames if one.waits]
        if not waiting:
            return
        context = self.context
        if context.lending is None:
            raise MachineFault(N_("Frames can't be loaded here."), N_("Ask one of them."))
        inner = replace(context, progress=lambda *_unused: None, show=lambda _make: None)
        done = sum(one.numbers is not None for one in frames)
        with context.lending.in_turn() as ask:
            for number, one in enumerate(waiting):
                context.check()
                context.progress(STAGE, float(done + number), float(done + len(waiting)))
                context.give_way()
                context.check()
                try:
                    self._ask(one, ask, kept, written, inner)
                except UserMistake as error:
                    if all(other.numbers is None for other in frames):
                        # It is said once what is wrong with the question, and not of each frame.
                        raise
                    one.problem = _why(error)
                told()

    def _ask(
        self,
        one: AskedFrame,
        ask: Callable[[Any, Mapping[str, str], Context], Any],
        kept: KeptNumbers,
        written: str,
        inner: Context,
    ) -> None:
        others = {role: stamp.id for role, stamp in self.others.items()}
        models = {self.role: one.frame.id, **others}
        in_order = {role: models[role] for role in self.question.roles if role in models}
        try:
            answer = ask(self.request, in_order, inner)
            key = self._key(one, written)
        except UserMistake:
            raise
        except (ExplorerError, OSError) as error:
            one.problem = _why(error)
            return
        one.numbers = numbers_of(self.question, answer)
        kept.put(key, one.numbers)

    def _key(self, one: AskedFrame, written: str) -> str:
        """What the answer of a frame is kept by.

        Raises:
            ExplorerError: It is unknown, damaged, or does not answer.
        """
        from explorer.hf.loading.fingerprint import fingerprint

        shelf = self.context.shelf
        assert shelf is not None
        known = shelf.known(one.frame.id)
        if self.question.name not in known.checkpoint.operations:
            raise UserMistake(DOES_NOT_ANSWER, name=one.frame.name, title=self.question.title)
        mine = (fingerprint(known.files, self.context.check), self.dtype)
        return key_of(self.question.name, written, {self.role: mine, **self.others})


def _why(error: ExplorerError | OSError) -> Phrase:
    if isinstance(error, ExplorerError):
        return Phrase.joined([error.problem])
    return Phrase(N_("It can't be read ({why})."), why=error.strerror or str(error))


def groups_of(
    plans: Sequence[str], seeds: Sequence[int | None], *, alike: bool
) -> Iterator[tuple[int, ...]]:
    """Which series differ in their seeds alone, each by its number; in the order of the first.

    Args:
        plans: All but the seed that each follows from; "" where that is not known.
        seeds: Of each; None where that is not known.
        alike: Somebody says that all do.
    """
    if alike:
        yield tuple(range(len(plans)))
        return
    found: dict[object, list[int]] = {}
    for number, (plan, seed) in enumerate(zip(plans, seeds, strict=True)):
        key: object = plan if plan and seed is not None else number
        if any(seeds[other] == seed for other in found.get(key, ())):
            key = number
        found.setdefault(key, []).append(number)
    yield from map(tuple, found.values())
