"""Rows of words with their probabilities: what is in them, where it stands, how it is painted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.api import Prediction
from explorer.ui.theme import FontRole, Theme
from explorer.ui.widgets.pieces import visible
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE_RIGHT = Qt.TextElideMode.ElideRight
SIDE = 6.0
BETWEEN = 10.0
SCALES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
TAG = "original"
TAG_GAP = 6.0
CHANGE = "change (rank was)"


def in_digits(probability: float) -> str:
    """A probability with four decimals, or as a power of ten where those would all be zero.

    A probability below one is never rounded up to one.
    """
    if probability <= 0.0:
        return "0"
    if probability < 0.0001:
        mantissa, exponent = f"{probability:.1e}".split("e")
        return f"{mantissa} × 10{str(int(exponent)).translate(_SUPERSCRIPT)}"
    text = f"{probability:.4f}"
    return "> 0.9999" if text == "1.0000" and probability < 1.0 else text


def signed(difference: float) -> str:
    """A difference with its sign and four decimals: "+0.0123", "−0.2000"."""
    if abs(difference) < 0.00005:
        return "±0.0000"
    return f"{'+' if difference > 0 else '−'}{abs(difference):.4f}"


def scale_for(largest: float) -> float:
    """The end of the bars' axis: the smallest round number that holds them all."""
    return next((scale for scale in SCALES if largest <= scale + 1e-12), 1.0)


@dataclass(frozen=True)
class Before:
    """What a word had in the pinned answer.

    Attributes:
        probability: None where that answer says nothing of it.
        rank: As the probability.
    """

    probability: float | None = None
    rank: int | None = None


def drawn(prediction: Prediction) -> str:
    """A word as it is drawn: white space as signs, dots where the rest of a word would be."""
    word = visible(prediction.word) or prediction.token
    if prediction.glue == "before":
        return f"…{word}"
    return f"{word}…" if prediction.glue == "after" else word


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        prediction: The word, its rank and probability.
        is_original: It is the word under the mask.
        apart: It stands below a separator, because its rank is not among the others'.
        before: What it had in the pinned answer; None where nothing is pinned.
    """

    prediction: Prediction
    is_original: bool = False
    apart: bool = False
    before: Before | None = None

    @property
    def word(self) -> str:
        """As it is drawn; white space as signs."""
        return drawn(self.prediction)

    @property
    def change(self) -> str:
        """The difference to the pinned probability, and the pinned rank; "new" without one."""
        if self.before is None:
            return ""
        if self.before.probability is None:
            return "new"
        rank = f" ({self.before.rank:,})" if self.before.rank is not None else ""
        return f"{signed(self.prediction.probability - self.before.probability)}{rank}"

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        extra = ", the original" if self.is_original else ""
        extra += f", {self.change} against the pinned answer" if self.change else ""
        prediction = self.prediction
        return f"Rank {prediction.rank}: {self.word}, {in_digits(prediction.probability)}{extra}"


def rows_of(
    predictions: Sequence[Prediction],
    original: Prediction | None,
    before: Callable[[Prediction], Before] | None = None,
) -> tuple[Row, ...]:
    """Rows for a mask; the original is marked, or appended where it is not among them.

    Args:
        predictions: Most probable first.
        original: The word under the mask, or None.
        before: What the pinned answer says of a word; None where nothing is pinned.
    """

    def then(one: Prediction) -> Before | None:
        return before(one) if before is not None else None

    rows = [Row(p, p.is_same(original), before=then(p)) for p in predictions]
    if original is not None and not any(row.is_original for row in rows):
        rows.append(Row(original, is_original=True, apart=True, before=then(original)))
    return tuple(rows)


@dataclass(frozen=True)
class Columns:
    """Where the columns of a list stand, in pixels.

    Attributes:
        width: Of the list.
        height: Of the list.
        row_height: Of one row.
        axis_height: Of the axis above the bars.
        separator_height: Of the line before a row that stands apart.
        rank: Right edge of the ranks.
        word: Left edge of the words.
        bar: Left edge of the bars.
        bar_end: Right edge of the bars.
        number: Right edge of the numbers.
        change: Right edge of the differences; the same as `number` where there are none.
        boxes: One a row.
    """

    width: float
    height: float
    row_height: float
    axis_height: float
    separator_height: float
    rank: float
    word: float
    bar: float
    bar_end: float
    number: float
    change: float
    boxes: tuple[QRectF, ...]


def word_width(row: Row) -> float:
    """Width of a row's word, and of what marks the original."""
    tag = TAG_GAP + text_width("small", TAG) if row.is_original else 0.0
    return text_width("strong" if row.is_original else "body", row.word) + tag


def arrange_rows(rows: Sequence[Row], width: float, peers: Sequence[Row] = ()) -> Columns:
    """Columns at a width: the words get what they need, up to half of what is there.

    Args:
        rows: To be arranged.
        width: In pixels.
        peers: Rows of all lists that stand together, so that their bars begin at one place.
    """
    every = (*rows, *peers)
    row_height = text_height("body") + 7
    axis_height = text_height("small") + 4
    ranks = [text_width("small", str(r.prediction.rank)) for r in every if not r.apart]
    words = max((word_width(row) for row in every), default=0.0)
    digits = [text_width("body", in_digits(r.prediction.probability)) for r in every]
    numbers = max([text_width("body", "0.0000"), *digits])
    rank = SIDE + max([text_width("small", "00"), *ranks])
    word = rank + BETWEEN
    change = width - SIDE
    changes = max((text_width("body", row.change) for row in every if row.change), default=0.0)
    number = change - (changes + BETWEEN if changes else 0.0)
    bar_end = number - numbers - BETWEEN
    room = max(bar_end - word, 60.0)
    bar = word + min(words + 2, room * 0.55) + BETWEEN
    boxes = []
    y = axis_height
    for row in rows:
        if row.apart:
            y += axis_height
        boxes.append(QRectF(0, y, width, row_height))
        y += row_height
    return Columns(
        width=width,
        height=y + 2,
        row_height=row_height,
        axis_height=axis_height,
        separator_height=axis_height,
        rank=rank,
        word=word,
        bar=bar,
        bar_end=bar_end,
        number=number,
        change=change,
        boxes=tuple(boxes),
    )


def paint_rows(
    painter: QPainter,
    theme: Theme,
    rows: Sequence[Row],
    at: Columns,
    scale: float,
    hover: int | None = None,
    current: int | None = None,
    has_focus: bool = False,
) -> None:
    """Paint a list.

    Args:
        painter: On any device; (0, 0) is the list's corner.
        theme: Colours and fonts.
        rows: As they were arranged.
        at: Where they stand.
        scale: Probability at the right end of the bars.
        hover: Row under the mouse.
        current: Row the keyboard is on.
        has_focus: The list has the keyboard.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_axis(painter, theme, at, scale)
    if at.change > at.number:
        head = QRectF(at.bar_end, 0, at.change - at.bar_end, at.axis_height)
        draw_text(painter, head, CHANGE, "small", theme.muted, RIGHT)
    for index, (row, box) in enumerate(zip(rows, at.boxes, strict=True)):
        if row.apart:
            _paint_separator(painter, theme, row, at, box)
        ground = theme.mask_fill if row.is_original else None
        if index == hover:
            ground = theme.hover
        if ground is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(box.adjusted(1, 0.5, -1, -0.5), 4, 4)
        _paint_row(painter, theme, row, at, box, scale)
        if index == current and has_focus:
            painter.setPen(QPen(theme.focus, 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1.5, 1, -1.5, -1), 4, 4)


def _paint_axis(painter: QPainter, theme: Theme, at: Columns, scale: float) -> None:
    box = QRectF(at.bar, 0, max(at.bar_end - at.bar, 1.0), at.axis_height)
    draw_text(painter, box, "0", "small", theme.muted, LEFT)
    draw_text(painter, box, f"{scale:g}", "small", theme.muted, RIGHT)


def _paint_separator(painter: QPainter, theme: Theme, row: Row, at: Columns, box: QRectF) -> None:
    line = QRectF(at.word, box.top() - at.separator_height, at.width - at.word, at.separator_height)
    note = f"⋯  rank {row.prediction.rank:,}"
    draw_text(painter, line, note, "small", theme.muted, LEFT)


def _paint_row(
    painter: QPainter, theme: Theme, row: Row, at: Columns, box: QRectF, scale: float
) -> None:
    prediction = row.prediction
    if not row.apart:
        ranks = QRectF(0, box.top(), at.rank, box.height())
        draw_text(painter, ranks, str(prediction.rank), "small", theme.muted, RIGHT)
    room = at.bar - BETWEEN - at.word
    role: FontRole = "strong" if row.is_original else "body"
    tag = text_width("small", TAG) + TAG_GAP if row.is_original else 0.0
    wide = min(text_width(role, row.word), max(room - tag, 12.0))
    words = QRectF(at.word, box.top(), wide, box.height())
    draw_text(painter, words, row.word, role, theme.text, LEFT, ELIDE_RIGHT)
    if row.is_original:
        beside = QRectF(at.word + wide + TAG_GAP, box.top() + 1, tag, box.height())
        draw_text(painter, beside, TAG, "small", theme.mask, LEFT)
    _paint_bar(painter, theme, row, at, box, scale)
    numbers = QRectF(at.bar_end, box.top(), at.number - at.bar_end, box.height())
    draw_text(painter, numbers, in_digits(prediction.probability), "body", theme.text, RIGHT)
    if row.change:
        changes = QRectF(at.number, box.top(), at.change - at.number, box.height())
        draw_text(painter, changes, row.change, "body", theme.accent, RIGHT)


def _paint_bar(
    painter: QPainter, theme: Theme, row: Row, at: Columns, box: QRectF, scale: float
) -> None:
    whole = max(at.bar_end - at.bar, 1.0)
    length = whole * min(row.prediction.probability / scale, 1.0)
    thick = round(box.height() * 0.46)
    top = box.center().y() - thick / 2
    painter.setPen(Qt.PenStyle.NoPen)
    if not row.is_original:
        painter.setBrush(theme.track)
        painter.drawRoundedRect(QRectF(at.bar, top, whole, thick), 2, 2)
    painter.setBrush(theme.bar_original if row.is_original else theme.bar)
    # A probability too small to see still leaves a hair, so that no row looks empty.
    painter.drawRoundedRect(QRectF(at.bar, top, max(length, 1.0), thick), 2, 2)
    if row.before is not None and row.before.probability is not None:
        x = at.bar + whole * min(row.before.probability / scale, 1.0)
        painter.setPen(QPen(theme.accent, 2.0))
        painter.drawLine(QLineF(x, top - 3, x, top + thick + 3))
