"""Two ways to predict the same words: two bars a word, on one axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.text import _
from explorer.text.formatting.probabilities import in_digits, scale_for, signed
from explorer.text.pieces import visible
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.bar_table import NOT_THERE, BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row

FIRST_BAR, SECOND_BAR = "bar", "bar_second"
"""Whose bar has which colour of the theme."""


@dataclass(frozen=True)
class Pair:
    """A word with the probabilities of two predictors; None where one does not know it.

    Attributes:
        word: As it is drawn.
        first: Its probability.
        first_rank: Its rank; None where it is not known.
        second: The other's probability.
        second_rank: The other's rank.
        tag: What it is besides; "" for nothing.
        ground: The colour behind it; "" for none.
        mark: Where the second's bar ended in a pinned answer; None for no mark.
        about: What else is known of it, line by line.
        key: Which word it is, so that the keyboard finds it again.
        act: What choosing it does; None for nothing.
        first_said: What the first says in the place of numbers; "" for the numbers.
    """

    word: str
    first: float | None
    first_rank: int | None
    second: float | None
    second_rank: int | None
    tag: str = ""
    ground: str = ""
    mark: float | None = None
    about: tuple[str, ...] = ()
    key: Any = None
    act: Any = None
    first_said: str = ""

    @property
    def difference(self) -> float | None:
        """The second's probability minus the first's."""
        if self.first is None or self.second is None:
            return None
        return self.second - self.first


def number(probability: float | None, rank: int | None) -> str:
    """A probability with its rank, where that is known; a dash where the vocabulary lacks it."""
    if probability is None:
        return NOT_THERE
    return in_digits(probability) if rank is None else f"{in_digits(probability)} ({rank:,})"


def details(one: Pair, names: tuple[str, str]) -> str:
    """What is known of a word."""
    lines = [one.word]
    values = ((one.first, one.first_rank), (one.second, one.second_rank))
    said = (one.first_said, "")
    for name, (value, rank), words in zip(names, values, said, strict=True):
        if words:
            lines.append(_("{name}: {words}", name=name, words=words))
        elif value is None:
            lines.append(_("{name}: its vocabulary has no such word as one piece", name=name))
        elif rank is None:
            lines.append(_("{name}: {value}", name=name, value=in_digits(value)))
        else:
            lines.append(
                _("{name}: {value}, rank {rank}", name=name, value=in_digits(value), rank=rank)
            )
    return "\n".join((*lines, *one.about))


def pairs(
    words: Sequence[Pair],
    names: tuple[str, str],
    title: str = "",
    among: Sequence[Pair] = (),
    above: Space = Space.NEAR,
    axis: Axis | None = None,
) -> BarTable:
    """A row a word: the upper, blue bar is the first predictor's, the lower, green the second's.

    Args:
        words: In the order they are shown.
        names: What the two predictors are called.
        title: What a screen reader calls the table.
        among: The words of all tables that stand together, so that axis and columns are alike.
        above: The room above it.
        axis: Of the bars, where it must stay the same when their values change; None for one that
            holds the bars of now.
    """
    return BarTable(
        [_row(one, names) for one in words],
        (
            Column(_("{name} (rank)", name=names[0]), title_colour=FIRST_BAR),
            Column(_("{name} (rank)", name=names[1]), title_colour=SECOND_BAR),
            Column(_("difference"), "accent", dispensable=True, words=f"{names[1]} − {names[0]}"),
        ),
        axis or axis_of((*words, *among)),
        title,
        peers=[_row(one, names) for one in among],
        above=above,
    )


def axis_of(words: Sequence[Pair]) -> Axis:
    """One that holds every bar and mark."""
    values = [v for one in words for v in (one.first, one.second, one.mark) if v is not None]
    return Axis(scale_for(max(values, default=1.0)))


def bars_of(one: Pair) -> tuple[Bar | None, Bar | None]:
    """A word's two bars."""
    return (
        Bar(one.first, FIRST_BAR) if one.first is not None else None,
        Bar(one.second, SECOND_BAR) if one.second is not None else None,
    )


def _row(one: Pair, names: tuple[str, str]) -> Row:
    apart = one.difference
    return Row(
        visible(one.word),
        (
            one.first_said or number(one.first, one.first_rank),
            number(one.second, one.second_rank),
            "" if apart is None else signed(apart),
        ),
        bars_of(one),
        mark=one.mark,
        tag=one.tag,
        ground=one.ground,
        words=details(one, names),
        key=one.key,
        act=one.act,
    )
