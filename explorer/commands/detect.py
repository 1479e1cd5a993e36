"""`detect`: corrupt a sentence and see which replaced tokens a discriminator notices."""

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer import headless
from explorer.api import DISCRIMINATOR, GENERATOR, Context, Table, Token, UserMistake
from explorer.document import Document, Mask
from explorer.program import Program
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.engine.runner import Runner
    from explorer.questions.detection.replaced_tokens.question import (
        DetectReplaced,
        DetectReplacedResult,
    )

NAME = "detect"
HELP = "replaced tokens: a generator draws, a judge looks"

DEFAULT_DISCRIMINATOR = headless.USUAL[DISCRIMINATOR]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The text, who judges, what is replaced, how the answer comes out."""
    headless.add_text_arguments(parser, "the sentence")
    headless.add_model_option(parser, DEFAULT_DISCRIMINATOR)
    parser.add_argument(
        "--generator", "-g", metavar="G", help="a masked language model of the same vocabulary"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--mask",
        type=_positions,
        metavar="1,4",
        help="tokens that the generator replaces, counted from 0 at the first special token",
    )
    what.add_argument(
        "--rate", type=float, metavar="R", help="share of tokens it replaces (default: 0.15)"
    )
    parser.add_argument(
        "--replace",
        type=_replacement,
        action="append",
        default=[],
        metavar="4=ate",
        help="put a word of your own in the place of a token; may be given several times",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the draws")
    parser.add_argument(
        "--temperature", type=float, default=1.0, metavar="T", help="of the draws (default: 1)"
    )
    parser.add_argument("--argmax", action="store_true", help="take the most probable token")
    parser.add_argument(
        "--threshold",
        type=_probability,
        default=0.5,
        metavar="P",
        help="a token is called replaced above it (default: 0.5)",
    )
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print."""
    text = headless.read_text(args)
    if args.generator is None and (args.mask is not None or args.rate is not None):
        raise UserMistake(
            N_("--mask and --rate need a generator to fill what is masked."),
            N_("Give one with --generator, or replace tokens yourself with --replace."),
        )
    runner = program.runner()
    named = {DISCRIMINATOR: args.model}
    if args.generator is not None:
        named[GENERATOR] = args.generator
    models = headless.load_all(runner, program, named, allow_pickle=args.allow_pickle)
    request = _request(args, text, runner)
    document = Document(text=text, pair=args.pair, masks=request.masks)
    answered = headless.ask(runner, program, request, document, log=not args.no_log, models=models)
    headless.write_answer(
        answered,
        args,
        lambda one: show(one, args.threshold),
        lambda result: as_json(result, args.threshold),
    )
    return 0


def _request(args: argparse.Namespace, text: str, runner: "Runner") -> "DetectReplaced":
    """Positions become characters, as the window has them."""
    from explorer.questions.detection.replaced_tokens.options import PAPER_RATE, Replacement
    from explorer.questions.detection.replaced_tokens.question import DetectReplaced
    from explorer.questions.tokenizers.tokens.question import Tokenize

    masks: tuple[Mask, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    if args.mask or args.replace:
        tokens = runner.ask(Tokenize(text, args.pair), headless.ONE, Context()).tokens
        masks = tuple(
            Mask(token.start, token.end, token.part)
            for token in (_token(tokens, place) for place in args.mask or ())
        )
        replacements = tuple(
            Replacement(token.start, token.end, word, token.part)
            for token, word in ((_token(tokens, place), word) for place, word in args.replace)
        )
    return DetectReplaced(
        text,
        args.pair,
        masks,
        PAPER_RATE if args.rate is None else args.rate,
        args.seed,
        replacements,
        args.temperature,
        args.argmax,
    )


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


def as_json(result: "DetectReplacedResult", threshold: float) -> dict[str, Any]:
    """The answer as one object; every list but `chosen` and `sampled` has an entry a token."""
    from explorer.questions.detection.replaced_tokens.options import PAPER_WEIGHT
    from explorer.serialise import to_builtins

    counts = result.counts_at(threshold)
    losses = result.losses
    return {
        "model": to_builtins(result.model),
        "generator": to_builtins(result.other),
        "tokens": to_builtins(result.tokens),
        "original": list(result.original),
        "corrupted": [token.text for token in result.tokens],
        "chosen": [choice.position for choice in result.chosen],
        "sampled": [
            {
                "position": choice.position,
                "token": result.tokens[choice.position].text,
                "probability": None if choice.sampled is None else choice.sampled.probability,
            }
            for choice in result.chosen
        ],
        "probability": list(result.probability),
        "replaced": [chance > threshold for chance in result.probability],
        "truth": list(result.truth),
        "losses": {
            "generator": losses.generator,
            "discriminator": losses.discriminator,
            "lambda": PAPER_WEIGHT,
            "total": losses.at(PAPER_WEIGHT),
        },
        "counts": {
            "threshold": threshold,
            "hits": counts.hits,
            "misses": counts.misses,
            "false_alarms": counts.false_alarms,
            "correct_rejections": counts.correct_rejections,
            "precision": counts.precision,
            "recall": counts.recall,
        },
    }


def show(answered: headless.Answered, threshold: float) -> None:
    """Print the tokens for a person: what stood there, what stands there, and the verdict."""
    from explorer.numerics.outcomes import outcome
    from explorer.printing.heads import print_models
    from explorer.printing.tables import bar, print_table

    result = answered.result
    print_models(answered.run.models)
    again = {one.position for one in result.chosen if not result.truth[one.position]}
    rows = []
    for i, token in enumerate(result.tokens):
        was, chance = result.original[i], result.probability[i]
        verdict = "" if token.special else outcome(chance, result.truth[i], threshold).value
        said = verdict if verdict != "correct rejection" else ""
        if i in again:
            said = f"{said}  drawn again: counts as original".strip()
        drawn = f"-> {token.text}" if token.text != was else ""
        rows.append((i, was, drawn, f"{chance:.4f}", bar(chance, 20), said))
    print()
    print_table(Table(("",) * 6, tuple(rows)), heading=False)
    counts, losses = result.counts_at(threshold), result.losses
    told = (
        _many(counts.hits, "hit", "hits"),
        _many(counts.misses, "miss", "misses"),
        _many(counts.false_alarms, "false alarm", "false alarms"),
        _many(counts.correct_rejections, "correct rejection", "correct rejections"),
    )
    print(f"\nat {threshold:g}: {', '.join(told)}")
    signals, masked = result.signals
    if losses.generator is not None:
        over = _many(masked, "token", "tokens")
        print(f"generator's cross-entropy {losses.generator:.4f} nats over {over}")
    print(f"discriminator's cross-entropy {losses.discriminator:.4f} nats over {signals} tokens")
    if losses.generator is not None:
        print(f"total with lambda {losses.weight:g}: {losses.total:.4f}")


def _many(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _positions(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\s*\d+\s*(,\s*\d+\s*)*", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of positions such as 1,4")
    return tuple(int(one) for one in text.split(","))


def _replacement(text: str) -> tuple[int, str]:
    place, equals, word = text.partition("=")
    if not equals or not place.strip().isdecimal() or not word.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not a replacement such as 4=ate")
    return int(place), word.strip()


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return value
