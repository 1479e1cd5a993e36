"""`sweep`: how surprised a model is by every token of a text, or of a file of sentences."""

import argparse
import math
import sys
from pathlib import Path

from explorer import headless
from explorer.api import UserMistake
from explorer.commands.fill import bar
from explorer.commands.over import add_column_option, run_over
from explorer.document import Document
from explorer.program import Program

NAME = "sweep"
HELP = "surprise of every token, (pseudo-)log-likelihood"

METHODS = ("original", "word-left-to-right", "whole-word")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The text or the file, what is hidden, who answers, how the answer comes out."""
    parser.add_argument(
        "text", metavar="TEXT", nargs="?", help="the sentence; - reads it from stdin"
    )
    parser.add_argument("--pair", metavar="TEXT", help="a second text")
    parser.add_argument(
        "--file", type=Path, metavar="F", help="a sentence on every line (.txt, .csv, .tsv)"
    )
    add_column_option(parser)
    parser.add_argument(
        "--method",
        choices=METHODS,
        default="original",
        help="what is hidden with a token (default: the token alone)",
    )
    headless.add_model_option(parser)
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print.

    Raises:
        UserMistake: There is neither a text nor a file, or there are both.
    """
    from explorer.questions.masking.surprisal.question import Sweep

    if (args.text is None) == (args.file is None):
        raise UserMistake("Give a text, or a file with --file.", 'As in: sweep "the cat sat".')
    method = args.method.replace("-", "_")
    options = Document().with_option("sweep.method", method)
    if args.file is not None:
        return run_over(args, program, args.file, "sweep", options)
    text = sys.stdin.read().strip() if args.text == "-" else args.text
    document = Document(text, args.pair, options=options.options)
    request = Sweep.of(document)
    runner = program.runner()
    headless.load(runner, program, args.model, allow_pickle=args.allow_pickle)
    answered = headless.ask(runner, program, request, document, log=not args.no_log)
    headless.write_answer(answered, args, lambda one: show(one.result))
    return 0


def show(result: object) -> None:
    """Print for a person: a bar a token, and the sums."""
    from explorer.questions.masking.surprisal.question import SweepResult

    assert isinstance(result, SweepResult)
    stamp = result.model
    print(f"{stamp.id}  ({stamp.family}, {stamp.dtype} on {stamp.device})")
    if result.note:
        print(result.note)
    names = [result.tokens[one.position].text for one in result.surprises]
    width = max(map(len, names))
    top = max(one.nats for one in result.surprises) or 1.0
    print(f"\n{'':<{width}}  surprise in nats")
    for one, name in zip(result.surprises, names, strict=True):
        better = f"  expected {one.predictions[0].word}" if one.rank > 1 else ""
        shown = bar(max(0.0, one.nats) / max(top, 1e-9), 24)
        print(f"{name:<{width}}  {max(0.0, one.nats):7.3f}  {shown:<24}{better}".rstrip())
    pseudo = "pseudo-" if result.is_pseudo else ""
    total = result.log_likelihood
    print(
        f"\n{pseudo}log-likelihood {total:.4f} nats ({total / math.log(2):.4f} bits), "
        f"{pseudo}perplexity {result.perplexity:.4f}, {len(names)} tokens, "
        f"method {result.method.value.replace('_', '-')}"
    )
    if result.left_out is not None:
        sys.stderr.write(
            f"{result.left_out.tokens} tokens did not fit into the model "
            f"(it takes {result.left_out.limit}).\n"
        )
