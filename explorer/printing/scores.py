"""Scores of given words for people."""

import math
from typing import Any

from explorer.api import Table
from explorer.headless import Answered
from explorer.printing.heads import print_head
from explorer.printing.tables import print_table, small


def show_scores(answered: Answered) -> None:
    """Print the words of every gap, most probable first."""
    result = answered.result
    print_head(answered)
    print(result.method)
    for number, gap in enumerate(result.gaps, start=1):
        print(f"\nmask {number} of {len(result.gaps)}, token {gap.positions[0]}")
        if gap.favourite is not None:
            best = gap.favourite
            print(f"the model's own first choice: {best.word} ({best.probability:.4f})")
        scores = sorted(gap.scores, key=lambda one: (one.place is None, one.place or 0))
        columns = ("", "", "probability", "log-odds", "rank", "pieces")
        print_table(Table(columns, tuple(map(_row, scores))))


def _row(one: Any) -> tuple[int | str | None, ...]:
    if one.log_probability is None or one.log_odds is None:
        return None, one.word, None, None, None, one.problem
    probability = small(math.exp(one.log_probability))
    rank = "-" if one.rank is None else f"{one.rank:,}"
    pieces = " ".join(piece.token for piece in one.pieces)
    return one.place, one.word, probability, f"{one.log_odds:+.3f}", rank, pieces
