"""`attend`: what the attention heads of a model look at."""

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer import headless
from explorer.api import ExplorerError, Table, UserMistake
from explorer.document import Document
from explorer.printing.heads import print_notes
from explorer.printing.tables import print_table
from explorer.program import Program
from explorer.request_arguments import whole_from
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.questions.attention.attention.question import AttentionResult

NAME = "attend"
HELP = "what an attention head, or each, looks at most"

SHADES = " ░▒▓█"
WIDEST = 12
"""Characters of a token in the matrix."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The text, which head, how it is read, how the answer comes out."""
    headless.add_text_arguments(parser, "the sentence")
    parser.add_argument("--layer", type=whole_from(0), metavar="L", help="counted from 0")
    parser.add_argument(
        "--head", type=_head, metavar="H", help="counted from 0; mean or max of the layer's heads"
    )
    parser.add_argument(
        "--over",
        choices=("mean", "max", "rollout"),
        help="all heads of all layers as one, in place of --layer and --head",
    )
    parser.add_argument(
        "--kind",
        choices=("encoder", "decoder", "cross"),
        default="",
        help="which attention, for models that have several",
    )
    parser.add_argument(
        "--answer", metavar="TEXT", default="", help="what the decoder reads (T5); else its own"
    )
    parser.add_argument("--words", action="store_true", help="merge the pieces of words")
    parser.add_argument(
        "--special",
        choices=("shown", "hidden", "renormalised"),
        default="shown",
        help="what becomes of special tokens (default: %(default)s)",
    )
    parser.add_argument(
        "--npz", type=Path, metavar="FILE", help="write every head of every layer as .npz"
    )
    headless.add_model_option(parser)
    headless.add_output_options(parser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Ask and print."""
    from explorer.questions.attention.attention.question import Attention

    document = Document(headless.read_text(args), args.pair)
    request = replace(
        Attention.of(document),
        kind=args.kind,
        answer=args.answer,
        words=args.words,
        special=args.special,
        heads=_heads(args),
    )
    runner = program.runner()
    headless.load(runner, program, args.model, allow_pickle=args.allow_pickle)
    if args.kind:
        _check_kind(args.kind, runner, program, request, document)
    answered = headless.ask(runner, program, request, document, log=not args.no_log)
    if args.npz is not None:
        _write_npz(args.npz, answered.result, runner, program, request, document)
    headless.write_answer(answered, args, show, as_json)
    return 0


def _check_kind(kind: str, runner: Any, program: Program, request: Any, document: Document) -> None:
    """See that a model has a kind of attention, before anything is logged.

    What is computed for it is remembered, so the question itself costs no second pass.

    Raises:
        UserMistake: It has not.
    """
    asked = replace(request, heads=())
    try:
        found = headless.ask(runner, program, asked, document, log=False).result
    except ExplorerError:
        return  # told and logged with the question itself
    if kind not in found.kinds:
        raise UserMistake(
            N_("{id} has no {kind} attention."),
            N_("It has {kinds}."),
            id=found.model.id,
            kind=kind,
            kinds=" and ".join(found.kinds),
        )


def as_json(result: "AttentionResult") -> dict[str, Any]:
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


def show(answered: headless.Answered) -> None:
    """Print for a person: the head's weights as shades, or every head's measures."""
    result = answered.result
    stamp = result.model
    print(f"{stamp.id}  ({stamp.family}, {stamp.dtype} on {stamp.device}), {result.kind} attention")
    print_notes(result)
    if result.chosen:
        _show_head(result)
    else:
        _show_measures(result)


def _show_head(result: "AttentionResult") -> None:
    labels = [place.label[:WIDEST] for place in result.queries]
    room = max(map(len, labels))
    print(f"{result.chosen[0]}: a row is a token that looks, a column one that is looked at")
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


def _write_npz(
    path: Path,
    result: "AttentionResult",
    runner: Any,
    program: Program,
    request: Any,
    document: Document,
) -> None:
    """Every head of every layer, as `layer_0` and so on (heads x queries x keys).

    Raises:
        MachineFault: The file can't be written.
    """
    import io

    import numpy as np

    from explorer.sessions.export.tables import write_atomically

    layers = {}
    for layer in range(result.layers):
        heads = tuple(f"{layer}.{head}" for head in range(result.heads))
        asked = replace(request, heads=heads)
        answered = headless.ask(runner, program, asked, document, log=False)
        layers[f"layer_{layer}"] = answered.result.weights
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


def _heads(args: argparse.Namespace) -> tuple[str, ...]:
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
