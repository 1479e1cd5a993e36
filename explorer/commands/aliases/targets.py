"""`targets`: a teacher's and a student's distributions at the masks of a text, and the losses."""

import argparse
import math
from typing import Any

from explorer import headless
from explorer.api.question import MODEL, STUDENT, TEACHER, Context, UserMistake, mask_of
from explorer.command_line.asking.request_arguments import whole_from
from explorer.commands.aliases import Alias, Args, RoleModels
from explorer.text import N_, _

NAME = "targets"
HELP = N_("a teacher's and a student's distributions, losses")


def _more(parser: argparse.ArgumentParser) -> None:
    for role in (TEACHER, STUDENT):
        parser.add_argument(
            f"--{role}",
            default=headless.USUAL[role],
            metavar="M",
            help=_("an id or a folder (default: %(default)s)"),
        )
    parser.add_argument(
        "--temperature",
        "-T",
        type=_temperatures,
        default=(1.0,),
        metavar="T,T",
        help=_("one or more, with commas between them (default: 1)"),
    )
    parser.add_argument(
        "--position",
        type=int,
        metavar="P",
        help=_("compare at this token of the teacher's input only; it is masked if it is not yet"),
    )
    parser.add_argument(
        "--top",
        type=whole_from(1),
        default=10,
        metavar="K",
        help=_("likeliest of either (default: 10)"),
    )
    parser.add_argument(
        "--distil-temperature",
        type=_temperature,
        default=2.0,
        metavar="T",
        help=_("of the losses (default: 2, DistilBERT's)"),
    )


def _fields(args: Args, models: RoleModels) -> dict[str, Any]:
    """The text with the position masked that was asked for.

    Raises:
        UserMistake: There is no token of the text at the position.
    """
    from explorer.command_line.asking.request_arguments import read_text
    from explorer.questions.tokenizers.tokens.question import TokensRequest
    from explorer.samples.typed_documents import written

    fields = {"temperatures": args.temperature, "top_k": args.top, "keep_all": True}
    if args.position is None:
        return fields
    text, pair = read_text(args)
    teacher = {MODEL: models.loaded.cast[TEACHER]}
    tokens = models.runner.ask(TokensRequest(text, pair), teacher, Context()).tokens
    if not 0 <= args.position < len(tokens) or tokens[args.position].special:
        raise UserMistake(
            N_("There is no token of the text at position {position}."),
            N_("Positions count from 0 and include special tokens; there are {count}."),
            position=args.position,
            count=len(tokens),
        )
    token = tokens[args.position]
    masked = written(mask_of(tokens, args.position))
    return {**fields, "text": text, "masks": [] if token.masked else [masked]}


def _losses(answered: headless.AnsweredRun, args: Args) -> Any:
    """The losses, where there are masks that they are of."""
    from explorer.questions.distillation.distillation_losses.question import (
        DistillationLossesRequest,
    )

    if answered.result.what != "masks":
        return None
    on, temperature = answered.run.document, args.distil_temperature
    return DistillationLossesRequest(on.text, on.pair, on.masks, temperature=temperature)


def _temperatures(text: str) -> tuple[float, ...]:
    return tuple(_temperature(part) for part in text.split(","))


def _temperature(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(_("{text} is not a temperature above 0", text=repr(text)))
    return found


ALIAS = Alias(
    "soft_targets",
    {"text": "", "pair": "--pair", "words": "--words", "least_share": "--least-share"},
    model="",
    more=_more,
    fields=_fields,
    named=lambda args: {TEACHER: args.teacher, STUDENT: args.student},
    then=_losses,
)
add_arguments, run = ALIAS.add_arguments, ALIAS.run
