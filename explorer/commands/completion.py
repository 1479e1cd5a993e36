"""`completion`: what a shell reads so that Tab goes on with what is typed."""

import argparse
import sys

from explorer.command_line.completion import PROGRAM, SHELLS, script
from explorer.program import Program
from explorer.text import N_, _

NAME = "completion"
HELP = N_("print what makes Tab work in bash, zsh or fish")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which shell."""
    parser.description = _(
        "Prints a script. For this shell alone: source <({program} completion bash). For every "
        "new one: add that line to ~/.bashrc (bash) or ~/.zshrc (zsh), or write the script to "
        "~/.config/fish/completions/{program}.fish.",
        program=PROGRAM,
    )
    parser.add_argument("shell", choices=SHELLS, help=_("whose script"))


def run(args: argparse.Namespace, program: Program) -> int:  # noqa: ARG001 - as every command
    """Print it."""
    sys.stdout.write(script(args.shell))
    return 0
