"""Where everything of the loop stands at a width."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from explorer.numerics.evaluation.outcomes import Outcome
from explorer.questions.detection.replaced_tokens.picture.rows import LoopRow
from explorer.questions.detection.wording import NAMES
from explorer.text import _
from explorer.ui.blocks import MASK_LABEL, text_height, text_width, wrapped_lines, zoomed

SIDE = 14.0
ROW_GAP = 5.0
HEAD_GAP = 10.0
OVER = 8.0
"""Pixels by which words may stand over a band's edge, into the gap beside it."""
INNER = 12.0
"""Between the edge of a model's box and what is in it."""

CHIP = 58.0
"""The least width of a token."""

MOST_JUDGE = 420.0
MOST_PROPOSALS = 320.0
MOST_SPARE = 48.0
"""Pixels that a gap gets at most of what a wide window has to spare."""
SIGN = 22.0


def verdicts() -> tuple[str, ...]:
    """All that is said of a token's outcome."""
    said = (Outcome.HIT, Outcome.MISS, Outcome.FALSE_ALARM)
    return (*(_(NAMES[one]) for one in said), _("guessed right"), _("original"))


@dataclass(frozen=True)
class Band:
    """A column's left and right edge."""

    left: float
    right: float

    @property
    def width(self) -> float:
        """In pixels."""
        return self.right - self.left

    def box(self, top: float, height: float) -> QRectF:
        """A part of it."""
        return QRectF(self.left, top, self.width, height)


@dataclass(frozen=True)
class LoopLayout:
    """Rectangles in pixels, with the picture's corner at (0, 0).

    Attributes:
        width: Of the picture.
        height: Of the picture.
        head: Height of the column titles.
        body: Top of the first row.
        sentence: The column of the sentence as it was.
        masked: With masks; None where they stand in the sentence's column.
        generator: The generator's box; None without one.
        corrupted: The column of what the discriminator reads.
        judge: The discriminator's box.
        truth: The column of truths and outcomes.
        rows: The box of each row over all columns.
        lines: The boxes of each row's proposals.
        word: Width of the proposals' words.
        chip: Height of a token.
        with_words: Outcomes are told in words beside their signs.
        bar: From where probabilities are drawn to where 1 is.
        names: Lines of the generator's name and of the discriminator's.
    """

    width: float
    height: float
    head: float
    body: float
    sentence: Band
    masked: Band | None
    generator: Band | None
    corrupted: Band
    judge: Band
    truth: Band
    rows: tuple[QRectF, ...]
    lines: tuple[tuple[QRectF, ...], ...]
    word: float
    chip: float
    with_words: bool
    bar: Band
    names: tuple[list[str], list[str]]

    @property
    def whole(self) -> QRectF:
        """All of it."""
        return QRectF(0.0, 0.0, self.width, self.height)

    def chip_in(self, band: Band, row: int) -> QRectF:
        """A token's box in a column."""
        box = self.rows[row]
        return QRectF(band.left, box.center().y() - self.chip / 2, band.width, self.chip)

    def x_of(self, probability: float) -> float:
        """Where a probability is on the discriminator's scale."""
        return self.bar.left + self.bar.width * min(max(probability, 0.0), 1.0)

    def probability_at(self, x: float) -> float:
        """What a place on the discriminator's scale means."""
        return min(max((x - self.bar.left) / max(self.bar.width, 1.0), 0.0), 1.0)


@dataclass(frozen=True)
class _Fit:
    """One way to fill a width, from roomy to tight.

    Attributes:
        masked: The masks have a column of their own.
        words: Outcomes are told in words beside their signs.
        gap: Between columns.
        chip: The widest a token may be at the usual size of text.
        proposals: Least width of the generator's box.
        judge: Least width of the discriminator's.
        side: Left and right of everything.
        inner: Between the edge of a model's box and what is in it.
        pad: What a token has more than its word, both sides together.
        beside: Between the discriminator's box and the outcomes.
    """

    masked: bool
    words: bool
    gap: float
    chip: float
    proposals: float
    judge: float
    side: float = SIDE
    inner: float = INNER
    pad: float = 18.0
    beside: float = 14.0


FITS = (
    _Fit(masked=True, words=True, gap=24.0, chip=118.0, proposals=150.0, judge=130.0),
    _Fit(masked=False, words=True, gap=22.0, chip=118.0, proposals=150.0, judge=130.0),
    _Fit(masked=False, words=True, gap=18.0, chip=90.0, proposals=126.0, judge=104.0),
    _Fit(masked=False, words=False, gap=16.0, chip=80.0, proposals=112.0, judge=92.0),
    # For a column of a journal.
    _Fit(
        masked=False,
        words=False,
        gap=8.0,
        chip=74.0,
        proposals=98.0,
        judge=66.0,
        side=2.0,
        inner=4.0,
        pad=10.0,
        beside=4.0,
    ),
)


@dataclass
class _Widths:
    """What the columns get."""

    chip: float
    truth: float
    gap: float
    words: bool
    masked: bool
    fit: _Fit
    proposals: float = 0.0
    judge: float = 0.0


def arrange_loop(
    rows: Sequence[LoopRow], width: float, generator_name: str = "", judge_name: str = ""
) -> LoopLayout:
    """Columns for a width, and a row for each token as tall as its proposals.

    Args:
        rows: In the order of the input.
        width: In pixels.
        generator_name: What its model is called.
        judge_name: What the discriminator is called.
    """
    has_generator = any(row.masked for row in rows)
    widths = _widths(rows, width, has_generator)
    fit = widths.fit
    x = fit.side
    sentence = Band(x, x + widths.chip)
    x = sentence.right + widths.gap
    masked: Band | None = None
    if widths.masked:
        masked = Band(x, x + widths.chip)
        x = masked.right + widths.gap
    generator: Band | None = None
    if has_generator:
        generator = Band(x, x + widths.proposals)
        x = generator.right + widths.gap
    corrupted = Band(x, x + widths.chip)
    x = corrupted.right + widths.gap
    judge = Band(x, x + widths.judge)
    truth = Band(judge.right + fit.beside, judge.right + fit.beside + widths.truth)
    number = text_width("small", "0.00") + 8.0
    bar = Band(judge.left + fit.inner, judge.right - fit.inner - number)
    line = text_height("small") + 3.0
    chip = text_height("token") + 8.0
    names = (_name_lines(generator_name, generator), _name_lines(judge_name, judge))
    named = max(1, *map(len, names))
    head = text_height("strong") + (1 + named) * text_height("small") + 8.0
    y = body = head + HEAD_GAP + 6.0
    boxes: list[QRectF] = []
    lines: list[tuple[QRectF, ...]] = []
    for row in rows:
        least = text_height("small") + 4.0 if row.special else chip
        tall = max(least, len(row.proposals) * line + 4.0)
        boxes.append(QRectF(fit.side, y, truth.right - fit.side, tall))
        inside: list[QRectF] = []
        if generator is not None:
            top = y + (tall - len(row.proposals) * line) / 2
            inside = [
                QRectF(
                    generator.left + fit.inner,
                    top + i * line,
                    generator.width - 2 * fit.inner,
                    line,
                )
                for i in range(len(row.proposals))
            ]
        lines.append(tuple(inside))
        y += tall + ROW_GAP
    return LoopLayout(
        width=truth.right + fit.side,
        height=y + HEAD_GAP,
        head=head,
        body=body,
        sentence=sentence,
        masked=masked,
        generator=generator,
        corrupted=corrupted,
        judge=judge,
        truth=truth,
        rows=tuple(boxes),
        lines=tuple(lines),
        word=_word_width(rows, generator, fit.inner),
        chip=chip,
        with_words=widths.words,
        bar=bar,
        names=names,
    )


def _name_lines(name: str, band: Band | None) -> list[str]:
    """A model's name in lines over its box, which end where its parts do."""
    if band is None:
        return []
    longest = max(text_width("small", one) for one in re.split(r"(?<=[._/ -])", name))
    room = max(band.width - 4.0, min(longest, band.width + 2 * OVER))
    return wrapped_lines("small", name, room)


def _word_width(rows: Sequence[LoopRow], generator: Band | None, inner: float) -> float:
    """The proposals' words get what they need, and the bars the rest, where that is enough."""
    if generator is None:
        return 0.0
    widest = max(text_width("strong", one.word) for row in rows for one in row.proposals)
    room = generator.width - 2 * inner - text_width("small", "0.00")
    return min(widest + 14.0, room - 4.0)


def _widths(rows: Sequence[LoopRow], width: float, has_generator: bool) -> _Widths:
    """The roomiest way that fits: chips take what their words need, the models' boxes the rest."""
    words = [text_width("token", one) for row in rows for one in (row.original, row.corrupted)]
    # What was replaced is in bold.
    words += [text_width("strong", one) for one in (MASK_LABEL, *(row.corrupted for row in rows))]
    wanted = max(words)
    told = max(text_width("small", one) for one in verdicts()) + SIGN + 6
    for fit in FITS:
        chip = min(max(wanted + fit.pad, CHIP), zoomed(round(fit.chip)))
        masked = has_generator and fit.masked
        found = _Widths(chip, told if fit.words else SIGN, fit.gap, fit.words, masked, fit)
        columns = 2 + found.masked
        arrows = columns + has_generator
        rest = width - 2 * fit.side - columns * chip - arrows * fit.gap
        rest -= found.truth + fit.beside
        if rest >= fit.judge + (fit.proposals if has_generator else 0.0):
            break
    if has_generator:
        found.proposals = min(max(rest * 0.5, fit.proposals), MOST_PROPOSALS)
        rest -= found.proposals
    found.judge = min(max(rest, fit.judge), MOST_JUDGE)
    # A wide window gives its room to the arrows, up to a point.
    spare = rest - found.judge
    if spare > 0:
        found.gap += min(spare / arrows, MOST_SPARE)
    return found
