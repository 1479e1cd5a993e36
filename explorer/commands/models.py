"""`models`: every checkpoint known, without loading any."""

import argparse
import shutil
import sys
from collections.abc import Sequence

from explorer.api import Checkpoint
from explorer.headless import print_json
from explorer.program import Program
from explorer.text.quantities import bytes_precisely

NAME = "models"
HELP = "every checkpoint known: id, family, size, answers"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to list and how."""
    parser.add_argument("folder", nargs="*", help="checkpoint folders to list as well")
    parser.add_argument("--json", action="store_true", help="print one JSON array")


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
        sys.stderr.write(f"Plugin {record.id} does not work: {record.problem}\n")
    return 0


def _show(checkpoints: Sequence[Checkpoint]) -> None:
    rows = [("ID", "FAMILY", "WHERE", "SIZE", "ANSWERS")]
    rows += [
        (
            checkpoint.id,
            checkpoint.family or "-",
            checkpoint.source.value,
            "?" if checkpoint.size_bytes is None else bytes_precisely(checkpoint.size_bytes),
            checkpoint.problem or ", ".join(checkpoint.operations) or "-",
        )
        for checkpoint in checkpoints
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    screen = shutil.get_terminal_size((120, 24)).columns if sys.stdout.isatty() else None
    for row in rows:
        line = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=False))
        print(f"{line}  {row[4]}"[:screen].rstrip())
