"""Training from Python: a plan, a run that is waited for, and every run that there is."""

import contextlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from explorer.api.errors import error_of
from explorer.api.question import UserMistake
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.distilling.presets import PRESETS as DISTILLATIONS
from explorer.learning.distilling.teachers.named import with_run
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.presets import PRESETS
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs.following import follow
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.run_state import RunState
from explorer.learning.runs.trainings import Trainings
from explorer.learning.tuning.base_models import with_run as with_base
from explorer.learning.tuning.plan import TuningPlan
from explorer.learning.tuning.presets import PRESETS as TUNINGS
from explorer.scripting.mistakes import advised
from explorer.scripting.model import Model
from explorer.scripting.model import open as open_model
from explorer.scripting.notebook.frames import Library, frame_of
from explorer.scripting.notebook.progress import bar
from explorer.scripting.process import current
from explorer.text import N_, _

Plan = TypeVar("Plan", bound=RunPlan)


class LearningCurve(Sequence[dict[str, Any]]):
    """Rows of numbers, each of some steps; `frame()` has all of them."""

    def __init__(self, rows: Iterable[dict[str, Any]]) -> None:
        self._rows = tuple(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, which: Any) -> Any:
        return self._rows[which]

    def frame(self, library: Library | None = None) -> Any:
        """As a frame of pandas or polars, a column each number."""
        columns = list(dict.fromkeys(name for row in self._rows for name in row))
        cells = ([_cell(row.get(name)) for name in columns] for row in self._rows)
        with advised():
            return frame_of(columns, cells, library)

    def __repr__(self) -> str:
        return f"<{len(self)} rows>"


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


class Training:
    """A run of training.

    Attributes:
        name: Its name.
        folder: Where all of it lies.
        plan: What is trained.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._run = folder
        self.name, self.folder = folder.name, folder.place

    @property
    def plan(self) -> RunPlan:
        """What is trained."""
        with advised():
            return self._run.plan

    @property
    def state(self) -> RunState:
        """How far it is: its status, step, steps and seconds."""
        return self._run.state

    @property
    def curve(self) -> LearningCurve:
        """Step, tokens, multiply-adds, seconds, rate, norm of the gradient, losses."""
        return LearningCurve(self._run.curve())

    @property
    def measured(self) -> LearningCurve:
        """What each frame was measured at: loss, exact floor, excess, rule by rule."""
        return LearningCurve(self._run.measured())

    @property
    def frames(self) -> tuple[int, ...]:
        """Steps at which its weights were kept."""
        return self._run.frames

    def open(self, step: int | None = None, **options: Any) -> Model:
        """Load the weights of a step, as `explorer.open` does.

        Args:
            step: One of `frames`; None for the last one.
            options: Of `explorer.open`.

        Raises:
            Mistake: There is no frame of this step.
        """
        frames = self.frames
        with advised():
            wanted = step if step is not None or not frames else frames[-1]
            if wanted not in frames:
                raise UserMistake(
                    N_("The run {name} has no frame of step {step}."),
                    N_("It has those of {frames}."),
                    name=self.name,
                    step="-" if wanted is None else wanted,
                    frames=", ".join(map(str, frames)) or "-",
                )
        assert wanted is not None
        return open_model(self._run.frame(wanted), **options)

    def resume(self) -> "Training":
        """Go on from what was kept, and wait until it rests."""
        with advised():
            _trainings().resume(self._run)
        return _waited(self._run)

    def pause(self) -> None:
        """Have it keep everything and rest."""
        with advised():
            _trainings().pause(self._run)

    def cancel(self) -> None:
        """Have it end with the frames that it has."""
        with advised():
            _trainings().cancel(self._run)

    def delete(self) -> None:
        """Delete all of it."""
        with advised():
            _trainings().delete(self._run)

    def __repr__(self) -> str:
        state = self.state
        return f"<{self.name}: {state.status}, {state.step:,}/{state.steps:,} steps>"


def train(
    plan: str | TrainingPlan = "small",
    /,
    *,
    name: str = "",
    watched: str | Iterable[str] = (),
    wait: bool = True,
    **options: Any,
) -> Training:
    """Train a small model in a process of its own, and wait until that is done.

    Ctrl+C, or a notebook's stop button, pauses it; `resume()` goes on to the digit.

    Args:
        plan: A plan or the name of one: "small".
        name: Of the run; "" for one made of its objective.
        watched: Sentences with [MASK] that are asked at every frame.
        wait: False returns at once; the training goes on by itself.
        options: Fields of the plan that are otherwise: objective, steps, seed, layers, ...

    Raises:
        Mistake: The plan contradicts itself, or the name is taken.
        Trouble: There is no room, or it failed.
    """
    with advised():
        begun = _trainings().start(
            planned(TrainingPlan, PRESETS, plan, options), name, _sentences(watched)
        )
    return _waited(begun) if wait else Training(begun)


def distil(
    plan: str | DistilPlan = "small",
    /,
    *,
    name: str = "",
    watched: str | Iterable[str] = (),
    wait: bool = True,
    **options: Any,
) -> Training:
    """Have a small model learn from another one, and wait until that is done.

    A teacher that is not named is trained first, as a run of its own. Ctrl+C, or a notebook's stop
    button, pauses it; `resume()` goes on to the digit.

    Args:
        plan: A plan or the name of one: "small", "exact", "labels", "tinybert", ...
        name: Of the run; "" for one made of its teacher.
        watched: Sentences with [MASK] that are asked at every frame.
        wait: False returns at once; the training goes on by itself.
        options: Fields of the plan that are otherwise: teacher, temperature, alpha, layers, ...

    Raises:
        Mistake: The plan contradicts itself, or the name is taken.
        Trouble: There is no room, or it failed.
    """
    with advised():
        ours = _trainings()
        wanted = with_run(planned(DistilPlan, DISTILLATIONS, plan, options), ours)
        begun = ours.start(wanted, name, _sentences(watched))
    return _waited(begun) if wait else Training(begun)


def tune(
    plan: str | TuningPlan = "sentiment",
    /,
    *,
    name: str = "",
    wait: bool = True,
    **options: Any,
) -> Training:
    """Have a model learn a task of labelled texts, and wait until that is done.

    Ctrl+C, or a notebook's stop button, pauses it; `resume()` goes on to the digit.

    Args:
        plan: A plan or the name of one: "sentiment", "inference", "paraphrase", "features", "gpt".
        name: Of the run; "" for one made of its task.
        wait: False returns at once; the training goes on by itself.
        options: Fields of the plan that are otherwise: base, path, tuned, examples, epochs, ...

    Raises:
        Mistake: The plan contradicts itself, or the name is taken.
        Trouble: There is no room, or it failed.
    """
    with advised():
        ours = _trainings()
        wanted = with_base(planned(TuningPlan, TUNINGS, plan, options), ours)
        begun = ours.start(wanted, name)
    return _waited(begun) if wait else Training(begun)


def _sentences(watched: str | Iterable[str]) -> Iterable[str]:
    return (watched,) if isinstance(watched, str) else watched


class TrainingList(tuple[Training, ...]):
    """Runs of training; `frame()` has how far each is."""

    __slots__ = ()

    def frame(self, library: Library | None = None) -> Any:
        """A row a run."""
        columns = ["name", "status", "step", "steps", "seconds", "folder"]
        rows = (
            [one.name, state.status.value, state.step, state.steps, state.seconds, str(one.folder)]
            for one in self
            for state in (one.state,)
        )
        with advised():
            return frame_of(columns, rows, library)

    def __repr__(self) -> str:
        return "\n".join(map(repr, self))


def trainings() -> TrainingList:
    """Every run of training that there is, those of the window and of the command line too."""
    return TrainingList(map(Training, _trainings().list()))


def _trainings() -> Trainings:
    return Trainings.of(current().program.paths)


def planned(
    kind: type[Plan], presets: Mapping[str, Plan], plan: str | Plan, options: dict[str, Any]
) -> Plan:
    """A plan with some of its fields otherwise.

    Args:
        kind: Of the plan.
        presets: Plans of this kind by their names.
        plan: One of them, or a plan.
        options: Its fields that are otherwise.

    Raises:
        UserMistake: There is none of this name, or it has no such fields.
    """
    if isinstance(plan, str) and plan not in presets:
        raise UserMistake(
            N_("There is no plan named {name}."),
            N_("Choose one of {known}."),
            name=plan,
            known=", ".join(presets),
        )
    first: Any = presets[plan] if isinstance(plan, str) else plan
    known = [one.name for one in fields(first)]
    for unknown in options.keys() - set(known):
        raise UserMistake(
            N_("A plan of training has no {name}."),
            N_("It has {known}."),
            name=unknown,
            known=", ".join(known),
        )
    from explorer.serialise import from_json, to_builtins

    written = to_builtins(first) | options
    if isinstance(written.get("path"), Path):
        written["path"] = str(written["path"])
    if written.get("path"):
        # Another process reads it.
        written["path"] = str(Path(written["path"]).absolute())
    try:
        return from_json(kind, json.dumps(written))
    except (TypeError, ValueError) as error:
        raise UserMistake(
            N_("This is no plan of training: {why}."), N_("Correct it."), why=str(error)
        ) from None


def _waited(one: RunFolder) -> Training:
    """A run, once it rests.

    Raises:
        Trouble: It failed.
    """
    ours = _trainings()
    with advised(), bar(_("training {name}", name=one.name)) as tell:

        def told(state: RunState, row: dict[str, float] | None) -> None:
            if row is None:
                return
            losses = [value for key, value in row.items() if key.startswith("loss")]
            stage = _("loss {loss}", loss=f"{sum(losses):.3f}")
            tell(stage, row["step"], float(state.steps))

        try:
            state = follow(ours, one, told)
        except KeyboardInterrupt:
            with contextlib.suppress(UserMistake):
                ours.pause(one)
            raise
        if state.failure is not None:
            raise error_of(state.failure)
    return Training(one)
