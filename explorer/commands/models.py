"""`models`: every checkpoint known, without loading any."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import Table
from explorer.headless import print_json
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.text import N_, _, said
from explorer.text.formatting.quantities import bytes_precisely
from explorer.text.typed_words import Typed

NAME = "models"
HELP = N_("every checkpoint known: id, size, architecture")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to list and how."""
    parser.add_argument("folder", nargs="*", help=_("checkpoint folders to list as well"))
    parser.add_argument("--family", metavar="F", help=_("of one family only: bert, deberta, ..."))
    parser.add_argument(
        "--answers",
        action="append",
        default=[],
        metavar="Q",
        help=_("only those that answer a question; given several times, all of them"),
    )
    parser.add_argument(
        "--where",
        choices=tuple(map(str, Source)),
        help=_("only those that are there: in the program, in a folder, on the hub, ..."),
    )
    parser.add_argument(
        "--search",
        metavar="WORDS",
        help=_("only those with these words in name, family, architecture or note"),
    )
    parser.add_argument(
        "--asked",
        metavar="Q",
        help=_("say of each whether a question can be asked of it, and why not"),
    )
    parser.add_argument(
        "--columns",
        metavar="NAMES",
        help=_("print these columns of the table, with commas between; any other word names all"),
    )
    parser.add_argument(
        "--sort",
        metavar="COLUMN",
        help=_("sort by a column; what is empty comes last"),
    )
    parser.add_argument(
        "--descending", action="store_true", help=_("sort from the greatest to the smallest")
    )
    parser.add_argument(
        "--measure",
        action="store_true",
        help=_("first measure how long each takes for one sentence here, and keep that"),
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help=_("write the table as CSV"))
    parser.add_argument(
        "--json", action="store_true", help=_("print one JSON array; each has the table's columns")
    )


def run(args: argparse.Namespace, program: Program) -> int:
    """List them; plugins that do not work are named on stderr.

    Raises:
        UserMistake: There is no such question.
    """
    from explorer.questions.former_names import typed_question

    question = typed_question(args.asked) if args.asked is not None else None
    host = program.plugin_host()
    every = program.catalogue(host).list(tuple(args.folder))
    checkpoints = [one for one in every if _fits(one, args, _asked(args.answers))]
    problems = [record for record in host.records if record.problem]
    from explorer.command_line.model_table import table_listed

    table, order = table_listed(checkpoints, program, question, args)
    checkpoints = [checkpoints[n] for n in order]
    if args.csv is not None:
        from explorer.sessions.export.tables import write_csv

        write_csv(args.csv, table)
    if args.json:
        from explorer.serialise import to_builtins

        cells = (dict(zip(table.columns, row, strict=True)) for row in table.rows)
        both = zip(checkpoints, cells, strict=True)
        print_json([{**to_builtins(one), "table": row} for one, row in both])
    elif args.csv is None and checkpoints:
        if args.columns is not None or question is not None:
            from explorer.command_line.model_table import print_columns

            print_columns(table, args.columns or "id,asked,why_not")
        else:
            _show(checkpoints)
    if every and not checkpoints:
        families = sorted({one.family for one in every if one.family})
        sys.stderr.write(
            _("No checkpoint fits. The families are {families}.\n", families=", ".join(families))
        )
    for record in problems:
        sys.stderr.write(
            _("Plugin {id} does not work: {problem}\n", id=record.id, problem=record.problem)
        )
    return 0


def _asked(names: Sequence[str]) -> frozenset[str]:
    """The questions of some names, as they are called today.

    Raises:
        UserMistake: There is none of a name.
    """
    from explorer.questions.former_names import typed_question

    return frozenset(typed_question(name).name for name in names)


def _fits(checkpoint: Checkpoint, args: argparse.Namespace, asked: frozenset[str]) -> bool:
    """Whether a checkpoint is one of those that are looked for."""
    if args.family is not None and checkpoint.family != args.family.casefold():
        return False
    if args.where is not None and checkpoint.source != args.where:
        return False
    if not asked.issubset(checkpoint.operations):
        return False
    return args.search is None or Typed(args.search).begins(_words_of(checkpoint))


def _words_of(checkpoint: Checkpoint) -> frozenset[str]:
    found = (
        *(checkpoint.id, checkpoint.title, checkpoint.family, checkpoint.languages),
        *(said(checkpoint.architecture), said(checkpoint.note)),
        *(head.title for head in checkpoint.heads if head.present),
    )
    return frozenset(word for one in found for word in Typed(one).words)


def _show(checkpoints: Sequence[Checkpoint]) -> None:
    """One line each: how many questions it answers, not which, and what it is."""
    rows = tuple(
        (
            checkpoint.id,
            checkpoint.family or "-",
            _where(checkpoint),
            "?" if checkpoint.size_bytes is None else bytes_precisely(checkpoint.size_bytes),
            len(checkpoint.operations),
            said(checkpoint.problem) or said(checkpoint.architecture) or "-",
        )
        for checkpoint in checkpoints
    )
    print_table(Table(("ID", "FAMILY", "WHERE", "SIZE", "QUESTIONS", "ARCHITECTURE"), rows))


def _where(checkpoint: Checkpoint) -> str:
    """Where it is; of what is to be downloaded, whether its tokenizer is here."""
    if checkpoint.tokenizer_folder is None:
        return checkpoint.source.value
    return _("{source}, tokenizer here", source=checkpoint.source.value)
