"""`models`: every checkpoint known, without loading any."""

import argparse
import sys
from collections.abc import Sequence

from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import Table
from explorer.headless import print_json
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.text import N_, _
from explorer.text.formatting.quantities import bytes_precisely

NAME = "models"
HELP = N_("every checkpoint known: id, family, size, answers")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to list and how."""
    parser.add_argument("folder", nargs="*", help=_("checkpoint folders to list as well"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON array"))


def run(args: argparse.Namespace, program: Program) -> int:
    """List them; plugins that do not work are named on stderr."""
    host = program.plugin_host()
    checkpoints = program.catalogue(host).list(tuple(args.folder))
    problems = [record for record in host.records if record.problem]
    if args.json:
        from explorer.serialise import to_builtins

        print_json([to_builtins(checkpoint) for checkpoint in checkpoints])
    else:
        _show(checkpoints)
    for record in problems:
        sys.stderr.write(
            _("Plugin {id} does not work: {problem}\n", id=record.id, problem=record.problem)
        )
    return 0


def _show(checkpoints: Sequence[Checkpoint]) -> None:
    rows = tuple(
        (
            checkpoint.id,
            checkpoint.family or "-",
            _where(checkpoint),
            "?" if checkpoint.size_bytes is None else bytes_precisely(checkpoint.size_bytes),
            checkpoint.problem or ", ".join(checkpoint.operations) or "-",
        )
        for checkpoint in checkpoints
    )
    print_table(Table(("ID", "FAMILY", "WHERE", "SIZE", "ANSWERS"), rows))


def _where(checkpoint: Checkpoint) -> str:
    """Where it is; of what is to be downloaded, whether its tokenizer is here."""
    if checkpoint.tokenizer_folder is None:
        return checkpoint.source.value
    return _("{source}, tokenizer here", source=checkpoint.source.value)
