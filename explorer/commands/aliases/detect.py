"""`detect`: corrupt a sentence and see which replaced tokens a discriminator notices."""

import argparse
import re
from collections.abc import Sequence
from typing import Any

from explorer.api.question import (
    DISCRIMINATOR,
    GENERATOR,
    MODEL,
    Context,
    Token,
    UserMistake,
    mask_of,
)
from explorer.commands.aliases import Alias, Args, RoleModels
from explorer.headless import USUAL
from explorer.text import N_, _

NAME = "detect"
HELP = N_("replaced tokens: a generator draws, a judge looks")


def _more(parser: argparse.ArgumentParser) -> None:
    """Who draws, and what is replaced."""
    parser.add_argument(
        "--generator", "-g", metavar="G", help=_("a masked language model of the same vocabulary")
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--mask",
        type=_positions,
        metavar="1,4",
        help=_("tokens that the generator replaces, counted from 0 at the first special token"),
    )
    what.add_argument(
        "--rate", type=float, metavar="R", help=_("share of tokens it replaces (default: 0.15)")
    )
    parser.add_argument(
        "--replace",
        type=_replacement,
        action="append",
        default=[],
        metavar="4=ate",
        help=_("put a word of your own in place of a token; may be given several times"),
    )
    parser.add_argument("--argmax", action="store_true", help=_("take the most probable token"))
    parser.add_argument(
        "--threshold",
        type=_probability,
        default=0.5,
        metavar="P",
        help=_("a token is called replaced above it (default: 0.5)"),
    )


def _named(args: Args) -> dict[str, str]:
    """The judge, and who draws.

    Raises:
        UserMistake: Nobody draws, and something shall be drawn.
    """
    if args.generator is not None:
        return {DISCRIMINATOR: args.model, GENERATOR: args.generator}
    if args.mask is not None or args.rate is not None:
        raise UserMistake(
            N_("--mask and --rate need a generator to fill what is masked."),
            N_("Give one with --generator, or replace tokens yourself with --replace."),
        )
    return {DISCRIMINATOR: args.model}


def _fields(args: Args, models: RoleModels) -> dict[str, Any]:
    """Positions become characters, as the window has them."""
    from explorer.command_line.asking.request_arguments import read_text
    from explorer.questions.detection.replaced_tokens.options import Replacement
    from explorer.questions.tokenizers.tokens.question import TokensRequest
    from explorer.samples.typed_documents import written

    fields: dict[str, Any] = {"greedy": args.argmax}
    if args.rate is not None:
        fields["rate"] = args.rate
    if args.mask or args.replace:
        text, pair = read_text(args)
        slot = models.loaded.cast[DISCRIMINATOR]
        tokens = models.runner.ask(TokensRequest(text, pair), {MODEL: slot}, Context()).tokens
        fields["text"] = text
        fields["masks"] = [
            written(mask_of(tokens, place)) for place in args.mask or () if _token(tokens, place)
        ]
        fields["replacements"] = tuple(
            Replacement(one.start, one.end, word, one.part, nth=one.nth)
            for one, word in (
                (mask_of(tokens, place), word)
                for place, word in args.replace
                if _token(tokens, place)
            )
        )
    return fields


def _token(tokens: Sequence[Token], place: int) -> Token:
    """The token at a position.

    Raises:
        UserMistake: There is none, or the model put it there.
    """
    if not place < len(tokens):
        raise UserMistake(
            N_("There is no token {place}: the model's input has {count}, counted from 0."),
            N_("The command without --mask and --replace prints them."),
            place=place,
            count=len(tokens),
        )
    if tokens[place].special:
        raise UserMistake(
            N_("Token {place} is {text}, which the model adds itself."),
            N_("Choose a token of the text."),
            place=place,
            text=tokens[place].text,
        )
    return tokens[place]


def _positions(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\s*\d+\s*(,\s*\d+\s*)*", text):
        raise argparse.ArgumentTypeError(
            _("{text} is not a list of positions such as 1,4", text=repr(text))
        )
    return tuple(int(one) for one in text.split(","))


def _replacement(text: str) -> tuple[int, str]:
    place, equals, word = text.partition("=")
    if not equals or not place.strip().isdecimal() or not word.strip():
        raise argparse.ArgumentTypeError(
            _("{text} is not a replacement such as 4=ate", text=repr(text))
        )
    return int(place), word.strip()


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(_("{text} is not a number from 0 to 1", text=repr(text)))
    return value


ALIAS = Alias(
    "replaced_tokens",
    {"text": "", "pair": "--pair", "seed": "--seed", "temperature": "--temperature"},
    model=USUAL[DISCRIMINATOR],
    more=_more,
    fields=_fields,
    named=_named,
    looked_at={"threshold": "replaced_tokens.threshold"},
)
add_arguments, run = ALIAS.add_arguments, ALIAS.run
