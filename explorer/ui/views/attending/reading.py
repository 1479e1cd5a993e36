"""An attention result as it is drawn: blocked cells, differences, ranked heads, words."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.api import Table
from explorer.numerics.attention_patterns import MEASURES, NAMES
from explorer.questions.attention.attention.question import AttentionResult, Place
from explorer.ui.matrices.head_grid_painting import GridContent, Head
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

CHANGE = "change"
"""Heads ranked by how much they differ from the pinned answer."""

_CHOICE = re.compile(r"\d+\.(\d+|mean|max)|mean|max|rollout(\.\d+)?")

LATER = "comes later, and can't be seen"

KIND_TITLES = {
    "encoder": "Encoder",
    "decoder": "Decoder",
    "cross": "Decoder to encoder",
}


def blocked(result: AttentionResult) -> "npt.NDArray[np.bool_] | None":
    """Where a token comes later than the one that looks: queries x keys; None where all may."""
    import numpy as np

    if not result.causal:
        return None
    last = np.array([place.last for place in result.queries])
    first = np.array([place.first for place in result.keys])
    later: npt.NDArray[np.bool_] = first[None, :] > last[:, None]
    return later


def blocked_small(result: AttentionResult) -> "npt.NDArray[np.bool_] | None":
    """The same for the overview: true where every weight that a cell stands for is blocked."""
    import numpy as np

    whole = blocked(result)
    if whole is None:
        return None
    seen = (~whole).astype(np.uint8)
    for axis, size in enumerate(result.block):
        starts = np.arange(0, seen.shape[axis], size)
        seen = np.maximum.reduceat(seen, starts, axis=axis)
    none: npt.NDArray[np.bool_] = seen == 0
    return none


def why_not_subtract(now: AttentionResult, before: AttentionResult) -> str:
    """Why an answer can't be taken from another; "" where it can."""
    if now.kind != before.kind:
        return f"The pinned answer is of the {KIND_TITLES[before.kind].lower()}'s attention."
    shapes = [(len(one.queries), len(one.keys)) for one in (now, before)]
    if shapes[0] != shapes[1]:
        words = " and ".join(
            f"{rows} tokens" if rows == columns else f"{rows} and {columns} tokens"
            for rows, columns in shapes
        )
        return (
            f"There is no difference between {words}: both texts need as many. Merging words or "
            "hiding special tokens may help."
        )
    return ""


def is_same_grid(now: AttentionResult, before: AttentionResult) -> bool:
    """Whether two models have as many layers and heads, so that heads can be told apart by them."""
    return (now.layers, now.heads, now.block) == (before.layers, before.heads, before.block)


def labels_of(places: Sequence[Place], others: Sequence[Place] | None = None) -> tuple[str, ...]:
    """Labels; where another text has another word at a place, both: "cat | dog"."""
    if others is None:
        return tuple(place.label for place in places)
    return tuple(
        place.label if place.label == other.label else f"{place.label} | {other.label}"
        for place, other in zip(places, others, strict=True)
    )


# ---- all heads ----------------------------------------------------------------------------------


def grid_content(
    result: AttentionResult,
    before: AttentionResult | None = None,
    *,
    logarithmic: bool = False,
    rank: str = "",
) -> GridContent:
    """All heads, or what all of them changed since another answer.

    Args:
        result: Of now.
        before: What is taken from it, where both have the same heads and places.
        logarithmic: Colours by powers of ten.
        rank: A measure's name, or CHANGE: heads are in that order, most first.
    """
    import numpy as np

    maps = result.overview.astype(np.float32)
    hidden = blocked_small(result)
    if before is not None:
        maps = maps - before.overview.astype(np.float32)
        scale = Scale.about_zero(maps, logarithmic=logarithmic)
    else:
        if hidden is not None:
            maps[:, :, hidden] = -np.inf
        scale = Scale(logarithmic=logarithmic)
    order, notes = ranked(result, rank, maps if before is not None else None)
    return GridContent(maps, scale, order, notes)


def ranked(
    result: AttentionResult, rank: str, change: "Values | None" = None
) -> tuple[tuple[Head, ...], tuple[str, ...]]:
    """Heads by a measure, most first, and a note for each; nothing where they can't be ranked."""
    import numpy as np

    if rank == CHANGE and change is not None:
        values = np.abs(change).max(axis=(2, 3))
    elif rank in result.measure_names:
        values = result.measures[result.measure_names.index(rank)]
    else:
        return (), ()
    if not np.isfinite(values).any():
        return (), ()
    flat = np.where(np.isfinite(values), values, -np.inf).ravel()
    order = [divmod(int(i), result.heads) for i in np.argsort(-flat, kind="stable")]
    notes = [f"{layer}.{head}  {values[layer, head]:.2f}" for layer, head in order]
    return tuple(order), tuple(notes)


def meaning_of(rank: str) -> str:
    """What a measure is, in one sentence; "" for by layer."""
    if rank == CHANGE:
        return "Ranked by the largest change of any weight since the pinned answer."
    for measure in MEASURES:
        if measure.name == rank:
            return measure.meaning
    return ""


def describe_head(result: AttentionResult, head: Head) -> str:
    """A head's place, and its measures, a line each."""
    layer, number = head
    lines = [f"Layer {layer}, head {number}"]
    for measure in MEASURES:
        value = measure_of(result, measure.name, head)
        if value is not None:
            unit = "" if measure.share else " nats" if measure.name == "entropy" else " tokens"
            lines.append(f"{measure.title} {value:.2f}{unit}")
    return "\n".join(lines)


def measure_of(result: AttentionResult, name: str, head: Head) -> float | None:
    """A measure of a head; None where it has none."""
    if name not in result.measure_names:
        return None
    value = float(result.measures[result.measure_names.index(name)][head])
    return value if math.isfinite(value) else None


def offered_measures(result: AttentionResult) -> tuple[str, ...]:
    """Names of the measures that these heads can have."""
    import numpy as np

    return tuple(
        name
        for name in NAMES
        if name in result.measure_names
        and bool(np.isfinite(result.measures[result.measure_names.index(name)]).any())
    )


# ---- one head -----------------------------------------------------------------------------------


def title_of(choice: str) -> str:
    """What a choice of heads is called: "3.5" is "Layer 3, head 5"."""
    first, _, second = choice.partition(".")
    over = {"mean": "Mean", "max": "Strongest"}
    if first == "rollout":
        return f"Rollout up to layer {second}" if second else "Rollout through all layers"
    if first in over:
        return f"{over[first]} of all heads"
    if second in over:
        return f"{over[second]} of layer {first}'s heads"
    return f"Layer {first}, head {second}"


def meaning_of_choice(choice: str) -> str:
    """How several heads were made one; "" for a single head."""
    first, _, second = choice.partition(".")
    if first == "rollout":
        return (
            "How much of each input token is in each token's state by attention alone: the mean of "
            "each layer's heads, half of it replaced by the identity, multiplied layer by layer "
            "(Abnar and Zuidema 2020)."
        )
    if "max" in (first, second):
        return "The largest weight that any of the heads gives; rows do not sum to one."
    if "mean" in (first, second):
        return "The mean of the heads' weights."
    return ""


def head_of(choice: str) -> Head | None:
    """Layer and head of a choice that is one head."""
    first, _, second = choice.partition(".")
    return (int(first), int(second)) if first.isdecimal() and second.isdecimal() else None


def fits(choice: str, result: AttentionResult) -> bool:
    """Whether a choice can be read, and the model has what it names."""
    if not _CHOICE.fullmatch(choice):
        return False
    first, _, second = choice.partition(".")
    if first == "rollout":
        return result.kind != "cross" and (not second or int(second) < result.layers)
    if first in ("mean", "max"):
        return True
    layer = first.isdecimal() and int(first) < result.layers
    return layer and (second in ("mean", "max") or int(second or 0) < result.heads)


@dataclass(frozen=True)
class Difference:
    """What a head in full is compared with.

    Attributes:
        weights: The same choice's, of the pinned answer.
        result: The pinned answer.
    """

    weights: "Values"
    result: AttentionResult


def heat_content(
    result: AttentionResult,
    weights: "Values",
    before: Difference | None = None,
    *,
    logarithmic: bool = False,
) -> HeatContent:
    """One head's weights, queries x keys, or the difference to another answer's."""
    places = (result.queries, result.keys)
    others = (before.result.queries, before.result.keys) if before is not None else (None, None)
    rows, columns = (labels_of(*both) for both in zip(places, others, strict=True))
    values = weights - before.weights if before is not None else weights
    scale = (
        Scale.about_zero(values, logarithmic=logarithmic)
        if before is not None
        else Scale(logarithmic=logarithmic)
    )
    return HeatContent(
        values,
        rows,
        columns,
        scale,
        blocked=blocked(result),
        blocked_words=LATER,
        row_title="from",
        column_title="to",
        signed=before is not None,
    )


def coarse(result: AttentionResult, head: Head) -> HeatContent:
    """A head as the overview has it, for when its model is not loaded any more."""
    import numpy as np

    values = result.overview[head].astype(np.float32)
    high, wide = result.block
    rows = tuple(place.label for place in result.queries[::high])
    columns = tuple(place.label for place in result.keys[::wide])
    hidden = blocked_small(result)
    return HeatContent(values, rows, columns, Scale(), hidden, LATER, "from", "to")


def with_pinned(rows: Table, before: AttentionResult) -> Table:
    """The rows of one head's weights, with the pinned answer's and the difference beside them."""
    pinned = before.weights[0].ravel().tolist()
    column = rows.columns.index("weight")
    beside = []
    for row, was in zip(rows.rows, pinned, strict=False):
        now = row[column]
        beside.append((*row, was, now - was if isinstance(now, float) else None))
    return Table((*rows.columns, "pinned", "difference"), tuple(beside))
