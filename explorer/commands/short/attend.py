"""`attend`: what the attention heads of a model look at."""

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.api.question import Table, UserMistake
from explorer.command_line.request_arguments import whole_from
from explorer.commands.short import Args, Models, Short
from explorer.headless import Answered
from explorer.printing.heads import print_notes
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.text import N_, _

if TYPE_CHECKING:
    from explorer.questions.attention.attention.question import AttentionResult

NAME = "attend"
HELP = N_("what an attention head, or each, looks at most")

SHADES = " ░▒▓█"
WIDEST = 12
"""Characters of a token in the matrix."""


def run(args: Args, program: Program) -> int:
    """Ask, write every head where that is asked for, and print."""
    models = SHORT.models(args, program)
    answered = SHORT.asked(args, models)
    if args.npz is not None:
        _write_npz(args.npz, answered, models)
    SHORT.print(args, answered)
    return 0


def _more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--layer", type=whole_from(0), metavar="L", help=_("counted from 0"))
    parser.add_argument(
        "--head",
        type=_head,
        metavar="H",
        help=_("counted from 0; mean or max of the layer's heads"),
    )
    parser.add_argument(
        "--over",
        choices=("mean", "max", "rollout"),
        help=_("all heads of all layers as one, in place of --layer and --head"),
    )
    parser.add_argument(
        "--npz", type=Path, metavar="FILE", help=_("write every head of every layer as .npz")
    )


def _as_json(result: "AttentionResult", _args: Args) -> dict[str, Any]:
    """The result with its heads in full, or with a summary a head."""
    content: dict[str, Any] = {
        "model": result.model.id,
        "kind": result.kind,
        "kinds": result.kinds,
        "query_tokens": [place.label for place in result.queries],
        "key_tokens": [place.label for place in result.keys],
        "layers": result.layers,
        "heads": result.heads,
        "causal": result.causal,
        "note": result.note,
    }
    if result.chosen:
        content["chosen"] = result.chosen[0]
        content["attention"] = result.weights[0].tolist()
        return content
    names = result.measure_names
    content["summary"] = [
        {
            "layer": layer,
            "head": head,
            **{
                name: value if math.isfinite(value) else None
                for name, value in zip(names, result.measures[:, layer, head].tolist(), strict=True)
            },
        }
        for layer in range(result.layers)
        for head in range(result.heads)
    ]
    return content


def _show(answered: Answered, _args: Args) -> None:
    """Print for a person: the head's weights as shades, or every head's measures."""
    result = answered.result
    stamp = result.model
    print(
        _(
            "{id}  ({family}, {dtype} on {device}), {kind} attention",
            id=stamp.id,
            family=stamp.family,
            dtype=stamp.dtype,
            device=stamp.device,
            kind=result.kind,
        )
    )
    print_notes(result)
    if result.chosen:
        _show_head(result)
    else:
        _show_measures(result)


def _show_head(result: "AttentionResult") -> None:
    labels = [place.label[:WIDEST] for place in result.queries]
    room = max(map(len, labels))
    print(
        _(
            "{chosen}: a row is a token that looks, a column one that is looked at",
            chosen=result.chosen[0],
        )
    )
    for label, row in zip(labels, result.weights[0].tolist(), strict=True):
        shades = "".join(SHADES[min(int(value * len(SHADES)), len(SHADES) - 1)] for value in row)
        best = max(range(len(row)), key=row.__getitem__)
        print(f"{label:>{room}} {shades}  {row[best]:.4f} {result.keys[best].label}")


def _show_measures(result: "AttentionResult") -> None:
    rows = []
    for layer in range(result.layers):
        for head in range(result.heads):
            values = result.measures[:, layer, head].tolist()
            cells = (f"{value:.3f}" if math.isfinite(value) else None for value in values)
            rows.append((f"{layer}.{head}", *cells))
    print_table(Table(("layer.head", *result.measure_names), tuple(rows)))


def _write_npz(path: Path, answered: Answered, models: Models) -> None:
    """Every head of every layer, as `layer_0` and so on (heads x queries x keys).

    Raises:
        MachineFault: The file can't be written.
    """
    import io

    import numpy as np

    from explorer.sessions.export.tables import write_atomically

    result, document = answered.result, answered.run.document
    layers = {}
    for layer in range(result.layers):
        heads = tuple(f"{layer}.{head}" for head in range(result.heads))
        asked = replace(answered.run.request, heads=heads)
        layers[f"layer_{layer}"] = models.ask(asked, document, log=False).result.weights
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        query_labels=np.array([place.label for place in result.queries]),
        key_labels=np.array([place.label for place in result.keys]),
        measures=result.measures,
        measure_names=np.array(result.measure_names),
        model=np.array(result.model.id),
        kind=np.array(result.kind),
        **layers,
    )
    write_atomically(path, buffer.getvalue())


def _heads(args: Args) -> tuple[str, ...]:
    """The heads that are asked for in full; none for a summary of all.

    Raises:
        UserMistake: Only one of layer and head is named, or both and a combination.
    """
    if args.over is not None:
        if args.layer is not None or args.head is not None:
            raise UserMistake(
                N_("--over is of all heads, and --layer and --head name one."), N_("Give either.")
            )
        return (args.over,)
    if (args.layer is None) != (args.head is None):
        raise UserMistake(
            N_("A head is named by its layer and its number."), N_("Give both --layer and --head.")
        )
    return () if args.layer is None else (f"{args.layer}.{args.head}",)


def _head(text: str) -> str:
    if text in ("mean", "max"):
        return text
    return str(whole_from(0)(text))


SHORT = Short(
    "attention",
    {
        "text": "",
        "pair": "--pair",
        "kind": "--kind",
        "answer": "--answer",
        "words": "--words",
        "special": "--special",
    },
    _show,
    more=_more,
    fields=lambda args, _models: {"heads": _heads(args)},
    shape=_as_json,
)
add_arguments = SHORT.add_arguments
