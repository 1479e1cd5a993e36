"""The table of models on the command line: measured, sorted, printed."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.api.family import LoadOptions
from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import Context, ExplorerError, Failure, Question, Table, UserMistake
from explorer.choosing.columns import ModelRow, chosen_columns, in_order, rows_of, table_of
from explorer.choosing.times import KeptTimes, can_be_measured, times_file
from explorer.machine.free_memory import free_memory
from explorer.machine.turns import at_work
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.text import N_


def table_listed(
    checkpoints: Sequence[Checkpoint],
    program: Program,
    question: Question[Any, Any] | None,
    args: argparse.Namespace,
) -> tuple[Table, Sequence[int]]:
    """The table of some models, and where each of its rows stood among them.

    Args:
        checkpoints: The models.
        program: Where everything is.
        question: Of which is said whether it can be asked; None for none.
        args: What was typed: `measure`, `sort` and `descending`.

    Raises:
        UserMistake: There is no such column.
    """
    kept = KeptTimes(times_file(program.paths.cache))
    if args.measure:
        _measure(checkpoints, program, kept)
    rows = rows_of(checkpoints, kept.all(), free_memory(), question)
    table = table_of(rows, asked=question is not None)
    order = _order(table, rows, args)
    return replace(table, rows=tuple(table.rows[n] for n in order)), order


def _measure(checkpoints: Sequence[Checkpoint], program: Program, kept: KeptTimes) -> None:
    """Time those that are on this machine, one after the other; who can't be says so on stderr."""
    from explorer.engine.process.surroundings import prepare_environment

    prepare_environment()
    here = [one for one in checkpoints if can_be_measured(one)]
    runner = program.runner()
    options = LoadOptions(program.device, program.dtype)
    for number, one in enumerate(here, start=1):
        sys.stderr.write(f"{number}/{len(here)} {one.id}\n")
        try:
            with at_work(runner):
                context = Context(cache=program.paths.cache)
                kept.keep(runner.sentence_time(one.id, options, context))
        except ExplorerError as error:
            sys.stderr.write(f"{Failure.of(error).said}\n")


def _order(table: Table, rows: Sequence[ModelRow], args: argparse.Namespace) -> list[int]:
    """The numbers of the rows as they are sorted; unless that is said, who can be asked is first.

    Raises:
        UserMistake: There is no such column.
    """
    if args.sort is None:
        return sorted(range(len(rows)), key=lambda n: rows[n].why_not is not None)
    _known(table, args.sort)
    return in_order(table, args.sort, falls=args.descending)


def _known(table: Table, name: str) -> None:
    if name not in table.columns:
        raise UserMistake(
            N_('There is no column "{name}".'),
            N_("The columns are {names}."),
            name=name,
            names=", ".join(table.columns),
        )


def print_columns(table: Table, typed: str) -> None:
    """Print columns as people read them.

    Args:
        table: The rows.
        typed: Names of columns, with commas between.

    Raises:
        UserMistake: There is no such column.
    """
    names = [one.strip() for one in typed.split(",")]
    for name in names:
        _known(table, name)
    seen = chosen_columns(table, names)
    about = seen.described()
    rows = (
        tuple(column.said(cell) for column, cell in zip(about, row, strict=True))
        for row in seen.rows
    )
    print_table(Table(seen.headings, tuple(rows)))
