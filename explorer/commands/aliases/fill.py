"""`fill`: what a model expects at the masks of a text."""

import argparse
from typing import Any

from explorer.api.question import MODEL, STUDENT, TEACHER, UserMistake
from explorer.command_line.asking.request_arguments import whole_from
from explorer.commands.aliases import Alias, Args, RoleModels
from explorer.text import N_, _

NAME = "fill"
HELP = N_("masked-token predictions; write [MASK] in the text")

JOINT = ("beam", "left-to-right", "confident", "by-hand", "independent")
"""Ways to fill masks together."""


def _more(parser: argparse.ArgumentParser) -> None:
    """What else can be asked of masks."""
    parser.add_argument(
        "--top", type=whole_from(1), default=10, metavar="K", help=_("words a mask (default: 10)")
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--joint",
        choices=JOINT,
        metavar="HOW",
        help=_("fill all masks together: {joint}", joint=", ".join(JOINT)),
    )
    instead.add_argument(
        "--candidates",
        metavar="WORDS",
        help=_('score these words, with commas between them: "soup,fried rice"'),
    )
    instead.add_argument(
        "--against", metavar="M", help=_("compare with a second model, aligned by word")
    )
    parser.add_argument(
        "--order",
        type=_order,
        default=(),
        metavar="N,N",
        help=_("the masks' numbers in the order they are filled, with --joint by-hand or beam"),
    )
    parser.add_argument(
        "--width",
        type=whole_from(1),
        default=8,
        metavar="N",
        help=_("fillings a beam keeps, at most 256 (default: 8)"),
    )
    parser.add_argument(
        "--languages",
        type=_codes,
        default=(),
        metavar="L,L",
        help=_("the languages of the text and the second text, for models that take it: en,en"),
    )


def _codes(text: str) -> tuple[str, ...]:
    """Codes of languages; an empty one leaves it to the model's family."""
    return tuple(code.strip() for code in text.split(","))


def _turned(args: Args) -> str:
    """Which question of masks is asked."""
    if args.joint:
        return "joint_decoding"
    if args.candidates is not None:
        return "candidate_words"
    return "soft_targets" if args.against else "masked_tokens"


def _named(args: Args) -> dict[str, str]:
    """Who answers, and whom it is held against."""
    return {TEACHER: args.model, STUDENT: args.against} if args.against else {MODEL: args.model}


def _fields(args: Args, _models: RoleModels) -> dict[str, Any]:
    """What the question is asked with.

    Raises:
        UserMistake: Languages are told where that question does not ask for any.
    """
    question = _turned(args)
    if args.languages and question != "masked_tokens":
        raise UserMistake(
            N_("Languages are given where each mask is filled by itself."),
            N_("Leave --languages out, or --joint, --candidates and --against."),
        )
    if question == "candidate_words":
        from explorer.questions.masking.candidate_words.question import words_of

        return {"words": words_of(args.candidates)}
    fields: dict[str, Any] = {"top_k": args.top}
    if question == "joint_decoding":
        from explorer.questions.masking.joint_decoding.question import DecodingMethod

        method = DecodingMethod(args.joint.replace("-", "_"))
        return {**fields, "method": method, "order": args.order, "width": args.width}
    if question == "soft_targets":
        from explorer.questions.distillation.soft_targets.settings import EVERY_WORD

        return {**fields, "what": EVERY_WORD}
    return {**fields, "languages": args.languages}


def _order(text: str) -> tuple[int, ...]:
    """Masks as a person counts them, from 1, as numbers from 0."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise argparse.ArgumentTypeError(
            _("{text} is no list of numbers from 1 on", text=repr(text))
        )
    return tuple(int(part) - 1 for part in parts)


ALIAS = Alias(
    "masked_tokens",
    {"text": "", "pair": "--pair"},
    more=_more,
    fields=_fields,
    named=_named,
    turned=_turned,
)
add_arguments, run = ALIAS.add_arguments, ALIAS.run
