"""Where everything of the loop stands at a width."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from explorer.ui.views.detection.loop_rows import LoopRow
from explorer.ui.widgets.token_layout import MASK_LABEL, text_height, text_width

SIDE = 14.0
GAP = 30.0
"""Between columns: room for an arrow."""

ROW_GAP = 5.0
HEAD_GAP = 10.0
INNER = 12.0
"""Between the edge of a model's box and what is in it."""

NARROW = 640.0
"""Below this width the mask is drawn in the sentence's own column."""

TIGHT = 600.0
"""Below this width outcomes are signs without words."""

CHIP = (58.0, 118.0)
JUDGE = (130.0, 300.0, 92.0)
PROPOSALS = (150.0, 260.0, 112.0)
"""The least and the greatest width of the models' boxes, and the least in a tight place."""

SIGN = 22.0
VERDICTS = ("hit", "miss", "false alarm", "guessed right")


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


@dataclass
class _Widths:
    """What the columns get."""

    chip: float
    truth: float
    gap: float = GAP
    proposals: float = 0.0
    judge: float = 0.0
    masked: bool = False


def arrange_loop(rows: Sequence[LoopRow], width: float) -> LoopLayout:
    """Columns for a width, and a row for each token as tall as its proposals.

    Args:
        rows: In the order of the input.
        width: In pixels.
    """
    has_generator = any(row.masked for row in rows)
    widths = _widths(rows, width, has_generator)
    x = SIDE
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
    truth = Band(judge.right + 14.0, judge.right + 14.0 + widths.truth)
    number = text_width("small", "0.00") + 8.0
    bar = Band(judge.left + INNER, judge.right - INNER - number)
    line = text_height("small") + 3.0
    chip = text_height("token") + 8.0
    head = text_height("strong") + 2 * text_height("small") + 8.0
    y = body = head + HEAD_GAP + 6.0
    boxes: list[QRectF] = []
    lines: list[tuple[QRectF, ...]] = []
    for row in rows:
        least = text_height("small") + 4.0 if row.special else chip
        tall = max(least, len(row.proposals) * line + 4.0)
        boxes.append(QRectF(SIDE, y, truth.right - SIDE, tall))
        inside: list[QRectF] = []
        if generator is not None:
            top = y + (tall - len(row.proposals) * line) / 2
            inside = [
                QRectF(generator.left + INNER, top + i * line, generator.width - 2 * INNER, line)
                for i in range(len(row.proposals))
            ]
        lines.append(tuple(inside))
        y += tall + ROW_GAP
    return LoopLayout(
        width=truth.right + SIDE,
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
        word=_word_width(rows, generator),
        chip=chip,
        with_words=width >= TIGHT,
        bar=bar,
    )


def _word_width(rows: Sequence[LoopRow], generator: Band | None) -> float:
    """The proposals' words get what they need, and the bars at least half."""
    if generator is None:
        return 0.0
    widest = max(text_width("strong", one.word) for row in rows for one in row.proposals)
    return min(widest + 14.0, (generator.width - 2 * INNER) * 0.5)


def _widths(rows: Sequence[LoopRow], width: float, has_generator: bool) -> _Widths:
    """Share out a width: chips take what their words need, the models' boxes the rest."""
    tight = width < TIGHT
    words = [text_width("token", one) for row in rows for one in (row.original, row.corrupted)]
    chip = max(max(words, default=0.0), text_width("strong", MASK_LABEL)) + 18
    chip = min(max(chip, CHIP[0]), 84.0 if tight else CHIP[1])
    truth = SIGN if tight else max(text_width("small", one) for one in VERDICTS) + SIGN + 6
    found = _Widths(chip, truth)
    found.masked = has_generator and width >= NARROW
    if width < NARROW:
        found.gap = 16.0 if tight else 20.0
    columns = 2 + found.masked
    arrows = columns + has_generator
    rest = width - 2 * SIDE - columns * chip - arrows * found.gap - truth - 14.0
    least = 2 if tight else 0
    if has_generator:
        found.proposals = min(max(rest * 0.5, PROPOSALS[least]), PROPOSALS[1])
        rest -= found.proposals
    found.judge = min(max(rest, JUDGE[least]), JUDGE[1])
    # A wide window gives its room to the arrows, up to a point.
    spare = rest - found.judge
    if spare > 0:
        found.gap += min(spare / arrows, 26.0)
    return found
