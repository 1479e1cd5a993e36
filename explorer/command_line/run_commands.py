"""Commands that have a plan carried out by a run: begin one, wait for it, see to all of them."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Generic, TypeVar, cast

from explorer.api.errors import UserMistake, error_of
from explorer.api.question import Question, Table
from explorer.command_line.parsing import DONE
from explorer.headless import print_json
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.run_state import RunState, RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.printing.progress import TerminalProgress
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.text import N_, _
from explorer.text.formatting.quantities import left_of_work, took

EVERY = "-"
"""What stands for all runs that rest without being done."""

Plan = TypeVar("Plan", bound=RunPlan)


@dataclass(frozen=True)
class RunCommand(Generic[Plan]):
    """A command whose options are those of a kind of plan.

    Attributes:
        name: As it is typed.
        plan: The kind.
        presets: Plans to begin with, by their names.
        usual: The one that is begun with where none is named.
        what: What the first word is, marked for translation, with a place for the {presets}.
        prepared: Puts a plan right before it is begun, knowing the runs that there are.
    """

    name: str
    plan: type[Plan]
    presets: Mapping[str, Plan]
    usual: str
    what: str
    prepared: Callable[[Plan, Trainings], Plan] = lambda plan, _runs: plan

    @property
    def asked(self) -> Question[Any, Any]:
        """What arguments are made for: what makes them looks at these three alone."""
        found = SimpleNamespace(name=self.name, request=self.plan, roles=())
        return cast("Question[Any, Any]", found)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """What is trained, by the options of a plan, and what is done with runs."""
        from explorer.command_line.asking.request_arguments import add_arguments as add_plan
        from explorer.command_line.asking.request_arguments import flags_over

        presets = ", ".join(self.presets)
        parser.add_argument(
            "what",
            nargs="?",
            default="",
            metavar="NAME",
            help=_(self.what, presets=presets),
        )
        parser.add_argument("--name", default="", metavar="TITLE", help=_("a name for the run"))
        parser.add_argument(
            "--watched",
            action="append",
            default=[],
            metavar="SENTENCE",
            help=_(
                "a sentence with [MASK] that is asked at every frame; may be given several times"
            ),
        )
        parser.add_argument(
            "--leave", action="store_true", help=_("begin it, and do not wait until it is done")
        )
        others = parser.add_mutually_exclusive_group()
        others.add_argument("--list", action="store_true", help=_("the runs that there are"))
        others.add_argument(
            "--resume",
            nargs="?",
            const=EVERY,
            metavar="RUN",
            help=_("continue a run; without a name, all that are waiting or were stopped"),
        )
        for flag, told in (
            ("--pause", _("have a run keep everything, and rest")),
            ("--cancel", _("end a run with the frames that it has")),
            ("--delete", _("delete a run, its frames and its model")),
        ):
            others.add_argument(flag, metavar="RUN", help=told)
        others.add_argument(
            "--rename", nargs=2, metavar=("RUN", "TITLE"), help=_("give a run another name")
        )
        parser.add_argument("--json", action="store_true", help=_("print one JSON object"))
        add_plan(parser, self.asked, flags_over(self.asked))

    def run(self, args: argparse.Namespace, program: Program) -> int:
        """Train, or do what is asked with a run.

        Raises:
            UserMistake: The plan contradicts itself, or there is no such run.
            MachineFault: There is no room, or the process that trains ended by itself.
        """
        trainings = Trainings.of(program.paths)
        if args.list:
            self._list(trainings, as_json=args.json)
        elif args.resume is not None:
            named = args.resume != EVERY
            every = [trainings.named(args.resume)] if named else self._resting(trainings)
            for one in every:
                trainings.resume(one)
            self._wait(trainings, every, args)
        elif args.pause is not None:
            trainings.pause(trainings.named(args.pause))
        elif args.cancel is not None:
            trainings.cancel(trainings.named(args.cancel))
        elif args.delete is not None:
            trainings.delete(trainings.named(args.delete))
        elif args.rename is not None:
            trainings.rename(trainings.named(args.rename[0]), args.rename[1])
        else:
            self._wait(trainings, [self._begun(trainings, args)], args)
        return DONE

    def _begun(self, trainings: Trainings, args: argparse.Namespace) -> RunFolder:
        """A run of what was typed."""
        import dataclasses

        from explorer.command_line.asking.request_arguments import given

        is_preset = args.what in self.presets
        first: Any = self.presets[args.what if is_preset else self.usual]
        plan: Plan = dataclasses.replace(first, **given(args))
        # Another process reads its files, and later ones.
        plan = self.prepared(plan, trainings).anchored()
        name = args.name or ("" if is_preset else args.what)
        if name and any(one.name == name for one in trainings.list()):
            raise UserMistake(
                N_("There is a run {name} already, and nothing is written over."),
                N_("Continue it with --resume {name}, or choose another name."),
                name=name,
            )
        return trainings.start(plan, name, args.watched)

    def _resting(self, trainings: Trainings) -> list[RunFolder]:
        """Those that wait or were stopped, in the order in which they were asked for.

        Raises:
            UserMistake: There is none.
        """
        wanted = (RunStatus.WAITING, RunStatus.TRAINING, RunStatus.STOPPED)
        found = [one for one in _of_kind(trainings, self.plan.kind) if one.state.status in wanted]
        if not found:
            raise UserMistake(
                N_("No run waits or was stopped."),
                N_("Name one: {command} --list has them all."),
                command=self.name,
            )
        return sorted(found, key=lambda one: one.state.queued)

    def _wait(self, trainings: Trainings, every: list[RunFolder], args: argparse.Namespace) -> None:
        """Watch runs until they rest, and say what came of them; Ctrl+C pauses the one at work."""
        if args.leave:
            for one in every:
                _say(one, as_json=args.json)
            return
        for one in every:
            state = self._followed(trainings, one)
            if state.failure is not None:
                raise error_of(state.failure)
            _say(one, as_json=args.json)

    def _followed(self, trainings: Trainings, one: RunFolder) -> RunState:
        from explorer.learning.runs.following import follow

        progress = TerminalProgress()

        def tell(state: RunState, row: dict[str, float] | None) -> None:
            progress(_told(one.name, state, row), 0.0, 0.0)

        try:
            return follow(trainings, one, tell)
        except KeyboardInterrupt:
            progress.end()
            trainings.pause(one)
            sys.stderr.write(
                _(
                    "{name} is paused. Continue it with: plm-explorer {command} --resume {typed}\n",
                    name=one.name,
                    command=self.name,
                    typed=_typed(one.name),
                )
            )
            raise
        finally:
            progress.end()

    def _list(self, trainings: Trainings, *, as_json: bool) -> None:
        if as_json:
            print_json([as_object(one) for one in _of_kind(trainings, self.plan.kind)])
            return
        rows = [
            (one.name, state.status.value, state.step, state.steps, took(state.seconds))
            for one in _of_kind(trainings, self.plan.kind)
            for state in (one.state,)
        ]
        if rows:
            print_table(Table(("RUN", "STATUS", "STEP", "STEPS", "TOOK"), tuple(rows)))


def _of_kind(trainings: Trainings, kind: str) -> list[RunFolder]:
    """The runs of a kind of plan, and those that nobody knows."""
    return [one for one in trainings.list() if one.kind in ("", kind)]


def _typed(name: str) -> str:
    import shlex

    return shlex.quote(name)


def _told(name: str, state: RunState, row: dict[str, float] | None) -> str:
    """How far a run is, in a line."""
    if state.status is RunStatus.WAITING:
        return _("{name} waits to be trained", name=name)
    if row is None:
        return _("{name}: writing text and tokenizer", name=name)
    step, seconds = int(row["step"]), row["seconds"]
    loss = sum(value for key, value in row.items() if key.startswith("loss"))
    return _(
        "{name}: step {step} of {steps}, loss {loss}, {left}",
        name=name,
        step=f"{step:,}",
        steps=f"{state.steps:,}",
        loss=f"{loss:.3f}",
        left=left_of_work(seconds / step * (state.steps - step)),
    )


def _say(one: RunFolder, *, as_json: bool) -> None:
    """What became of a run."""
    if as_json:
        print_json(as_object(one))
        return
    state = one.state
    if one.model is None:
        sys.stdout.write(f"{one.name}: {state.status}, {state.step:,}/{state.steps:,}\n")
        return
    sys.stdout.write(
        _(
            "{name}: {steps} steps in {seconds}. Ask it: plm-explorer ask ... --model {typed}\n",
            name=one.name,
            steps=f"{state.steps:,}",
            seconds=took(state.seconds),
            typed=_typed(one.name),
        )
    )


def as_object(one: RunFolder) -> dict[str, Any]:
    """A run as JSON has it."""
    state, curve, measured = one.state, one.curve(), one.measured()
    return {
        "name": one.name,
        "folder": str(one.place),
        "status": state.status,
        "step": state.step,
        "steps": state.steps,
        "seconds": round(state.seconds, 3),
        "plan": json.loads(one.plan.to_json()),
        "frames": list(one.frames),
        "curve": curve[-1] if curve else None,
        "measured": measured[-1] if measured else None,
        "model": None if one.model is None else str(one.model),
    }
