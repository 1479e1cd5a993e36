"""`disentangled_attention`: what content and position add to one head's scores."""

import argparse
from typing import Any

from explorer.api.question import UserMistake
from explorer.commands.aliases import Alias, Args, RoleModels
from explorer.text import N_, _

NAME = "disentangled-attention"
FORMERLY = ("disentangle",)
HELP = N_("DeBERTa's scores, split into content and position")


def _more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--off",
        action="append",
        default=[],
        metavar="PART",
        help=_(
            "predict again without c2c, c2p, p2c or absolute: everywhere, or as c2p:L in layer L "
            "or c2p:L:H in one head; may be given several times"
        ),
    )


def _fields(args: Args, _models: RoleModels) -> dict[str, Any]:
    from explorer.questions.attention.disentangled_attention.question import off_of

    return {"off": off_of([_off(one) for one in args.off])}


def _off(text: str) -> list[Any]:
    """A part as the option holds it.

    Raises:
        UserMistake: It is no part.
    """
    from explorer.questions.attention.disentangled_attention.question import ABSOLUTE, PARTS

    part, *places = text.split(":")
    if part not in (*PARTS, ABSOLUTE) or len(places) > 2 or not all(p.isdecimal() for p in places):
        raise UserMistake(
            N_("{text} is no part that can be switched off."),
            N_("Write c2c, c2p, p2c or absolute, and for one layer or head c2p:1 or c2p:1:2."),
            text=text,
        )
    layer, head = (*(int(one) for one in places), None, None)[:2]
    return [part, layer, head]


ALIAS = Alias(
    "disentangled_attention",
    {
        "text": "",
        "pair": "--pair",
        "layer": "--layer",
        "head": "--head",
        "step": "--step",
        "top_k": "--top",
    },
    model="deberta-v1-miniature",
    more=_more,
    fields=_fields,
)
add_arguments, run = ALIAS.add_arguments, ALIAS.run
