"""`disentangled_attention`: what content and position add to one head's scores."""

import argparse
from typing import Any

from explorer.api.question import Table, UserMistake
from explorer.commands.short import Args, Models, Short
from explorer.headless import Answered
from explorer.text import N_, _
from explorer.text.formatting.numbers import percent

NAME = "disentangled-attention"
FORMERLY = ("disentangle",)
HELP = N_("DeBERTa's scores, split into content and position")

STRONGEST = 10
"""Pairs of tokens that a person is shown."""


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


def _fields(args: Args, _models: Models) -> dict[str, Any]:
    from explorer.questions.attention.disentangled_attention.question import off_of

    return {"off": off_of([_off(one) for one in args.off])}


def _as_json(result: Any, _args: Args) -> dict[str, Any]:
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


def _show(answered: Answered, _args: Args) -> None:
    """Print the head for a person: the check, the shares, the strongest pairs, the predictions."""
    import numpy as np

    from explorer.printing.heads import print_models, print_notes
    from explorer.printing.tables import print_table

    result = answered.result
    print_models(answered.run.models)
    where = (
        _("step {step} of the mask decoder", step=result.step)
        if result.step
        else _("layer {layer}", layer=result.layer)
    )
    names = [part.name for part in result.parts]
    print(_("{where}, head {head}", where=where, head=result.head))
    print_notes(result)
    print(f"{' + '.join(names)} equals the model's own scores to {result.sum_error:.1e}")
    line = result.layers + result.step - 1 if result.step else result.layer
    shares = ", ".join(
        f"{part.name} {percent(float(part.shares[line, result.head]))}" for part in result.parts
    )
    print(_("shares: {shares}\n", shares=shares))
    texts = [token.text for token in result.tokens]
    order = np.argsort(-result.attention, axis=None, kind="stable")[:STRONGEST]
    pairs = zip(*np.unravel_index(order, result.attention.shape), strict=True)
    rows = tuple(
        (
            f"{texts[query]} -> {texts[key]}",
            *(f"{float(part.scores[query, key]):+.3f}" for part in result.parts),
            f"{float(result.scores[query, key]):+.3f}",
            f"{float(result.attention[query, key]):.4f}",
        )
        for query, key in pairs
    )
    print_table(Table(("", *names, "score", "attention"), rows))
    for mask in result.changes.masks if result.changes is not None else ():
        print(_("\nmask at token {position}: before -> after", position=mask.position))
        words = tuple((one.word, f"{one.before:.4f} -> {one.after:.4f}") for one in mask.words)
        print_table(Table(("", ""), words), heading=False, indent="  ")


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


SHORT = Short(
    "disentangled_attention",
    {
        "text": "",
        "pair": "--pair",
        "layer": "--layer",
        "head": "--head",
        "step": "--step",
        "top_k": "--top",
    },
    _show,
    model="deberta-v1-miniature",
    more=_more,
    fields=_fields,
    shape=_as_json,
)
add_arguments, run = SHORT.add_arguments, SHORT.run
