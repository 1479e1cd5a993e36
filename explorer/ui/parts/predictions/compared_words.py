"""Words as two distributions have them, a row each: two bars on one axis."""

from collections.abc import Iterable, Sequence
from typing import Any

from explorer.api.question.parts.predictions.compared import ComparedWord
from explorer.text import Phrase, _, said
from explorer.text.formatting.probabilities import in_digits, scale_for, signed
from explorer.text.pieces import visible
from explorer.ui.blocks.tables.bar_table import NOT_THERE, BarTable
from explorer.ui.blocks.tables.rows import FIRST_BAR, SECOND_BAR, Bar, BarAxis, BarColumn, BarRow


def drawn(one: ComparedWord) -> str:
    """A model's word as it is, what the program calls something in the reader's language."""
    return said(one.word) if isinstance(one.word, Phrase) else one.word


def number(probability: float | None, rank: int | None) -> str:
    """A probability with its rank, where that is known; a dash where the vocabulary lacks it."""
    if probability is None:
        return NOT_THERE
    return in_digits(probability) if rank is None else f"{in_digits(probability)} ({rank:,})"


def details(one: ComparedWord, names: tuple[str, str]) -> list[str]:
    """What is known of a word, line by line."""
    lines = [drawn(one)]
    instead = (one.instead, "")
    for name, value, rank, words in zip(names, one.chances, one.ranks, instead, strict=True):
        if words:
            lines.append(_("{name}: {words}", name=name, words=_(words)))
        elif value is None:
            lines.append(_("{name}: its vocabulary has no such word as one piece", name=name))
        elif rank is None:
            lines.append(_("{name}: {value}", name=name, value=in_digits(value)))
        else:
            lines.append(
                _("{name}: {value}, rank {rank}", name=name, value=in_digits(value), rank=rank)
            )
    return [*lines, *map(said, one.about)]


def row_of(
    one: ComparedWord,
    names: tuple[str, str],
    key: Any = None,
    put: Any = None,
    then: float | None = None,
) -> BarRow:
    """A word in its row: the upper, blue bar is the first's, the lower, green the second's.

    Args:
        one: The word.
        names: What the two are called.
        key: Which word it is, so that the keyboard finds it again.
        put: What puts it into the sentence; None where there is no place for it.
        then: What the pinned answer's second gives it.
    """
    first, second = one.chances
    lines = details(one, names)
    if put is not None:
        lines.append(_("Click to put it into the sentence."))
    if then is not None and second is not None:
        lines.append(
            _(
                "Pinned: {in_digits}; now {signed}",
                in_digits=in_digits(then),
                signed=signed(second - then),
            )
        )
    return BarRow(
        visible(drawn(one)),
        (
            _(one.instead) if one.instead else number(first, one.ranks[0]),
            number(second, one.ranks[1]),
            "" if first is None or second is None else signed(second - first),
        ),
        bars_of(one),
        mark=then if second is not None else None,
        tag=_(one.tag) if one.tag else "",
        ground="mask_fill" if one.tag else "",
        words="\n".join(lines),
        key=key,
        act=put,
    )


def bars_of(one: ComparedWord) -> tuple[Bar | None, ...]:
    """A word's two bars; None for one whose side does not know it."""
    both = zip(one.chances, (FIRST_BAR, SECOND_BAR), one.beneath or (None, None), strict=True)
    return tuple(
        None if chance is None else Bar(chance, colour, beneath=beneath)
        for chance, colour, beneath in both
    )


def axis_of(rows: Iterable[BarRow]) -> BarAxis:
    """One that holds every bar and mark."""
    ends = ((*(bar.value for bar in one.bars if bar is not None), one.mark or 0.0) for one in rows)
    return BarAxis(scale_for(max((end for some in ends for end in some), default=1.0)))


def words_table(
    rows: Sequence[BarRow], names: tuple[str, str], axis: BarAxis, peers: Sequence[BarRow]
) -> BarTable:
    """A row a word.

    Args:
        rows: In the order they are shown.
        names: What the two are called.
        axis: Of the bars.
        peers: Of all tables that stand together, so that columns are alike.
    """
    return BarTable(
        rows,
        (
            BarColumn(_("{name} (rank)", name=names[0]), title_colour=FIRST_BAR),
            BarColumn(_("{name} (rank)", name=names[1]), title_colour=SECOND_BAR),
            BarColumn(
                _("difference"), "accent", dispensable=True, words=f"{names[1]} − {names[0]}"
            ),
        ),
        axis,
        _("{first} and {second}", first=names[0], second=names[1]),
        peers=peers,
    )
