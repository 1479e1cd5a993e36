"""Vectors of positions and segments, and what a family has in their place."""

from typing import Any

import numpy as np

from explorer.api.family import Role, Weights
from explorer.api.question import AttentionModules, Context, LoadedModel
from explorer.questions.architecture.weights.matrices import drawn_matrix, owned
from explorer.questions.architecture.weights.question import DrawnMatrix, WeightCurve
from explorer.text import N_, Phrase

MOST_COMPARED = 2048
"""Positions whose cosines are taken: of more, all pairs would take long."""
FEWEST_PAIRS = 8
"""Of positions at one distance, below which their mean says little."""
FILLER = "a " * 63 + "a"
"""A text as long as the distances that biases are shown for: what it says is no matter."""

ROTARY = N_(
    "This model has no vectors of positions: it turns queries and keys by their positions "
    "(rotary positions), with angles that are no weights."
)
RELATIVE = N_(
    "This model has no vectors of positions: what is drawn is a number that each head adds to a "
    "score for the distance from query to key."
)
DISTANCES = N_(
    "This model has vectors of distances, not of positions: a row stands for how far a key is "
    "from its query, beyond some way for several distances."
)
NONE_HERE = N_("This model has no vectors of positions among its weights.")
FIRST_ONLY = N_("Cosines are of the first {count} positions.")
PADDED = N_(
    "Rows below {first} are left out: this model counts positions from there, the row before "
    "being that of padding."
)

TABLES = {Role.POSITIONS: "positions", Role.DISTANCES: "distances", Role.SEGMENTS: "segments"}


def positions(model: LoadedModel, context: Context) -> dict[str, Any]:
    """Every table of positions, segments or distances; else the biases by distance."""
    matrices: list[DrawnMatrix] = []
    curves: list[WeightCurve] = []
    notes: list[Phrase] = []
    for name, table, first in tables_of(model):
        context.check()
        own = table.detach()[first:].float().cpu()
        if first:
            notes.append(Phrase(PADDED, first=str(first)))
        rows = [str(n) for n in range(len(own))]
        if name == "distances":
            # transformers counts a query's place minus a key's; here a key after its query is +.
            rows = [f"{len(own) // 2 - n:+d}" for n in range(len(own))]
            notes.append(Phrase(DISTANCES))
        matrices.append(drawn_matrix(name, own, rows))
        if name != "segments" or len(own) > 1:
            curves.append(cosines_by_distance(name, own[:MOST_COMPARED].numpy()))
        if len(own) > MOST_COMPARED:
            notes.append(Phrase(FIRST_ONLY, count=MOST_COMPARED))
    if not any(one.name != "segments" for one in matrices):
        biases = relative_biases(model, context)
        matrices += biases
        notes.append(Phrase(RELATIVE if biases else _why_none(model)))
    return {
        "matrices": tuple(matrices),
        "curves": tuple(one for one in curves if one.name != "segments"),
        "notes": tuple(dict.fromkeys(notes)),
    }


def tables_of(model: LoadedModel) -> list[tuple[str, Any, int]]:
    """Tables of vectors that came from the checkpoint: what for, the weight, its first row.

    RoBERTa and its kin count positions from the row after that of padding, which its module
    names.
    """
    family: Any = model.ports.get(Weights)
    fresh = set(model.report.missing)
    found = []
    for name, weight in model.module.named_parameters() if family is not None else ():
        kind = TABLES.get(family.role_of(name))
        if kind is None or weight.ndim != 2 or weight.is_meta or name in fresh:
            continue
        module = model.module.get_submodule(name.rpartition(".")[0])
        padding = getattr(module, "padding_idx", None)
        first = padding + 1 if kind == "positions" and padding is not None else 0
        found.append((kind, weight, first))
    return sorted(found, key=lambda one: list(TABLES.values()).index(one[0]))


def cosines_by_distance(name: str, table: Any) -> WeightCurve:
    """Mean cosine of two rows over their distance, with the deviation of the pairs.

    Args:
        name: Of the table.
        table: Shape [rows, width].
    """
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    unit = table / np.where(lengths > 0, lengths, 1)
    cosines = unit @ unit.T
    farthest = max(len(table) - FEWEST_PAIRS, min(len(table) - 1, FEWEST_PAIRS))
    lines = [cosines.diagonal(n) for n in range(1, farthest + 1)]
    mean = np.array([one.mean() for one in lines])
    spread = np.array([one.std() for one in lines])
    at = owned(range(1, farthest + 1))
    return WeightCurve("cosine", name, at, owned(mean), owned(mean - spread), owned(mean + spread))


def relative_biases(model: LoadedModel, context: Context) -> list[DrawnMatrix]:
    """What positions add to a score in the first layer, heads x distances, of each stack.

    None where they add nothing, or where it depends on the words (DeBERTa).
    """
    port = model.port(AttentionModules)
    by_itself = any(
        one.layout.bias_result is not None
        or one.layout.bias_argument
        or (one.rule is not None and one.rule.adds_positions)
        for one in port.modules()
    )
    if not by_itself:
        return []
    found = []
    for one in port.queries_and_keys(model.encode(FILLER), context, layers={0}):
        if one.bias is None or one.kind == "cross":
            continue
        bias = one.bias.cpu().numpy()
        farthest = min(bias.shape[1:]) - 1
        after = 0 if one.kind == "decoder" else farthest
        distances = range(-farthest, after + 1)
        values = np.stack([bias.diagonal(n, 1, 2)[:, 0] for n in distances], axis=1)
        found.append(
            drawn_matrix(
                "bias", values, [str(n) for n in range(len(values))], [f"{n:+d}" for n in distances]
            )
        )
    return found


def _why_none(model: LoadedModel) -> str:
    modules = model.port(AttentionModules).modules()
    return (
        ROTARY
        if any(
            one.layout.rotary or any(part is not None and part.turned for part in one.parts)
            for one in modules
        )
        else NONE_HERE
    )
