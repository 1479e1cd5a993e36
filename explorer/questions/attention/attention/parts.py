"""Heads in full as letters draw them; the page draws them itself, with the lines between tokens."""

from collections.abc import Sequence

from explorer.api.question import Grid
from explorer.api.question.parts.matrices.grid import Side
from explorer.questions.attention.attention.question import AttentionResult
from explorer.text import N_, Phrase

LOOKS, IS_LOOKED_AT = N_("query"), N_("key")


def parts(result: AttentionResult) -> Sequence[Grid]:
    """A matrix a head: queries in its rows, keys in its columns."""
    rows = Side(LOOKS, tuple(place.label for place in result.queries))
    columns = Side(IS_LOOKED_AT, tuple(place.label for place in result.keys))
    return tuple(
        Grid(
            name,
            weights,
            rows,
            columns,
            "",
            lambda row, column: f"{rows.labels[row]} → {columns.labels[column]}",
            title=Phrase(N_("Head {head}"), head=name),
            in_files=False,
        )
        for name, weights in zip(result.chosen, result.weights, strict=True)
    )
