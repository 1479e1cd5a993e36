"""Lengths of pieces as bars, and ranks against frequencies."""

import numpy as np

from explorer.questions.tokenizers.vocabulary.question import Counted, Counts
from explorer.text import _
from explorer.ui.blocks import Axis, Bars, Chart, Line, Series

MOST_LENGTHS = 24
"""Lengths that have a bar of their own; longer pieces stand in the last one."""


def lengths_chart(counts: Counts, before: Counts | None, title: str, unit: str) -> Chart:
    """How many pieces are how long.

    Args:
        counts: Of pieces, by length.
        before: The pinned ones.
        title: Of the chart.
        unit: What is counted: characters, bytes.
    """
    own = _folded(counts)
    places = np.arange(len(own), dtype=np.float64)
    heights = own.astype(np.float64)
    series: list[Series] = [Bars(places - 0.5, places + 0.5, 0.0, heights, ("bar",))]
    if before is not None:
        other = _folded(before).astype(np.float64)
        there = np.arange(len(other), dtype=np.float64)
        series.append(Line(_("pinned"), there, other, "bar_original", marked=False, after=""))
    most = int(counts.argmax()) if len(counts) else 0
    last = len(own) - 1
    ends = _("The last bar has all longer ones.") if len(counts) > MOST_LENGTHS + 1 else ""
    return Chart(
        title,
        " ".join(filter(None, (_("How many pieces have which length."), ends))),
        tuple(series),
        Axis(unit, -0.5, last + 0.5, whole=True),
        Axis(_("pieces"), 0.0, grid=True, whole=True),
        height=190,
        readout=lambda x: _pieces_at(own, x),
        spoken=_("Most pieces have the length {length}.", length=most),
    )


def _folded(counts: Counts) -> Counts:
    """With all that are too long in the last place."""
    if len(counts) <= MOST_LENGTHS + 1:
        return counts
    return np.append(counts[:MOST_LENGTHS], counts[MOST_LENGTHS:].sum())


def _pieces_at(counts: Counts, x: float) -> str:
    place = round(x)
    if not 0 <= place < len(counts):
        return ""
    return _("{length}: {count} pieces", length=place, count=int(counts[place]))


def ranks_chart(counted: Counted, before: Counted | None) -> Chart:
    """How often the piece of each rank stands in the text."""
    series = [_line(_("this text"), counted, "bar")]
    if before is not None and len(before.ranks):
        series.append(_line(_("pinned"), before, "bar_original"))
    return Chart(
        _("Rank and frequency"),
        _("A straight line falls as Zipf's law has it: half as often at twice the rank."),
        tuple(series),
        Axis(_("rank"), 1.0, logarithmic=True),
        Axis(_("uses"), 1.0, logarithmic=True, grid=True),
        height=220,
        at=_("rank"),
    )


def _line(name: str, counted: Counted, colour: str) -> Line:
    return Line(
        name,
        counted.ranks.astype(np.float64),
        counted.frequencies.astype(np.float64),
        colour,
        marked=False,
        after="",
    )
