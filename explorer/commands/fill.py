"""`fill`: what a model expects at the masks of a text."""

import argparse
from collections.abc import Callable
from typing import Any

from explorer import headless
from explorer.api import MODEL, STUDENT, TEACHER, Table
from explorer.program import Program
from explorer.request_arguments import whole_from

NAME = "fill"
HELP = "masked-token predictions; write [MASK] in the text"

JOINT = ("beam", "left-to-right", "confident", "by-hand", "independent")
"""Ways to fill masks together."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The text, who answers, how the answer comes out."""
    headless.add_text_arguments(parser, "with [MASK] in it")
    parser.add_argument(
        "--top", type=whole_from(1), default=10, metavar="K", help="words a mask (default: 10)"
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
        type=whole_from(1),
        default=8,
        metavar="N",
        help="fillings a beam keeps, at most 256 (default: 8)",
    )
    headless.add_model_option(parser)
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print."""
    from explorer.questions import all_operations
    from explorer.request_arguments import asked

    name, fields, show = _question(args)
    if name != "candidate_words":
        fields["top_k"] = args.top
    request, document = asked(
        all_operations()[name], args, text=args.text, pair=args.pair, **fields
    )
    if args.candidates is not None:
        document = document.with_option("candidate_words.words", args.candidates)
    if not args.against:
        return headless.answer(args, program, request, document, {MODEL: args.model}, show)
    from explorer.printing.two_models import as_json
    from explorer.questions.distillation.soft_targets.settings import EVERY_WORD, WHAT

    document = document.with_option(WHAT.key, EVERY_WORD)
    named = {TEACHER: args.model, STUDENT: args.against}
    return headless.answer(args, program, request, document, named, show, as_json)


def _question(
    args: argparse.Namespace,
) -> tuple[str, dict[str, Any], Callable[[headless.Answered], None]]:
    """What is asked, with which fields, and how a person reads the answer."""
    from explorer.printing import fillings, scores, two_models

    if args.joint:
        from explorer.questions.masking.joint_decoding.question import Method

        fields = {"order": args.order, "width": args.width}
        method = Method(args.joint.replace("-", "_"))
        return "joint_decoding", {"method": method, **fields}, fillings.show_fillings
    if args.candidates is not None:
        from explorer.questions.masking.candidate_words.question import words_of

        return "candidate_words", {"words": words_of(args.candidates)}, scores.show_scores
    if args.against:
        from explorer.questions.distillation.soft_targets.settings import EVERY_WORD

        return "soft_targets", {"what": EVERY_WORD}, two_models.show_comparison
    return "masked_tokens", {}, show


def show(answered: headless.Answered) -> None:
    """Print the predictions for a person: who answers, then a bar a word."""
    from explorer.printing.heads import print_head, tell_left_out
    from explorer.printing.tables import bar, print_table

    result = answered.result
    print_head(answered)
    for number, mask in enumerate(result.masks, 1):
        print(
            f"\nmask {number} of {len(result.masks)}, token {mask.position}"
            f"  (entropy {mask.entropy:.2f} nats)"
        )
        rows = tuple(
            (one.rank, one.word, f"{one.probability:.4f}", bar(one.probability))
            for one in mask.predictions
        )
        print_table(Table(("", "", "", ""), rows), heading=False, indent="  ")
    tell_left_out(result)


def _order(text: str) -> tuple[int, ...]:
    """Masks as a person counts them, from 1, as numbers from 0."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers from 1 on")
    return tuple(int(part) - 1 for part in parts)
