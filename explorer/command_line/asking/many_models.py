"""One question asked of many models, one after the other: `over --models` and `ask --models`."""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer import headless
from explorer.api.question import SLOTS, CheckpointFault, Question, Table, UserMistake
from explorer.command_line.options.film_options import WantedFilm
from explorer.document import Document
from explorer.printing.stages import Stages
from explorer.program import Program
from explorer.text import N_, _, said


def names(text: str) -> tuple[str, ...]:
    """Names with commas between them, each once."""
    names = tuple(dict.fromkeys(one.strip() for one in text.split(",") if one.strip()))
    if not names:
        raise argparse.ArgumentTypeError(_("{text} names no model", text=repr(text)))
    return names


def check(names: Sequence[str], program: Program, question: Question[Any, Any]) -> None:
    """See that all models can be asked, before the first is asked for an hour.

    Raises:
        UserMistake: One is unknown or does not answer.
    """
    catalogue = program.catalogue(program.plugin_host())
    for name in names:
        if question.name not in catalogue.find(name).operations:
            raise UserMistake(
                N_('{name} does not answer "{title}".'),
                N_("Leave it out.")
                if len(names) > 1
                else question.elsewhere or N_("Name another model."),
                name=name,
                title=question.title,
            )


@dataclass(frozen=True)
class AskedOfEach:
    """What each of many models is asked.

    Attributes:
        request: The question.
        document: What it is asked of.
        role: Who of the question's models is one of them.
        others: Who plays the other roles, for all of them; that role's is among them.
        beside: What the question lays beside its answer is asked for as well.
        steps: Of their training, by their names, where they are frames of one series.
        film: What is made of their answers; None for nothing.
    """

    request: Any
    document: Document
    role: str
    others: Mapping[str, str] = field(default_factory=dict)
    beside: bool = False
    steps: Mapping[str, int] = field(default_factory=dict)
    film: WantedFilm | None = None


def answer_each(
    args: argparse.Namespace, program: Program, asked: AskedOfEach, show: headless.Show
) -> int:
    """Ask every model of --models and print all answers; returns the exit status.

    A frame that is found to be damaged is named on standard error, and the others are asked.

    Args:
        args: With the options of `ask`.
        program: Where everything is.
        asked: What they are asked.
        show: Prints an answer for people.

    Raises:
        ExplorerError: As `headless.load_all`, and `headless.Loaded` as it is asked.
    """
    from explorer.questions import question_of
    from explorer.sessions.schema.atomic import refuse_unwritable

    refuse_unwritable(args.csv)
    found = dict(_answers(args, program, asked))
    answers, steps = [*found.values()], asked.steps
    if args.csv is not None:
        _write_csv(args, answers, steps)
    if asked.film is not None:
        asked.film.write([(steps[name], one) for name, one in found.items()])
    if args.json:
        whole = _together(answers, steps)
        told = {
            "operation": question_of(asked.request).name,
            "models": [headless.as_json(one) for one in answers],
            "table": None if whole is None else whole.plain(),
        }
        headless.print_json(told)
        return 0
    for number, one in enumerate(answers):
        if number:
            print()
        show(one)
    return 0


def _answers(
    args: argparse.Namespace, program: Program, asked: AskedOfEach
) -> Iterator[tuple[str, headless.AnsweredRun]]:
    """The answer of each, by its name.

    Raises:
        CheckpointFault: All frames are damaged, or a model that is none is.
    """
    runner, progress = program.runner(), Stages()
    models: headless.LoadedModels | None = None
    fault: CheckpointFault | None = None
    for name in args.models:
        try:
            if models is not None and asked.steps:
                slot, consent = models.cast[asked.role], args.allow_pickle
                headless.load(runner, program, name, allow_pickle=consent, slot=slot)
            else:
                # Else there would be two in memory until the next one is loaded.
                runner.unload(SLOTS[0])
                named = {**asked.others, asked.role: name}
                consent = args.allow_pickle
                models = headless.load_all(runner, program, named, allow_pickle=consent)
        except CheckpointFault as error:
            if not asked.steps:
                raise
            fault = error
            problem = said(error.problem)
            told = _("{name} is left out: {problem}", name=name, problem=problem)
            sys.stderr.write(f"{told}\n")
            continue
        answered = models.ask(asked.request, asked.document, log=not args.no_log, progress=progress)
        answered = models.with_beside(answered) if asked.beside else answered
        wants = None if asked.film is None else asked.film.wants
        yield name, answered if wants is None else models.with_details(answered, wants)
    if models is None and fault is not None:
        raise fault


def _together(found: Sequence[headless.AnsweredRun], steps: Mapping[str, int]) -> Table | None:
    """All tables in one, whose first columns say whose row it is; None where there is none."""
    some = [(one.run, one.run.table) for one in found if one.run.table is not None]
    if not some:
        return None
    names = [run.model.id if run.model else "" for run, _table in some]
    heads = [(name, steps[name]) if steps else (name,) for name in names]
    rows = tuple(
        (*head, *row) for head, (_run, table) in zip(heads, some, strict=True) for row in table.rows
    )
    return Table(("model", *(["training_step"] if steps else []), *some[0][1].columns), rows)


def _write_csv(
    args: argparse.Namespace, found: Sequence[headless.AnsweredRun], steps: Mapping[str, int]
) -> None:
    from explorer.sessions.export import tables

    whole = _together(found, steps)
    if whole is not None:
        told = (one.run for one in found if one.run.table is not None)
        said = " ".join(map(headless.caption_now, told))
        tables.write_csv(args.csv, whole, said, args.caption)
