"""Two ways to predict the same words: two bars a word, on one axis."""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.api import FIRST, SECOND
from explorer.ui.blocks.bar_table import NOT_THERE, BarTable
from explorer.ui.blocks.rows import Axis, Bar, Column, Row
from explorer.ui.sentence.pieces import visible
from explorer.ui.widgets.bar_rows import in_digits, scale_for, signed


@dataclass(frozen=True)
class Pair:
    """A word with the probabilities of two predictors; None where one does not know it.

    Attributes:
        word: As it is drawn.
        first: Its probability.
        first_rank: Its rank.
        second: The other's probability.
        second_rank: The other's rank.
        tag: What it is besides; "" for nothing.
    """

    word: str
    first: float | None
    first_rank: int | None
    second: float | None
    second_rank: int | None
    tag: str = ""


def number(probability: float | None, rank: int | None) -> str:
    """A probability with its rank; a dash where the vocabulary lacks the word."""
    if probability is None or rank is None:
        return NOT_THERE
    return f"{in_digits(probability)} ({rank:,})"


def details(one: Pair, names: tuple[str, str]) -> str:
    """What is known of a word."""
    lines = [one.word]
    values = ((one.first, one.first_rank), (one.second, one.second_rank))
    for name, (value, rank) in zip(names, values, strict=True):
        if value is None or rank is None:
            lines.append(f"{name}: its vocabulary has no such word as one piece")
        else:
            lines.append(f"{name}: {in_digits(value)}, rank {rank:,}")
    return "\n".join(lines)


def pairs(
    words: Sequence[Pair], names: tuple[str, str], title: str = "", among: Sequence[Pair] = ()
) -> BarTable:
    """A row a word: the upper, blue bar is the first predictor's, the lower, green the second's.

    Args:
        words: In the order they are shown.
        names: What the two predictors are called.
        title: What a screen reader calls the table.
        among: The words of all tables that stand together, so that axis and columns are alike.
    """
    values = [v for one in (*words, *among) for v in (one.first, one.second) if v is not None]
    difference = f"{names[1]} − {names[0]}" if names == (FIRST, SECOND) else "difference"
    return BarTable(
        [_row(one, names) for one in words],
        (
            Column(f"{names[0]} (rank)"),
            Column(f"{names[1]} (rank)"),
            Column(difference, "accent", dispensable=True),
        ),
        Axis(scale_for(max(values, default=1.0))),
        title,
        peers=[_row(one, names) for one in among],
    )


def _row(one: Pair, names: tuple[str, str]) -> Row:
    both = one.first is not None and one.second is not None
    return Row(
        visible(one.word),
        (
            number(one.first, one.first_rank),
            number(one.second, one.second_rank),
            signed((one.second or 0.0) - (one.first or 0.0)) if both else "",
        ),
        (
            Bar(one.first) if one.first is not None else None,
            Bar(one.second, "pair") if one.second is not None else None,
        ),
        tag=one.tag,
        words=details(one, names),
    )
