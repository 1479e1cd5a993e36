"""`head-ablation`: what a model still predicts without some of its attention heads."""

import argparse
from typing import Any

from explorer.api.question import UserMistake
from explorer.commands.aliases import Alias, Args, RoleModels
from explorer.text import N_, _

NAME = "head-ablation"
FORMERLY = ("switch-off",)
HELP = N_("predictions with and without some attention heads")


def _more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--head",
        dest="heads",
        action="append",
        default=[],
        metavar="L:H",
        help=_(
            "a head to switch off, layer and head counted from 0; L alone takes a whole layer, "
            "and decoder:L:H or cross:L:H another stack of T5's; may be given several times"
        ),
    )


def _fields(args: Args, models: RoleModels) -> dict[str, Any]:
    """Which heads a whole layer has is known of a loaded model only."""
    from explorer.questions.attention.head_ablation.question import places_of

    return {"heads": places_of([one for s in args.heads for one in _heads(s, models.first())])}


def _heads(spec: str, model: Any) -> list[list[str | int]]:
    """The heads that "1:2", "1" or "cross:1:2" stands for.

    Raises:
        UserMistake: It stands for none.
    """
    from explorer.api.question import AttentionModules
    from explorer.questions.attention.head_ablation.question import KINDS

    kind, *places = spec.split(":")
    sizes = {kind: heads for kind, _unused, heads in model.port(AttentionModules).stacks()}
    if kind not in KINDS:
        kind, places = next(iter(sizes)), [kind, *places]
    if not 1 <= len(places) <= 2 or not all(place.isdecimal() for place in places):
        raise UserMistake(
            N_("{spec} is no head."),
            N_("Write layer and head, as 1:2, or a whole layer, as 1."),
            spec=spec,
        )
    layer, *heads = (int(place) for place in places)
    return [[kind, layer, head] for head in heads or range(sizes.get(kind, 0))]


ALIAS = Alias(
    "head_ablation",
    {"text": "", "pair": "--pair", "every": "--every", "top_k": "--top"},
    more=_more,
    fields=_fields,
)
add_arguments, run = ALIAS.add_arguments, ALIAS.run
