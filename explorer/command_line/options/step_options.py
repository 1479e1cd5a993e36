"""`--step` and `--steps`: which moments of a model's training are asked."""

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from explorer.api.question import UserMistake
from explorer.program import Program
from explorer.text import N_, _, said


def add_step_options(parser: argparse.ArgumentParser, *, many: bool) -> None:
    """Declare them, under longer names alone where the question has options of the short ones.

    Args:
        parser: With the question's options.
        many: Many models may be asked, one after the other.
    """
    _add(
        parser,
        "step",
        type=int,
        metavar="N",
        help=_("of a series of checkpoints: the one at this step of its training"),
    )
    if many:
        _add(
            parser,
            "steps",
            metavar="S",
            help=_("of a series: an answer of each step, all or as in 10,100,1000-4000"),
        )
        _add(
            parser,
            "curve",
            nargs="?",
            const="",
            metavar="WORDS",
            help=_(
                "with --steps: numbers of the answers as curves over the steps, in place of the "
                "answers; those whose names have these words"
            ),
        )


def _add(parser: argparse.ArgumentParser, name: str, **told: Any) -> None:
    told["dest"] = f"training_{name}"
    long = f"--training-{name}"
    try:
        parser.add_argument(f"--{name}", long, **told)
    except argparse.ArgumentError:
        parser.add_argument(long, **told)


def moving_role(args: argparse.Namespace, program: Program, named: Mapping[str, str]) -> str:
    """Which of several models is asked at many steps: the first one that has some.

    Args:
        args: With what `add_step_options` declared.
        program: Where the checkpoints are.
        named: The checkpoint of every role.
    """
    first = next(iter(named), "")
    if getattr(args, "training_steps", None) is None or len(named) < 2:
        return first
    from explorer.engine.library.series import series_of

    catalogue = program.catalogue(program.plugin_host())
    return next((role for role, one in named.items() if series_of(catalogue, one)), first)


def steps_named(args: argparse.Namespace, program: Program, model: str) -> Mapping[str, int]:
    """The frames that were asked for, by their ids; none where only a model was.

    Frames that can't be shown are named on standard error, and the others are asked.

    Raises:
        UserMistake: The model has no steps, or not these; or one step is named and many.
        CheckpointFault: None of them can be shown.
    """
    typed = getattr(args, "training_steps", None)
    if typed is None:
        return {}
    from explorer.engine.library.series import needed_series
    from explorer.series.steps import chosen

    if args.training_step is not None:
        raise UserMistake(
            N_("--step asks at one step, and --steps at many."), N_("Leave one of them out.")
        )
    series = needed_series(program.catalogue(program.plugin_host()), model)
    wanted = [series.frame(step) for step in chosen(typed, series.steps)]
    shown = {one.id: one.step for one in wanted if not one.problem}
    if not shown:
        series.at(wanted[0].step)
    for one in wanted:
        if one.problem:
            told = _("{name} is left out: {problem}", name=one.name, problem=said(one.problem))
            sys.stderr.write(f"{told}\n")
        elif one.difference:
            told = _("{name} differs: {difference}", name=one.name, difference=said(one.difference))
            sys.stderr.write(f"{told}\n")
    return shown


def at_named_step(args: argparse.Namespace, program: Program, model: str) -> str:
    """The id of the frame that was asked for; of the model itself where none was.

    Raises:
        UserMistake: The model has no steps, or not this one.
        CheckpointFault: That frame is damaged.
    """
    step = getattr(args, "training_step", None)
    if step is None:
        return model
    from explorer.engine.library.series import at_step

    return at_step(program.catalogue(program.plugin_host()), model, step)
