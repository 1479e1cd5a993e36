"""Predictions of a mask as a table of bars; choosing one puts it into the sentence."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.api import Prediction
from explorer.questions.masking.word_rows import CHANGE, TAG, Row
from explorer.text import _
from explorer.text.formatting.probabilities import in_digits, scale_for
from explorer.ui.blocks.tables import rows as table
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column


def predictions_table(
    rows: Sequence[Row],
    mask: int,
    put: Callable[[Prediction], Any],
    peers: Sequence[Row] = (),
    scale: float = 0.0,
) -> BarTable:
    """A row a prediction, most probable first.

    Args:
        rows: As `rows_of` makes them.
        mask: The mask's position, for the keys of the rows.
        put: The gesture that puts a prediction into the sentence.
        peers: The rows of all masks, so that their columns and bars are alike.
        scale: Probability at the right end of the bars; 0 for one that holds all of them.
    """
    every = (*rows, *peers)
    before = [row.before.probability or 0.0 for row in every if row.before is not None]
    largest = max([*(row.prediction.probability for row in every), *before], default=1.0)
    pinned = bool(before)
    columns = (Column(""), *((Column(_(CHANGE), "accent"),) if pinned else ()))
    return BarTable(
        [_row(row, mask, put, pinned=pinned) for row in rows],
        columns,
        Axis(scale or scale_for(largest)),
        _("Predictions for the mask at position {mask}", mask=mask),
        bold=False,
        track=True,
        peers=[_row(row, mask, put, pinned=pinned) for row in peers],
    )


def _row(row: Row, mask: int, put: Callable[[Prediction], Any], *, pinned: bool) -> table.Row:
    one = row.prediction
    return table.Row(
        row.word,
        (in_digits(one.probability), *((row.change,) if pinned else ())),
        (Bar(one.probability, "bar_original" if row.is_original else "bar"),),
        mark=row.before.probability if row.before is not None else None,
        lead="" if row.apart else str(one.rank),
        tag=_(TAG) if row.is_original else "",
        strong=row.is_original,
        ground="mask_fill" if row.is_original else "",
        apart=_("⋯  rank {rank}", rank=one.rank) if row.apart else "",
        words=row.words,
        spoken=row.spoken,
        key=("prediction", mask, one.id),
        act=put(one),
    )
