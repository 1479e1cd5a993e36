"""`detect_many`: replaced-token detection over many draws, or over a file of sentences."""

import argparse
import sys
from typing import TYPE_CHECKING

from explorer import headless
from explorer.api import DISCRIMINATOR, GENERATOR, UserMistake
from explorer.commands.detect import DEFAULT_DISCRIMINATOR
from explorer.document import Document
from explorer.program import Program

if TYPE_CHECKING:
    from explorer.questions.detection.many_draws.question import DetectManyResult

NAME = "detect-many"
HELP = "detection over many draws, or a file: counts, ROC"

SHOWN = 5
"""Errors of each kind that a person is shown."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is corrupted, how often, who draws and who judges."""
    parser.add_argument("text", metavar="TEXT", nargs="?", default="", help="the sentence")
    parser.add_argument("--file", default="", metavar="FILE", help=".txt, .csv or .tsv instead")
    parser.add_argument("--column", default="", metavar="C", help="of a table: its sentences")
    headless.add_model_option(parser)
    parser.set_defaults(model=DEFAULT_DISCRIMINATOR)
    parser.add_argument(
        "--generator", "-g", required=True, metavar="G", help="of the same vocabulary"
    )
    parser.add_argument(
        "--draws", type=int, metavar="N", help="of each sentence (default: 100, over a file 1)"
    )
    parser.add_argument(
        "--limit", type=int, default=1000, metavar="N", help="sentences of the file that are read"
    )
    parser.add_argument("--rate", type=float, default=0.15, metavar="R", help="share of tokens")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the first draw")
    parser.add_argument("--temperature", type=float, default=1.0, metavar="T", help="of the draws")
    parser.add_argument("--threshold", type=float, default=0.5, metavar="P", help="of a verdict")
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print."""
    from explorer.questions.detection.many_draws.question import DetectMany

    if bool(args.text) == bool(args.file):
        raise UserMistake("Give a sentence or a file.", "A file is given with --file.")
    draws = args.draws if args.draws is not None else 1 if args.file else 100
    runner = program.runner()
    models = headless.load_all(
        runner,
        program,
        {DISCRIMINATOR: args.model, GENERATOR: args.generator},
        allow_pickle=args.allow_pickle,
    )
    request = DetectMany(
        args.text,
        path=args.file,
        column=args.column,
        draws=draws,
        limit=args.limit,
        rate=args.rate,
        seed=args.seed,
        temperature=args.temperature,
    )
    document = Document(text=args.text)
    answered = headless.ask(runner, program, request, document, log=not args.no_log, models=models)
    headless.write_answer(answered, args, lambda one: show(one.result, args.threshold))
    return 0


def show(result: "DetectManyResult", threshold: float) -> None:
    """Print the pooled outcomes and the errors that remain."""
    counts = result.counts_at(threshold)
    replaced = result.chosen - result.guessed
    print(f"discriminator: {result.model.id}\ngenerator: {result.other.id}")
    of = "one sentence" if result.sentences == 1 else f"{result.sentences} sentences"
    print(
        f"{result.draws} draws of {of}: {result.chosen} tokens masked, "
        f"{replaced} replaced, {result.guessed} drawn again"
    )
    print(
        f"at {threshold:g}: hits {counts.hits}, misses {counts.misses}, false alarms "
        f"{counts.false_alarms}, correct rejections {counts.correct_rejections}"
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
    if result.skipped:
        sys.stderr.write(f"{result.skipped} sentences could not be corrupted.\n")
