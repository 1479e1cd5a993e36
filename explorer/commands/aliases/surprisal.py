"""`surprisal`: how surprised a model is by every token of a text, or of a file of sentences."""

import argparse
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.commands.aliases import Alias, Args
from explorer.commands.over import add_column_option, run_over
from explorer.program import Program
from explorer.text import N_, _

NAME = "surprisal"
FORMERLY = ("sweep",)
HELP = N_("surprisal of every token, (pseudo-)log-likelihood")


def run(args: Args, program: Program) -> int:
    """Ask of the text or of the file, and print.

    Raises:
        UserMistake: There is neither a text nor a file, or there are both.
    """
    from explorer.command_line.asking.request_arguments import given

    if (args.text is None) == (args.file is None):
        raise UserMistake(
            N_("Give a text, or a file with --file."), N_('As in: surprisal "the cat sat".')
        )
    if args.file is not None:
        return run_over(args, program, args.file, ALIAS.of, given(args))
    return ALIAS.run(args, program)


def _more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "text", metavar="TEXT", nargs="?", help=_("the sentence; - reads it from stdin")
    )
    parser.add_argument(
        "--file", type=Path, metavar="F", help=_("a sentence on every line (.txt, .csv, .tsv)")
    )
    add_column_option(parser)


ALIAS = Alias(
    "surprisal",
    {"pair": "--pair", "method": "--method"},
    more=_more,
    fields=lambda args, _models: {"text": args.text},
)
add_arguments = ALIAS.add_arguments
