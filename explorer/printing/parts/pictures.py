"""Kinds of parts that letters can draw: bars of shares, shades of matrices, columns of curves."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.api.prediction import MaskPredictions
from explorer.api.question.parts.charts.curves import Curves, Panel
from explorer.api.question.parts.matrices.grid import Grid
from explorer.api.question.parts.matrices.heads import Heads
from explorer.api.question.parts.matrices.token_pairs import TokenPairs
from explorer.api.question.parts.predictions.compared import Compared, ComparedWord
from explorer.api.question.parts.predictions.predictions import Predictions
from explorer.api.question.parts.tokens.losses import Losses
from explorer.api.question.parts.tokens.scores import Scores
from explorer.printing.columns import LINE, cut, wrapped
from explorer.printing.tables import bar, lines_of
from explorer.text import _, said
from explorer.text.formatting.numbers import decimal, significant
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import drawn, visible

SHADES = " ░▒▓█"
WIDEST = 14
"""Columns of the name of a matrix' row."""
POINTS = 12
"""Of a curve that are printed."""


def predictions_in_lines(part: Predictions) -> Iterator[str]:
    """The words of each mask with their bars."""
    for number, mask in enumerate(part.masks):
        if number:
            yield ""
        where = _(
            "mask {number} of {count}, token {position}  (entropy {entropy} nats)",
            number=number + 1,
            count=len(part.masks),
            position=mask.position,
            entropy=decimal(mask.entropy, 2),
        )
        version = f"  {said(part.versions[number][1])}" if part.versions else ""
        yield f"{where}{version}"
        yield from lines_of(_words(mask), (True, False, True, False))


def _words(mask: MaskPredictions) -> list[tuple[str, ...]]:
    every = list(mask.predictions)
    if mask.original is not None and mask.original.rank > len(every):
        every.append(mask.original)
    return [
        (f"{one.rank:,}", drawn(one), in_digits(one.probability), bar(one.probability))
        for one in every
    ]


def scores_in_lines(part: Scores) -> Iterator[str]:
    """Every token with its number and a bar."""
    numbers = {one.position: one for one in part.scores}
    rows = []
    for position, token in enumerate(part.tokens):
        one = numbers.get(position)
        if one is None:
            continue
        value = decimal(one.value, part.digits)
        rows.append(
            (one.word or visible(token.text), value, bar(abs(one.value) / part.highest, 20))
        )
    yield from lines_of(rows, (False, True, False))


def losses_in_lines(part: Losses) -> Iterator[str]:
    """Every token with its loss, a bar, and the word that was expected in its place."""
    longest = max((part.least, *(one.value for one in part.losses)))
    rows = []
    for one in part.losses:
        value, expected = decimal(one.value, 3), one.expected
        instead = "" if expected is None else _("expected {word}", word=drawn(expected))
        bars = bar(max(0.0, one.value) / longest, 20)
        rows.append((visible(part.tokens[one.position].text), value, bars, instead))
    yield from lines_of(rows, (False, True, False, False))


def compared_in_lines(part: Compared) -> Iterator[str]:
    """The words of both sides at every place."""
    first, second = (said(side.title) for side in part.sides)
    for number, place in enumerate(part.drawn):
        if number:
            yield ""
        if place.title or place.position is not None:
            yield said(place.title) or _("token {position}", position=place.position)
        for sentence in place.said:
            yield from wrapped(said(sentence), LINE)
        rows = [_compared(word) for word in place.words]
        headings = ("", first, "", second, "", "")
        yield from lines_of(rows, (False, True, True, True, True, False), headings)
        for sentence in place.below:
            yield from wrapped(said(sentence), LINE)


def _compared(word: ComparedWord) -> tuple[str, ...]:
    cells: list[str] = []
    for chance, rank in zip(word.chances, word.ranks, strict=True):
        told = said(word.instead) if chance is None else in_digits(chance)
        cells += [told, "" if rank is None else f"#{rank:,}"]
    return (said(word.word), *cells, said(word.tag))


def curves_in_lines(part: Curves) -> Iterator[str]:
    """The numbers of each panel, a column a curve, at some of the axis' numbers."""
    over = part.over
    names = [said(one) for one in over.words] or [significant(x, 4) for x in over.values.tolist()]
    for number, panel in enumerate(part.panels):
        if number:
            yield ""
        yield said(panel.title)
        on_axis = [one for one in panel.curves if one.at is None]
        headings = (said(over.title), *(said(one.name) for one in on_axis))
        rows = [
            (names[n], *(significant(float(one.values[n]), 4) for one in on_axis))
            for n in _points(len(names))
        ]
        if on_axis or not panel.curves:
            yield from lines_of(rows, (not over.words, *(True,) * len(on_axis)), headings)
        yield from _others(panel)


def _others(panel: Panel) -> Iterator[str]:
    """Curves with an axis of their own."""
    for one in panel.curves:
        if one.at is not None:
            rows = [
                (significant(float(one.at[n]), 4), significant(float(one.values[n]), 4))
                for n in _points(len(one.values))
            ]
            yield from lines_of(rows, (True, True), ("", said(one.name)))


def _points(count: int) -> Sequence[int]:
    """Numbers of the points that are printed: all, or some from the first to the last."""
    if count <= POINTS:
        return range(count)
    return sorted({round(n * (count - 1) / (POINTS - 1)) for n in range(POINTS)})


def pairs_in_lines(part: TokenPairs) -> Iterator[str]:
    """Each matrix in shades, with the column that each row looks at most."""
    rows, columns = (
        [visible(one.text) for one in side.tokens] for side in (part.rows, part.columns)
    )
    for one in part.drawn:
        values = one.values.astype(np.float64)
        if part.hidden is not None:
            values = np.where(part.hidden, np.nan, values)
        if len(part.drawn) > 1:
            yield said(one.title)
        yield from _shades(rows, columns, values)


def grid_in_lines(part: Grid) -> Iterator[str]:
    """Its cells in shades, with the strongest of each row."""
    rows, columns = ([said(one) for one in side.labels] for side in (part.rows, part.columns))
    if part.caption:
        yield said(part.caption)
    yield from _shades(rows, columns, part.values, part.colours.high, part.written)


def heads_in_lines(part: Heads) -> Iterator[str]:
    """A row a layer, with its strongest head."""
    if part.values is None:
        return
    yield said(part.caption)
    rows = [said(one) for one in part.layers]
    columns = [str(n) for n in range(part.heads)]
    yield from _shades(rows, columns, part.values, part.colours.high, part.written)


def _shades(
    rows: Sequence[str],
    columns: Sequence[str],
    values: NDArray[np.floating],
    high: float = 0.0,
    written: Callable[[float], str] | None = None,
) -> Iterator[str]:
    """A matrix: strength by shade, and behind each row its strongest column with the number."""
    known = np.abs(values[np.isfinite(values)])
    top = high or (float(known.max()) if known.size else 0.0) or 1.0
    lines = []
    for label, row in zip(rows, np.asarray(values, np.float64), strict=True):
        strengths = np.nan_to_num(np.abs(row), nan=-1.0)
        shades = "".join(
            "·" if one < 0 else SHADES[min(int(one / top * len(SHADES)), len(SHADES) - 1)]
            for one in strengths.tolist()
        )
        best = int(strengths.argmax())
        number = float(row[best])
        told = "" if strengths[best] < 0 else (written or "{:.4f}".format)(number)
        lines.append((cut(label, WIDEST), f"│{shades}│", told, columns[best] if told else ""))
    yield from lines_of(lines, (True, False, True, False))
