"""`switch-off`: what a model still predicts without some of its attention heads."""

import argparse
import sys
from typing import Any

from explorer import headless
from explorer.document import Document
from explorer.program import Program

NAME = "switch-off"
HELP = "predictions with and without some attention heads"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The text, the heads, how the answer comes out."""
    parser.add_argument("text", metavar="TEXT", help="with [MASK] in it; - reads it from stdin")
    parser.add_argument("--pair", metavar="TEXT", help="a second text")
    parser.add_argument(
        "--head",
        dest="heads",
        action="append",
        default=[],
        metavar="L:H",
        help="a head to switch off, layer and head counted from 0; L alone takes a whole layer, "
        "and decoder:L:H or cross:L:H another stack of T5's; may be given several times",
    )
    parser.add_argument(
        "--every", action="store_true", help="also switch off every head once, alone"
    )
    parser.add_argument(
        "--top", type=int, default=10, metavar="K", help="predictions a mask (default: 10)"
    )
    headless.add_model_option(parser)
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print."""
    from explorer.questions.attention.head_ablation.question import SwitchOff

    text = sys.stdin.read().strip() if args.text == "-" else args.text
    runner = program.runner()
    headless.load(runner, program, args.model, allow_pickle=args.allow_pickle)
    document = Document(text=text, pair=args.pair, top_k=max(1, args.top))
    written = [list(one) for spec in args.heads for one in _heads(spec, runner.models["A"])]
    document = document.with_option("switch_off.heads", written or None)
    document = document.with_option("switch_off.every", args.every or None)
    request = SwitchOff.of(document)
    answered = headless.ask(runner, program, request, document, log=not args.no_log)
    headless.write_answer(answered, args, lambda one: show(one.result))
    return 0


def show(result: Any) -> None:
    """Print the words before and after for a person, and what each head alone does."""
    stamp = result.model
    print(f"{stamp.id}  ({stamp.family}, {stamp.dtype} on {stamp.device})")
    off = ", ".join(f"{one.kind} {one.layer}:{one.head}" for one in result.off) or "none"
    print(f"off: {off}")
    changes = result.changes
    if changes.note:
        print(changes.note)
    for mask in changes.masks:
        print(
            f"\nmask at token {mask.position}: entropy {mask.entropy_before:.2f} -> "
            f"{mask.entropy_after:.2f} nats"
        )
        for word in mask.words:
            mark = " (original)" if word.is_original else ""
            print(f"  {word.word:<16} {_digits(word.before)} -> {_digits(word.after)}{mark}")
    if changes.replaced_before is not None:
        print("\nprobability that each token was replaced")
        pairs = zip(changes.tokens, changes.replaced_before, changes.replaced_after, strict=True)
        for token, before, after in pairs:
            print(f"  {token.text:<16} {before:7.4f} -> {after:7.4f}")
    for effects in result.effects:
        print(f"\neach head of the {effects.kind} off alone (a row a layer)")
        for row in effects.values:
            print("  " + "  ".join(f"{float(value):+7.3f}" for value in row))


def _digits(probability: float | None) -> str:
    return "      –" if probability is None else f"{probability:7.4f}"


def _heads(spec: str, model: Any) -> list[tuple[str, int, int]]:
    """The heads that "1:2", "1" or "cross:1:2" stands for.

    Raises:
        UserMistake: It stands for none.
    """
    from explorer.api import AttentionModules, UserMistake
    from explorer.questions.attention.head_ablation.question import KINDS

    kind, *places = spec.split(":")
    sizes = {kind: heads for kind, _, heads in model.port(AttentionModules).stacks()}
    if kind not in KINDS:
        kind, places = next(iter(sizes)), [kind, *places]
    if not 1 <= len(places) <= 2 or not all(place.isdecimal() for place in places):
        raise UserMistake(
            f"{spec} is no head.", "Write layer and head, as 1:2, or a whole layer, as 1."
        )
    layer, *heads = (int(place) for place in places)
    return [(kind, layer, head) for head in heads or range(sizes.get(kind, 0))]
