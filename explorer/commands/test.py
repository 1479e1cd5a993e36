"""`test`: set up what is missing and run the tests. main.py does it before anything is imported."""

import argparse

from explorer.api.question import UserMistake
from explorer.program import Program
from explorer.text import N_

NAME = "test"
HELP = N_("run the tests (in a checkout)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whatever follows belongs to pytest."""
    parser.add_argument("pytest_arguments", nargs=argparse.REMAINDER, metavar="...")


def run(args: argparse.Namespace, program: Program) -> int:  # noqa: ARG001
    """Only reached where `test` is not the first argument, or without a checkout."""
    raise UserMistake(
        N_("The tests run from a checkout, with `test` as the first argument."),
        N_("Type: python main.py test"),
    )
