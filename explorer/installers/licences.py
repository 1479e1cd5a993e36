"""`licences`: write down under which licences everything is that an installer brings."""

import argparse
from pathlib import Path

from explorer.licences import as_text, installed

NAME = "licences"
HELP = "write the licences of all that this environment has for the program into one file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to."""
    parser.add_argument("--out", type=Path, default=Path("LICENCES.txt"), metavar="FILE")
    parser.add_argument("--extra", action="append", default=[], help="of the program's, as tsne")


def run(args: argparse.Namespace) -> int:
    """Write the file."""
    found = installed(args.extra)
    args.out.write_text(as_text(found), "utf-8")
    print(f"{args.out}: {len(found)} components")
    return 0
