"""`head-ablation`: what a model still predicts without some of its attention heads."""

import argparse
from typing import Any

from explorer.api.question import Table, UserMistake
from explorer.commands.short import Args, Models, Short
from explorer.headless import Answered
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal

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


def _fields(args: Args, models: Models) -> dict[str, Any]:
    """Which heads a whole layer has is known of a loaded model only."""
    from explorer.questions.attention.head_ablation.question import places_of

    return {"heads": places_of([one for s in args.heads for one in _heads(s, models.first())])}


def _show(answered: Answered, _args: Args) -> None:
    """Print the words before and after for a person, and what each head alone does."""
    from explorer.printing.heads import print_models, print_notes
    from explorer.printing.tables import print_table

    result = answered.result
    print_models(answered.run.models)
    off = ", ".join(f"{one.kind} {one.layer}:{one.head}" for one in result.off) or _("none")
    print(_("off: {off}", off=off))
    changes = result.changes
    print_notes(result)
    for mask in changes.masks:
        print(
            _(
                "\nmask at token {position}: entropy {entropy_before} -> {entropy_after} nats",
                position=mask.position,
                entropy_before=decimal(mask.entropy_before, 2),
                entropy_after=decimal(mask.entropy_after, 2),
            )
        )
        rows = tuple(
            (
                one.word,
                f"{_digits(one.before)} -> {_digits(one.after)}",
                "(original)" if one.is_original else None,
            )
            for one in mask.words
        )
        print_table(Table(("", "", ""), rows), heading=False, indent="  ")
    if changes.replaced_before is not None:
        print(_("\nprobability that each token was replaced"))
        pairs = zip(changes.tokens, changes.replaced_before, changes.replaced_after, strict=True)
        cells = tuple((token.text, f"{old:7.4f} -> {new:7.4f}") for token, old, new in pairs)
        print_table(Table(("", ""), cells), heading=False, indent="  ")
    for effects in result.effects:
        print(_("\neach head of the {kind} off alone (a row a layer)", kind=effects.kind))
        values = tuple(tuple(f"{float(value):+7.3f}" for value in row) for row in effects.values)
        print_table(Table(("",) * len(values[0]), values), heading=False, indent="  ")


def _digits(probability: float | None) -> str:
    return "      –" if probability is None else f"{probability:7.4f}"


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


SHORT = Short(
    "head_ablation",
    {"text": "", "pair": "--pair", "every": "--every", "top_k": "--top"},
    _show,
    more=_more,
    fields=_fields,
)
add_arguments, run = SHORT.add_arguments, SHORT.run
