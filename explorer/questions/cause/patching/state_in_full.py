"""What is predicted with either text, and with one state put back."""

from collections.abc import Iterator

from explorer.api import Failure
from explorer.questions.cause.patching.question import (
    PatchedCell,
    PatchingResult,
)
from explorer.questions.cause.patching.wording import (
    share,
)
from explorer.text import _, said
from explorer.text.formatting.numbers import with_minus
from explorer.text.formatting.probabilities import in_digits, scale_for
from explorer.text.pieces import visible, word_or_piece
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis as BarAxis
from explorer.ui.blocks.tables.rows import Bar, Column, Row
from explorer.ui.blocks.text import note, warning


def state_in_full(shown: Shown) -> Iterator[Block]:
    """What is predicted with the first text, the second, and with the state put back."""
    found = [shown.details.get(one) for one in shown.complete]
    if not found or found[0] is None:
        yield note(_("The prediction is on its way."))
        return
    if isinstance(found[0], Failure):
        yield warning(said(found[0].message))
        return
    cell: PatchedCell = found[0].cell
    result: PatchingResult = shown.result
    first, second = result.words
    yield note(
        _(
            "“{first}” against “{second}”: {nats} nats with the state put back; {share} of the "
            "difference.",
            first=visible(first),
            second=visible(second),
            nats=with_minus(cell.difference, 2),
            share=share(cell.effect),
        )
    )
    top = max(max(one.clean, one.corrupt, one.patched) for one in cell.words)
    rows = [
        Row(
            word_or_piece(one),
            tuple(in_digits(value) for value in (one.clean, one.corrupt, one.patched)),
            (
                Bar(one.clean, "muted"),
                Bar(one.corrupt, "bar_second"),
                Bar(one.patched, "bar"),
            ),
            strong=one.word in result.words,
            words=_("Piece: {token}\nRank, patched: {rank}", token=one.token, rank=one.rank),
            key=("word", one.id),
        )
        for one in cell.words
    ]
    yield BarTable(
        rows,
        (
            Column(_("first text"), title_colour="muted"),
            Column(_("second text"), title_colour="bar_second"),
            Column(_("patched"), title_colour="bar"),
        ),
        BarAxis(scale_for(top)),
        _("Predictions with the first text, the second, and patched"),
        first=1,
        bold=False,
        track=True,
    )
