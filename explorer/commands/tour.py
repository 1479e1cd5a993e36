"""`tour`: drive the real window through every view and save what it shows."""

import argparse
import sys
from pathlib import Path

from explorer.program import Program
from explorer.text import N_, _

NAME = "tour"
HELP = N_("drive the window through every page, save pictures")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the pictures go."""
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("tour"),
        metavar="DIR",
        help=_("where everything is saved (default: ./%(default)s)"),
    )


def run(args: argparse.Namespace, program: Program) -> int:
    """Take the tour."""
    return take(program, args.out)


def take(program: Program, out: Path) -> int:
    """Take the tour, without a screen where there is none."""
    from explorer.machine.drawn_by_qt import need_qt
    from explorer.system_libraries import QT_GUI, advice, draw_without_screen, missing

    # The pictures must not depend on the desktop they are taken on.
    draw_without_screen()
    absent = missing(QT_GUI)
    if absent:
        sys.stderr.write(advice(absent) + "\n")
        return 1
    need_qt()
    from explorer import tour

    return tour.run(program, out)
