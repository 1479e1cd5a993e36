"""Two answers of which one is taken from the other, and what can't be seen in either."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.api.question import Table
from explorer.api.question.rows.compared import change
from explorer.questions.attention.attention.question import AttentionPlace, AttentionResult
from explorer.questions.attention.stacks import KIND
from explorer.text import _, said
from explorer.text.bidi import isolated
from explorer.text.lists import all_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]


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
        return _(
            "The pinned answer is of the {lower}'s attention.",
            lower=_(KIND.entry(before.kind).title).lower(),
        )
    shapes = [(len(one.queries), len(one.keys)) for one in (now, before)]
    if shapes[0] != shapes[1]:
        words = all_of(
            _("{rows} tokens", rows=rows)
            if rows == columns
            else _("{rows} and {columns} tokens", rows=rows, columns=columns)
            for rows, columns in shapes
        )
        return _(
            "There is no difference between {words}: both texts need the same number. "
            "Merging words or hiding special tokens may help.",
            words=said(words),
        )
    return ""


def is_same_grid(now: AttentionResult, before: AttentionResult) -> bool:
    """Whether two models have as many layers and heads, so that heads can be told apart by them."""
    return (now.layers, now.heads, now.block) == (before.layers, before.heads, before.block)


def pinned_said(now: AttentionResult, before: AttentionResult) -> str:
    """Why the pinned answer is not taken from this one, or only of one head; "" where it is."""
    why = why_not_subtract(now, before)
    if why:
        return _("{why} This is the answer itself.", why=why)
    if is_same_grid(now, before):
        return ""
    return _(
        "The pinned model has {layers} layers of {heads} heads; all heads are shown as they are, "
        "the chosen one as the difference.",
        layers=before.layers,
        heads=before.heads,
    )


def labels_of(
    places: Sequence[AttentionPlace], others: Sequence[AttentionPlace] | None = None
) -> tuple[str, ...]:
    """Labels; where another text has another word at a place, both: "cat | dog"."""
    if others is None:
        return tuple(place.label for place in places)
    return tuple(
        place.label
        if place.label == other.label
        else f"{isolated(place.label)} | {isolated(other.label)}"
        for place, other in zip(places, others, strict=True)
    )


def with_pinned(rows: Table, before: AttentionResult) -> Table:
    """The rows of one head's weights, with the pinned answer's and the difference beside them."""
    pinned = before.weights[0].ravel().tolist()
    beside = [
        (was, change(now, was)) for now, was in zip(rows.column("weight"), pinned, strict=False)
    ]
    return rows.widened(("pinned_weight", "change_of_weight"), beside)
