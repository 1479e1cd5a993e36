"""`fill`: what a model expects at the masks of a text."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explorer import headless
from explorer.api import FIRST, MODEL, SECOND
from explorer.document import Document
from explorer.program import Program

NAME = "fill"
HELP = "masked-token predictions; write [MASK] in the text"

JOINT = {
    "beam": "beam",
    "left-to-right": "left_to_right",
    "confident": "confident",
    "by-hand": "by_hand",
    "independent": "independent",
}
"""Ways to fill masks together, as typed, and their names as options."""

Printer = Callable[[Any, Document], None]

BAR_WIDTH = 30
_EIGHTHS = " ▏▎▍▌▋▊▉"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The text, who answers, how the answer comes out."""
    parser.add_argument("text", metavar="TEXT", help="with [MASK] in it; - reads it from stdin")
    parser.add_argument("--pair", metavar="TEXT", help="a second text")
    parser.add_argument(
        "--top", type=_count, default=10, metavar="K", help="predictions a mask (default: 10)"
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--joint",
        choices=JOINT,
        metavar="HOW",
        help=f"fill all masks together: {', '.join(JOINT)}",
    )
    instead.add_argument(
        "--candidates",
        metavar="WORDS",
        help='score these words, with commas between them: "soup,fried rice"',
    )
    instead.add_argument(
        "--against", metavar="M", help="compare with a second model, aligned by word"
    )
    parser.add_argument(
        "--order",
        type=_order,
        default=(),
        metavar="N,N",
        help="the masks' numbers in the order they are filled, with --joint by-hand or beam",
    )
    parser.add_argument(
        "--width",
        type=_width,
        default=8,
        metavar="N",
        help="fillings a beam keeps, at most 256 (default: 8)",
    )
    headless.add_model_option(parser)
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print."""
    text = sys.stdin.read().strip() if args.text == "-" else args.text
    document = Document(text=text, pair=args.pair, top_k=args.top)
    document, request, print_it = _question(args, document)
    runner = program.runner()
    named = {FIRST: args.model, SECOND: args.against} if args.against else {MODEL: args.model}
    models = headless.load_all(runner, program, named, allow_pickle=args.allow_pickle)
    answered = headless.ask(runner, program, request, document, log=not args.no_log, models=models)
    headless.write_answer(answered, args, lambda one: print_it(one.result, document))
    return 0


def _question(args: argparse.Namespace, document: Document) -> tuple[Document, Any, Printer]:
    """What is asked, and how a person reads the answer."""
    from explorer.questions.masking.masked_tokens.question import FillMask

    if args.joint:
        from explorer.printing.fillings import show_fillings
        from explorer.questions.masking.joint_decoding.question import FillJointly

        document = document.with_option("fill_jointly.method", JOINT[args.joint])
        document = document.with_option("fill_jointly.order", list(args.order) or None)
        document = document.with_option("fill_jointly.width", args.width)
        return document, replace(FillJointly.of(document), order=args.order), show_fillings
    if args.candidates is not None:
        from explorer.printing.scores import show_scores
        from explorer.questions.masking.candidate_words.question import ScoreWords

        document = document.with_option("score_words.words", args.candidates)
        return document, ScoreWords.of(document), show_scores
    if args.against:
        from explorer.printing.two_models import show_comparison
        from explorer.questions.masking.two_models.question import CompareFillings

        return document, CompareFillings.of(document), show_comparison
    return document, FillMask.of(document), show


def show(result: object, document: Document) -> None:
    """Print the predictions for a person: who answers, then a bar a word."""
    from explorer.questions.masking.masked_tokens.question import FillMaskResult

    assert isinstance(result, FillMaskResult)
    stamp = result.model
    print(f"{stamp.id}  ({stamp.family}, {stamp.dtype} on {stamp.device})")
    print(document.text if document.pair is None else f"{document.text}  |  {document.pair}")
    if result.note:
        print(result.note)
    for number, mask in enumerate(result.masks, 1):
        print(
            f"\nmask {number} of {len(result.masks)}, token {mask.position}"
            f"  (entropy {mask.entropy:.2f} nats)"
        )
        width = max((len(prediction.word) for prediction in mask.predictions), default=0)
        for prediction in mask.predictions:
            print(
                f"{prediction.rank:4}  {prediction.word:<{width}}  "
                f"{prediction.probability:7.4f}  {bar(prediction.probability)}".rstrip()
            )
    left_out = result.left_out
    if left_out is not None:
        sys.stderr.write(
            f"{left_out.tokens} tokens did not fit into the model (it takes {left_out.limit}); "
            f"{left_out.masks} of the masks were among them.\n"
        )


def bar(share: float, width: int = BAR_WIDTH) -> str:
    """A bar for a share between 0 and 1, drawn to an eighth of a character."""
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def _width(text: str) -> int:
    from explorer.questions.masking.joint_decoding.question import WIDEST_BEAM

    width = _count(text)
    if width > WIDEST_BEAM:
        raise argparse.ArgumentTypeError(f"a beam keeps at most {WIDEST_BEAM} fillings")
    return width


def _order(text: str) -> tuple[int, ...]:
    """Masks as a person counts them, from 1, as numbers from 0."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers from 1 on")
    return tuple(int(part) - 1 for part in parts)
