"""`many-draws`: replaced-token detection over many draws, of a sentence or of a file's."""

import argparse
from pathlib import Path

from explorer.api.question import DISCRIMINATOR, GENERATOR, UserMistake
from explorer.commands.over import add_file_options, run_over
from explorer.commands.short import Args, Short
from explorer.headless import USUAL, Answered
from explorer.program import Program
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal

NAME = "many-draws"
FORMERLY = ("detect-many",)
HELP = N_("detection over many draws, or a file: counts, ROC")

SHOWN = 5
"""Errors of each kind that a person is shown."""


def run(args: Args, program: Program) -> int:
    """Ask of the sentence or of the file, and print.

    Raises:
        UserMistake: There is neither a text nor a file, or there are both.
    """
    from explorer.command_line.request_arguments import given

    typed = given(args)
    if bool(typed.get("text")) == bool(args.file):
        raise UserMistake(N_("Give a sentence or a file."), N_("A file is given with --file."))
    if args.file:
        # A file has sentences enough; one alone says little after one draw.
        args.second = args.generator
        fields = {"draws": 1, **typed}
        return run_over(args, program, Path(args.file), SHORT.operation, fields)
    return SHORT.run(args, program)


def _more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--file", default="", metavar="FILE", help=_("its sentences in the place of one: as `over`")
    )
    add_file_options(parser)
    parser.add_argument(
        "--generator", "-g", required=True, metavar="G", help=_("of the same vocabulary")
    )
    parser.add_argument("--threshold", type=float, default=0.5, metavar="P", help=_("of a verdict"))


def _show(answered: Answered, args: Args) -> None:
    """Print the pooled outcomes and the errors that remain."""
    from explorer.questions.detection.wording import told

    result = answered.result
    counts = result.counts_at(args.threshold)
    replaced = result.chosen - result.guessed
    for role, stamp in answered.run.models.items():
        print(f"{role}: {stamp.id}")
    print(
        _(
            "{draws} draws of one sentence: {chosen} tokens masked, {replaced} replaced, "
            "{guessed} drawn again",
            draws=result.draws,
            chosen=result.chosen,
            replaced=replaced,
            guessed=result.guessed,
        )
    )
    said = (one.text for one in told(counts) if one.outcome is not None)
    print(_("at {threshold}: {said}", threshold=args.threshold, said=", ".join(said)))
    shares = (
        ("precision", counts.precision),
        ("recall", counts.recall),
        (_("ROC area"), result.area),
    )
    print(", ".join(f"{name} {value:.3f}" for name, value in shares if value is not None))
    print(
        _(
            "mean losses: generator {generator_loss}, discriminator {discriminator_loss} nats",
            generator_loss=decimal(result.generator_loss, 4),
            discriminator_loss=decimal(result.discriminator_loss, 4),
        )
    )
    for title, examples in (
        (_("misses that look most original"), result.misses),
        (_("originals that look most replaced"), result.false_alarms),
    ):
        if examples:
            print(f"\n{title}")
        for one in examples[:SHOWN]:
            words = list(one.corrupted)
            words[one.index] = f"[{words[one.index]}]"
            was = _("  (was {original})", original=one.original) if one.replaced else ""
            print(f"  {one.probability:.3f}  {' '.join(words)}{was}")


_OPTIONS = ("draws", "rate", "seed", "temperature")
SHORT = Short(
    "many_draws",
    {"text": "", **{name: f"--{name}" for name in _OPTIONS}},
    _show,
    model=USUAL[DISCRIMINATOR],
    more=_more,
    named=lambda args: {DISCRIMINATOR: args.model, GENERATOR: args.generator},
)
add_arguments = SHORT.add_arguments
