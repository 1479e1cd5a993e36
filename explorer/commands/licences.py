"""`licences`: what the program is made of, and the licences."""

import argparse
import sys

from explorer.api.question import Table, UserMistake
from explorer.headless import print_json
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.text import N_, _

NAME = "licences"
HELP = N_("what the program is made of, and the licences")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Of what, and how much of it."""
    parser.add_argument("names", nargs="*", metavar="NAME", help=_("in full, of these"))
    parser.add_argument("--full", action="store_true", help=_("in full, of everything"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON array"))


def run(args: argparse.Namespace, program: Program) -> int:  # noqa: ARG001
    """Print them.

    Raises:
        UserMistake: A name is none of them.
    """
    from explorer.licences import as_text, components, to_builtins

    found = components()
    if args.names:
        by_name = {one.name.casefold(): one for one in found}
        for name in args.names:
            if name.casefold() not in by_name:
                raise UserMistake(
                    N_("The program is not made of {name}."),
                    N_("Type `licences` alone for all there is."),
                    name=name,
                )
        found = tuple(by_name[name.casefold()] for name in args.names)
    if args.json:
        print_json(to_builtins(found))
    elif args.names or args.full:
        sys.stdout.write(as_text(found))
    else:
        rows = tuple((one.name, one.version, one.licence) for one in found)
        print_table(Table(("NAME", "VERSION", "LICENCE"), rows))
    return 0
