"""`fill`: what a model expects at the masks of a text."""

import argparse
import sys

from explorer import headless
from explorer.document import Document
from explorer.program import Program

NAME = "fill"
HELP = "masked-token predictions; write [MASK] in the text whatever the model writes for it"

BAR_WIDTH = 30
_EIGHTHS = " ▏▎▍▌▋▊▉"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The text, who answers, how the answer comes out."""
    parser.add_argument("text", metavar="TEXT", help="with [MASK] in it; - reads it from stdin")
    parser.add_argument("--pair", metavar="TEXT", help="a second text")
    parser.add_argument(
        "--top", type=_count, default=10, metavar="K", help="predictions a mask (default: 10)"
    )
    headless.add_model_option(parser)
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print."""
    from explorer.operations.fill_mask import FillMask

    text = sys.stdin.read().strip() if args.text == "-" else args.text
    document = Document(text=text, pair=args.pair, top_k=args.top)
    request = FillMask.of(document)
    runner = program.runner()
    headless.load(runner, program, args.model, allow_pickle=args.allow_pickle)
    answered = headless.ask(runner, program, request, document, log=not args.no_log)
    headless.write_answer(answered.result, args, lambda result: show(result, document), request)
    return 0


def show(result: object, document: Document) -> None:
    """Print the predictions for a person: who answers, then a bar a word."""
    from explorer.operations.fill_mask import FillMaskResult

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
