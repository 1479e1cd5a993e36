"""One question asked of many models, one after the other: `over --models` and `ask --models`."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from explorer import headless
from explorer.api.question import SLOTS, Question, Table, UserMistake
from explorer.document import Document
from explorer.program import Program
from explorer.text import N_, _


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


def answer_each(
    args: argparse.Namespace,
    program: Program,
    request: Any,
    document: Document,
    show: headless.Show,
    *,
    beside: bool,
    steps: Mapping[str, int],
) -> int:
    """Ask every model of --models and print all answers; returns the exit status.

    Args:
        args: With the options of `ask`.
        program: Where everything is.
        request: The question.
        document: What it is asked of.
        show: Prints an answer for people.
        beside: What the question lays beside its answer is asked for as well.
        steps: Of its training, by models, where they are frames of one series.

    Raises:
        ExplorerError: As `headless.load_all`, and `headless.Loaded` as it is asked.
    """
    from explorer.questions import question_of
    from explorer.sessions.schema.atomic import refuse_unwritable

    refuse_unwritable(args.csv)
    role = question_of(request).first_role
    runner, progress = program.runner(), headless.Stages()
    found: list[headless.AnsweredRun] = []
    for name in args.models:
        if found and not steps:
            # Else there would be two in memory until the next one is loaded. Frames share one.
            runner.unload(SLOTS[0])
        models = headless.load_all(runner, program, {role: name}, allow_pickle=args.allow_pickle)
        answered = models.ask(request, document, log=not args.no_log, progress=progress)
        found.append(models.with_beside(answered) if beside else answered)
    if args.csv is not None:
        _write_csv(args, found, steps)
    if args.json:
        whole = _together(found, steps)
        told = {
            "operation": question_of(request).name,
            "models": [headless.as_json(one) for one in found],
            "table": None if whole is None else whole.plain(),
        }
        headless.print_json(told)
        return 0
    for number, one in enumerate(found):
        if number:
            print()
        show(one)
    return 0


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
