"""`attend`: what the attention heads of a model look at."""

import argparse
from dataclasses import replace
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.command_line.asking.request_arguments import whole_from
from explorer.commands.aliases import Alias, Args, RoleModels
from explorer.headless import AnsweredRun
from explorer.program import Program
from explorer.text import N_, _

NAME = "attend"
HELP = N_("what an attention head, or each, looks at most")


def run(args: Args, program: Program) -> int:
    """Ask, write every head where that is asked for, and print."""
    models = ALIAS.models(args, program)
    answered = ALIAS.asked(args, models)
    if args.npz is not None:
        _write_npz(args.npz, answered, models)
    ALIAS.write(answered, args, models)
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


def _write_npz(path: Path, answered: AnsweredRun, models: RoleModels) -> None:
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


ALIAS = Alias(
    "attention",
    {
        "text": "",
        "pair": "--pair",
        "kind": "--kind",
        "answer": "--answer",
        "words": "--words",
        "special": "--special",
    },
    more=_more,
    fields=lambda args, _models: {"heads": _heads(args)},
)
add_arguments = ALIAS.add_arguments
