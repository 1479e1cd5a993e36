"""`many-draws`: replaced-token detection over many draws, of a sentence or of a file's."""

import argparse
from pathlib import Path

from explorer.api.question import DISCRIMINATOR, GENERATOR, UserMistake
from explorer.commands.aliases import Alias, Args
from explorer.commands.over import add_file_options, run_over
from explorer.headless import USUAL
from explorer.program import Program
from explorer.text import N_, _

NAME = "many-draws"
FORMERLY = ("detect-many",)
HELP = N_("detection over many draws, or a file: counts, ROC")


def run(args: Args, program: Program) -> int:
    """Ask of the sentence or of the file, and print.

    Raises:
        UserMistake: There is neither a text nor a file, or there are both.
    """
    from explorer.command_line.asking.request_arguments import given

    typed = given(args)
    if bool(typed.get("text")) == bool(args.file):
        raise UserMistake(N_("Give a sentence or a file."), N_("A file is given with --file."))
    if args.file:
        # A file has sentences enough; one alone says little after one draw.
        args.second = args.generator
        fields = {"draws": 1, **typed}
        return run_over(args, program, Path(args.file), ALIAS.of, fields)
    return ALIAS.run(args, program)


def _more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--file", default="", metavar="FILE", help=_("its sentences in place of one: as `over`")
    )
    add_file_options(parser)
    parser.add_argument(
        "--generator", "-g", required=True, metavar="G", help=_("of the same vocabulary")
    )
    parser.add_argument("--threshold", type=float, default=0.5, metavar="P", help=_("of a verdict"))


_OPTIONS = ("draws", "rate", "seed", "temperature")
ALIAS = Alias(
    "many_draws",
    {"text": "", **{name: f"--{name}" for name in _OPTIONS}},
    model=USUAL[DISCRIMINATOR],
    more=_more,
    looked_at={"threshold": "replaced_tokens.threshold"},
    named=lambda args: {DISCRIMINATOR: args.model, GENERATOR: args.generator},
)
add_arguments = ALIAS.add_arguments
