"""Rows of any kind, sorted by their titles."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from explorer.api.question import Cell, Rows, Table
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows_block import rows_block
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_part import pinned_part

READ_WHOLE = 0.88
"""Of the table's room, what first columns take at most that are to be read whole."""

KEPT_AS = {
    "CandidateRow": "WordRow",
    "ComparedPartRow": "PartRow",
    "EditedWordRow": "WordRow",
    "ExampleCountRow": "NumbersRow",
    "FilledMaskRow": "StepRow",
    "HeadOutputRow": "AnswerRow",
    "HeadWeightRow": "WeightRow",
    "HiddenWordRow": "PlaceRow",
    "MergeRow": "StepRow",
    "MethodScoreRow": "ScoreRow",
    "NewTokenRow": "StepRow",
    "PaperDifference": "Difference",
    "PatchedWordRow": "WordRow",
    "PieceGroupRow": "GroupRow",
    "PieceKindRow": "PlaceRow",
    "PromptModelRow": "ModelRow",
    "SequencePieceRow": "PieceRow",
    "TargetTextRow": "TargetRow",
    "TensorGroupRow": "GroupRow",
    "TextPieceRow": "PlaceRow",
    "TokenizerNumbersRow": "NumbersRow",
    "TrainedHeadRow": "HeadRow",
    "VerdictRow": "PlaceRow",
    "VocabularyRow": "PieceRow",
    "WeightNumbersRow": "NumbersRow",
}
"""By a class of rows the name that it had when documents first kept what its table is sorted by."""


def table_name(looking: Looking, kind: type) -> str:
    """Under which a document keeps what the table of rows of a class is sorted by."""
    return f"{looking.of.name}.{KEPT_AS.get(kind.__name__, kind.__name__)}"


def blocks(part: Rows, looking: Looking) -> Iterator[Block]:
    """The table."""
    yield made(part, part.seen(), looking)


def made(
    part: Rows,
    table: Table,
    looking: Looking,
    title: str = "",
    key: Callable[[int], Any] | None = None,
) -> BarTable:
    """The table of a part.

    Args:
        part: Its rows.
        table: The same rows with the columns that are drawn.
        looking: At the part.
        title: What a screen reader calls it; "" for the part's title, or the question's.
        key: From the number of a row to what tells it from others; None for its keys.
    """
    drawn = rows_block(
        table,
        looking.shown,
        table_name(looking, part.kind),
        said(title or part.title or looking.of.title),
        part,
        act=looking.act,
        key=key,
        mark=_before(part, looking),
    )
    return replace(drawn, label_share=READ_WHOLE) if part.reads_whole else drawn


def _before(part: Rows, looking: Looking) -> Callable[[int], float | None] | None:
    """What the bar of the same row of the pinned answer comes to, from the number of a row."""
    pinned = pinned_part(part, looking) if part.bar else None
    if pinned is None or pinned.kind is not part.kind:
        return None
    then = dict(_bars(pinned, part.bar))
    now = [key for key, _value in _bars(part, part.bar)]
    return lambda number: then.get(now[number])


def _bars(part: Rows, bar: str) -> Iterator[tuple[tuple[Cell, ...], float | None]]:
    """The keys of every row, and what its bar comes to."""
    table = part.seen()
    keys = [n for n, one in enumerate(table.described()) if one.key]
    at = table.columns.index(bar)
    for row in table.rows:
        value = row[at]
        is_number = bool(keys) and isinstance(value, int | float)
        yield tuple(row[n] for n in keys), float(value) if is_number else None  # type: ignore[arg-type]
