"""Merges in the order in which they were learnt, and the pieces of a unigram model."""

import math
from collections.abc import Iterator

from explorer.questions.tokenizers.train_tokenizer.options import FIND, ROWS, START, Algorithm
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import Trained
from explorer.text import _
from explorer.text.formatting.numbers import whole, with_minus
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import note


def found(one: Trained, wanted: str) -> list[int]:
    """Ranks of the merges or pieces that have these letters in them; all for no letters."""
    if one.algorithm is Algorithm.UNIGRAM:
        pieces = list(one.pieces[one.special :])
    else:
        pieces = [one.pieces[made] for made in one.merges[:, 2]]
    return [rank for rank, piece in enumerate(pieces) if wanted in piece]


def window(one: Trained, shown: Shown) -> tuple[list[int], int]:
    """All ranks that are found, and the place of the first one that is shown."""
    ranks = found(one, shown.value(FIND).strip())
    start = shown.value(START)
    at = next((place for place, rank in enumerate(ranks) if rank >= start), 0)
    return ranks, at


def learnt(one: Trained, shown: Shown) -> Block:
    """The rows in sight."""
    ranks, at = window(one, shown)
    if not ranks:
        words = shown.value(FIND).strip()
        if words:
            return note(_("No piece that was learnt has “{words}” in it.", words=words))
        return note(_("There is room for single letters only: nothing was merged."))
    here = ranks[at : at + ROWS]
    return _pieces(one, here) if one.algorithm is Algorithm.UNIGRAM else _merges(one, here)


def moves(one: Trained, shown: Shown) -> Iterator[Chip]:
    """Back and forward."""
    ranks, at = window(one, shown)
    if len(ranks) <= ROWS:
        return
    last = max(0, (len(ranks) - 1) // ROWS * ROWS)
    for title, to, key in (
        (_("First"), 0, "first"),
        (_("Back"), max(0, at - ROWS), "back"),
        (_("Forward"), at + ROWS if at + ROWS < len(ranks) else at, "forward"),
        (_("Last"), last, "last"),
    ):
        rank = ranks[to]
        act = shown.setting(START, rank, _("show from rank {rank}", rank=rank))
        yield Chip(title, act, key=("move", key))


def _merges(one: Trained, ranks: list[int]) -> BarTable:
    columns = (
        Column(_("Left"), left=True, mono=True),
        Column(_("Right"), left=True, mono=True),
        Column(_("Times"), words=_("How often the pair stood in the text before it was merged.")),
    )
    rows = [
        Row(
            one.pieces[one.merges[rank, 2]],
            (
                *(one.pieces[number] for number in one.merges[rank, :2]),
                whole(int(one.counts[rank])),
            ),
            (Bar(float(one.counts[rank])),),
            lead=whole(rank),
            key=("merge", rank),
        )
        for rank in ranks
    ]
    top = max((float(one.counts[rank]) for rank in ranks), default=1.0)
    made = Column(_("Rank, piece"), words=_("0 is the merge that was learnt first."))
    axis = Axis(top or 1.0, titled=False)
    return BarTable(rows, columns, axis, _("Merges in their order"), label=made)


def _pieces(one: Trained, ranks: list[int]) -> BarTable:
    columns = (
        Column(_("Log-probability"), words=_("In nats.")),
        Column(_("Probability")),
        Column(
            _("Kept from"),
            words=_("The smallest vocabulary of the curves that has this piece, too."),
            dispensable=True,
        ),
    )
    rows = []
    for rank in ranks:
        number = rank + one.special
        score = float(one.scores[number])
        probability = math.exp(score)
        kept = whole(int(one.kept_from[number]))
        rows.append(
            Row(
                one.pieces[number],
                (with_minus(score, 3), in_digits(probability), kept),
                (Bar(probability),),
                lead=whole(rank),
                key=("piece", rank),
            )
        )
    top = max((math.exp(float(one.scores[rank + one.special])) for rank in ranks), default=1.0)
    piece = Column(_("Rank, piece"), words=_("0 is the likeliest piece."))
    axis = Axis(top or 1.0, titled=False)
    return BarTable(rows, columns, axis, _("Pieces"), label=piece)
