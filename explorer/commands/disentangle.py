"""`disentangle`: what content and position add to one head's scores."""

import argparse
import sys
from typing import Any

from explorer import headless
from explorer.document import Document
from explorer.program import Program

NAME = "disentangle"
HELP = "DeBERTa's scores, split into content and position"

DEFAULT_MODEL = "deberta-v1-miniature"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The text, the head, what is switched off, how the answer comes out."""
    parser.add_argument("text", metavar="TEXT", help="may have [MASK] in it; - reads it from stdin")
    parser.add_argument("--pair", metavar="TEXT", help="a second text")
    parser.add_argument("--layer", type=_number, default=0, metavar="L", help="counted from 0")
    parser.add_argument("--head", type=_number, default=0, metavar="H", help="counted from 0")
    parser.add_argument(
        "--step",
        type=_number,
        default=0,
        metavar="N",
        help="1 or 2: a step of the enhanced mask decoder instead of a layer",
    )
    parser.add_argument(
        "--off",
        action="append",
        default=[],
        metavar="PART",
        help="predict again without c2c, c2p, p2c or absolute: everywhere, or as c2p:L in layer L "
        "or c2p:L:H in one head; may be given several times",
    )
    parser.add_argument(
        "--top", type=_number, default=10, metavar="K", help="predictions a mask (default: 10)"
    )
    headless.add_model_option(parser)
    parser.set_defaults(model=DEFAULT_MODEL)
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print."""
    from explorer.questions.attention.disentangled_attention.question import Disentangle

    text = sys.stdin.read().strip() if args.text == "-" else args.text
    document = Document(text=text, pair=args.pair, top_k=max(1, args.top))
    for name in ("layer", "head", "step"):
        document = document.with_option(f"disentangle.{name}", getattr(args, name))
    document = document.with_option("disentangle.off", [_off(one) for one in args.off])
    request = Disentangle.of(document)
    runner = program.runner()
    headless.load(runner, program, args.model, allow_pickle=args.allow_pickle)
    result = headless.ask(runner, program, request, document, log=not args.no_log).result
    if args.csv is not None:
        from explorer.questions.attention.disentangled_attention.question import table

        headless.write_csv(args.csv, table(result))
    if args.json:
        headless.print_json(as_json(result))
    else:
        show(result)
    return 0


def as_json(result: Any) -> dict[str, Any]:
    """The head's numbers: parts, scores and attention are lists of rows, a query each."""
    from explorer.serialise import to_builtins

    answer = {
        "model": result.model.id,
        "tokens": [token.text for token in result.tokens],
        "layer": result.layer,
        "head": result.head,
        "step": result.step,
        "parts": {part.name: part.scores.tolist() for part in result.parts},
        "shares": {part.name: part.shares.tolist() for part in result.parts},
        "scores": result.scores.tolist(),
        "attention": result.attention.tolist(),
        "sum_error": result.sum_error,
        "largest_error": result.largest_error,
        "note": result.note,
    }
    if result.off:
        answer["off"] = [[one.part, one.layer, one.head] for one in result.off]
        answer["attention_off"] = result.attention_after.tolist()
    if result.changes is not None and result.changes.masks:
        answer["predictions"] = to_builtins(result.changes.masks)
    changes = result.changes
    if changes is not None and changes.replaced_before is not None:
        answer["replaced"] = {
            "before": changes.replaced_before.tolist(),
            "after": changes.replaced_after.tolist(),
        }
    return answer


def show(result: Any) -> None:
    """Print the head for a person: the check, the shares, the strongest pairs, the predictions."""
    import numpy as np

    stamp = result.model
    print(f"{stamp.id}  ({stamp.family}, {stamp.dtype} on {stamp.device})")
    where = f"step {result.step} of the mask decoder" if result.step else f"layer {result.layer}"
    names = " + ".join(part.name for part in result.parts)
    print(f"{where}, head {result.head}")
    if result.note:
        print(result.note)
    print(f"{names} equals the model's own scores to {result.sum_error:.1e}")
    line = result.layers + result.step - 1 if result.step else result.layer
    shares = ", ".join(
        f"{part.name} {float(part.shares[line, result.head]):.0%}" for part in result.parts
    )
    print(f"shares: {shares}\n")
    texts = [token.text for token in result.tokens]
    order = np.argsort(-result.attention, axis=None, kind="stable")[:10]
    for query, key in zip(*np.unravel_index(order, result.attention.shape), strict=True):
        terms = "  ".join(f"{p.name} {float(p.scores[query, key]):+7.3f}" for p in result.parts)
        print(
            f"{texts[query]:>14} -> {texts[key]:<14} {terms}  score "
            f"{float(result.scores[query, key]):+7.3f}  attention "
            f"{float(result.attention[query, key]):.4f}"
        )
    for mask in result.changes.masks if result.changes is not None else ():
        print(f"\nmask at token {mask.position}: before -> after")
        for word in mask.words:
            print(f"  {word.word:<16} {word.before:7.4f} -> {word.after:7.4f}")


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return int(text)


def _off(text: str) -> list[Any]:
    """A part as the option holds it.

    Raises:
        UserMistake: It is no part.
    """
    from explorer.api import UserMistake
    from explorer.questions.attention.disentangled_attention.question import ABSOLUTE, PARTS

    part, *places = text.split(":")
    if part not in (*PARTS, ABSOLUTE) or len(places) > 2 or not all(p.isdecimal() for p in places):
        raise UserMistake(
            f"{text} is no part that can be switched off.",
            "Write c2c, c2p, p2c or absolute, and for one layer or head c2p:1 or c2p:1:2.",
        )
    layer, head = (*(int(one) for one in places), None, None)[:2]
    return [part, layer, head]
