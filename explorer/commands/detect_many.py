"""`many-draws`: replaced-token detection over many draws, of a sentence or of a file's."""

import argparse
from pathlib import Path

from explorer import headless
from explorer.api import DISCRIMINATOR, GENERATOR, UserMistake
from explorer.commands.detect import DEFAULT_DISCRIMINATOR
from explorer.commands.over import add_file_options, run_over
from explorer.program import Program
from explorer.text import N_

NAME = "many-draws"
FORMERLY = ("detect-many",)
HELP = "detection over many draws, or a file: counts, ROC"

SHOWN = 5
"""Errors of each kind that a person is shown."""
FLAGS = {
    "text": "",
    "draws": "--draws",
    "rate": "--rate",
    "seed": "--seed",
    "temperature": "--temperature",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is corrupted, how often, who draws and who judges."""
    from explorer.questions.detection.many_draws.question import OPERATION
    from explorer.request_arguments import add_arguments as add_request

    add_request(parser, OPERATION, FLAGS)
    parser.add_argument(
        "--file", default="", metavar="FILE", help="its sentences in the place of one: as `over`"
    )
    add_file_options(parser)
    headless.add_model_option(parser, DEFAULT_DISCRIMINATOR)
    parser.add_argument(
        "--generator", "-g", required=True, metavar="G", help="of the same vocabulary"
    )
    parser.add_argument("--threshold", type=float, default=0.5, metavar="P", help="of a verdict")
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print.

    Raises:
        UserMistake: There is neither a text nor a file, or there are both.
    """
    from explorer.questions.detection.many_draws.question import OPERATION
    from explorer.request_arguments import asked, given

    typed = given(args)
    if bool(typed.get("text")) == bool(args.file):
        raise UserMistake(N_("Give a sentence or a file."), N_("A file is given with --file."))
    if args.file:
        # A file has sentences enough; one alone says little after one draw.
        args.second = args.generator
        fields = {"draws": 1, **typed}
        return run_over(args, program, Path(args.file), OPERATION, fields)
    request, document = asked(OPERATION, args)
    named = {DISCRIMINATOR: args.model, GENERATOR: args.generator}
    return headless.answer(
        args, program, request, document, named, lambda one: show(one, args.threshold)
    )


def show(answered: headless.Answered, threshold: float) -> None:
    """Print the pooled outcomes and the errors that remain."""
    result = answered.result
    counts = result.counts_at(threshold)
    replaced = result.chosen - result.guessed
    for role, stamp in answered.run.models.items():
        print(f"{role}: {stamp.id}")
    print(
        f"{result.draws} draws of one sentence: {result.chosen} tokens masked, "
        f"{replaced} replaced, {result.guessed} drawn again"
    )
    print(
        f"at {threshold:g}: hits (TP) {counts.hits}, misses (FN) {counts.misses}, false alarms "
        f"(FP) {counts.false_alarms}, correct rejections (TN) {counts.correct_rejections}"
    )
    shares = (("precision", counts.precision), ("recall", counts.recall), ("ROC area", result.area))
    print(", ".join(f"{name} {value:.3f}" for name, value in shares if value is not None))
    print(
        f"mean losses: generator {result.generator_loss:.4f}, discriminator "
        f"{result.discriminator_loss:.4f} nats"
    )
    for title, examples in (
        ("misses that look most original", result.misses),
        ("originals that look most replaced", result.false_alarms),
    ):
        if examples:
            print(f"\n{title}")
        for one in examples[:SHOWN]:
            words = list(one.corrupted)
            words[one.index] = f"[{words[one.index]}]"
            was = f"  (was {one.original})" if one.replaced else ""
            print(f"  {one.probability:.3f}  {' '.join(words)}{was}")
