"""How the loop is drawn: the sentence, the generator, the corrupted sentence, the discriminator."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from explorer.numerics.evaluation.outcomes import Outcome
from explorer.questions.detection.outcomes import outcome_colour, paint_sign
from explorer.questions.detection.replaced_tokens.picture.layout import OVER, Band, LoopLayout
from explorer.questions.detection.replaced_tokens.picture.rows import LoopRow, Proposal
from explorer.text import _, ngettext
from explorer.ui.blocks import (
    MASK_LABEL,
    FontRole,
    Theme,
    draw_rounded,
    draw_text,
    text_height,
    text_width,
)

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE_RIGHT = Qt.TextElideMode.ElideRight
ROUND = 5.0
AROUND = 8.0
"""Pixels that a row may paint beyond its box."""
LEAST = "<.01"
"""A share that is not 0, and too small for two digits."""


@dataclass(frozen=True)
class LoopLook:
    """What of the loop is said and highlighted.

    Attributes:
        threshold: Above which a token is called replaced.
        discriminator: Its name.
        generator: Its name; "" without one.
        selected: The position of the token that the user turned to, or None.
    """

    threshold: float
    discriminator: str
    generator: str = ""
    selected: int | None = None


def paint_loop(
    painter: QPainter, theme: Theme, rows: Sequence[LoopRow], at: LoopLayout, look: LoopLook
) -> None:
    """Paint the whole loop with its corner at (0, 0)."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_heads(painter, theme, rows, at)
    _paint_scale(painter, theme, at)
    seen = painter.clipBoundingRect() if painter.hasClipping() else at.whole
    for index, row in enumerate(rows):
        box = at.rows[index]
        if box.bottom() < seen.top() - AROUND or box.top() > seen.bottom() + AROUND:
            continue
        if row.position == look.selected:
            _paint_selected(painter, theme, box)
        _paint_way(painter, theme, row, at, index)
        _paint_sentence(painter, theme, row, at, index)
        for number, proposal in enumerate(row.proposals):
            if at.generator is not None:
                _paint_proposal(painter, theme, proposal, at, at.lines[index][number])
        _paint_corrupted(painter, theme, row, at, index)
        _paint_verdict(painter, theme, row, at, look, index)
    _paint_threshold(painter, theme, at, look)


def _paint_heads(painter: QPainter, theme: Theme, rows: Sequence[LoopRow], at: LoopLayout) -> None:
    masks = sum(row.masked for row in rows)
    own = sum(not row.special for row in rows)
    changed = sum(row.replaced for row in rows)
    heads: list[tuple[Band | None, str, str]] = [
        (at.sentence, _("Sentence"), ""),
        (at.masked, _("Masked"), _("{count} of {all}", count=masks, all=own)),
        (at.corrupted, _("Corrupted"), ngettext("{count} replaced", "{count} replaced", changed)),
        (at.truth if at.with_words else None, _("Truth"), _("and outcome")),
    ]
    bodies = [
        (
            at.generator,
            _("Generator"),
            _("fills masks, draws"),
            at.names[0],
            theme.mask,
        ),
        (at.judge, _("Discriminator"), _("replaced?"), at.names[1], theme.accent),
    ]
    small, strong = text_height("small"), text_height("strong")
    for band, title, said, name_lines, colour in bodies:
        if band is None:
            continue
        house = QRectF(band.left, 1.0, band.width, at.height - 2.0)
        ground = QColor(colour)
        ground.setAlpha(16)
        edge = QColor(colour)
        edge.setAlpha(110)
        draw_rounded(painter, house, 10, ground, QPen(edge, 1.2))
        # In a narrow column a title may stand over the band's edges, more so at the right.
        over = max(0.0, (text_width("strong", title) - band.width) / 2)
        inside = band.box(5.0, strong).adjusted(-over * 0.6, 0, over * 1.4, 0)
        draw_text(painter, inside, title, "strong", colour)
        over = min(max(0.0, (text_width("small", said) - band.width) / 2), OVER)
        below = band.box(5.0 + strong, small).adjusted(-over, 0, over, 0)
        draw_text(painter, below, said, "small", theme.muted)
        for number, line in enumerate(name_lines):
            below = band.box(5.0 + strong + (1 + number) * small, small).adjusted(-OVER, 0, OVER, 0)
            draw_text(painter, below, line, "small", theme.text)
    for band, title, said in heads:
        if band is not None:
            wide = band.box(5.0, strong).adjusted(-12, 0, 12, 0)
            draw_text(painter, wide, title, "strong", theme.text)
            draw_text(painter, wide.translated(0, strong), said, "small", theme.muted)


def _paint_scale(painter: QPainter, theme: Theme, at: LoopLayout) -> None:
    """Thin lines at 0, one half and 1, with their numbers."""
    top = at.body - 4
    faint = QColor(theme.border)
    painter.setPen(QPen(faint, 1.0))
    for value in (0.0, 0.5, 1.0):
        x = at.x_of(value)
        painter.drawLine(QLineF(x, top, x, at.height - 8))


def _paint_selected(painter: QPainter, theme: Theme, row: QRectF) -> None:
    """A frame around the row of the token that the user turned to."""
    reach = min(6.0, row.left() - 1)
    draw_rounded(painter, row.adjusted(-reach, -2, reach, 2), 6, edge=QPen(theme.focus, 1.6))


def _arrow(painter: QPainter, colour: QColor, x1: float, x2: float, y: float) -> None:
    painter.setPen(QPen(colour, 1.4))
    painter.drawLine(QLineF(x1, y, x2 - 3, y))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    tip = [QPointF(x2, y), QPointF(x2 - 6, y - 3.4), QPointF(x2 - 6, y + 3.4)]
    painter.drawPolygon(QPolygonF(tip))


def _paint_way(painter: QPainter, theme: Theme, row: LoopRow, at: LoopLayout, index: int) -> None:
    """Arrows: chosen tokens pass through the generator, the others straight to the end."""
    y = at.rows[index].center().y()
    quiet = QColor(theme.muted)
    quiet.setAlpha(90)
    last = at.corrupted.left - 3
    first = at.sentence.right + 3
    if row.masked and at.generator is not None:
        if at.masked is not None:
            _arrow(painter, theme.mask, first, at.masked.left - 3, y)
            first = at.masked.right + 3
        _arrow(painter, theme.mask, first, at.generator.left - 1, y)
        _arrow(painter, theme.mask, at.generator.right + 1, last, y)
    elif row.original:
        _arrow(painter, theme.mask if row.by_user else quiet, first, last, y)
    _arrow(painter, quiet, at.corrupted.right + 3, at.judge.left - 1, y)


def _chip(
    painter: QPainter,
    box: QRectF,
    fill: QColor,
    edge: QColor | None,
    style: Qt.PenStyle = Qt.PenStyle.SolidLine,
) -> None:
    draw_rounded(painter, box, ROUND, fill, QPen(edge, 1.3, style) if edge is not None else None)


def _paint_sentence(
    painter: QPainter, theme: Theme, row: LoopRow, at: LoopLayout, index: int
) -> None:
    box = at.chip_in(at.sentence, index)
    if row.special:
        draw_text(painter, box, row.original, "small", theme.muted)
    elif row.original:
        ground = theme.pair_fill if row.token.part else theme.raised
        here = row.masked and at.masked is None
        _chip(painter, box, theme.mask_fill if here else ground, theme.mask if here else None)
        draw_text(painter, box.adjusted(5, 0, -5, 0), row.original, "token", theme.text)
    if row.masked and at.masked is not None:
        mask = at.chip_in(at.masked, index)
        _chip(painter, mask, theme.mask_fill, theme.mask)
        draw_text(painter, mask.adjusted(3, 0, -3, 0), MASK_LABEL, "strong", theme.mask)


def _paint_proposal(
    painter: QPainter,
    theme: Theme,
    proposal: Proposal,
    at: LoopLayout,
    box: QRectF,
) -> None:
    """A word, its share as a bar, its number; what was drawn has a ground, the truth a sign."""
    if proposal.was_drawn:
        _chip(painter, box.adjusted(-4, 0.5, 4, -0.5), QColor(theme.mask_fill), None)
    role: FontRole = "strong" if proposal.was_drawn else "small"
    number_width = max(text_width("small", one) for one in ("0.00", LEAST)) + 2
    word = QRectF(box.left(), box.top(), at.word, box.height())
    room = word
    if proposal.was_original:
        # A small square marks what stood there.
        side = 6.0
        mark = QRectF(box.left(), box.center().y() - side / 2, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.bar_original)
        painter.drawRect(mark)
        room = word.adjusted(side + 4, 0, 0, 0)
    draw_text(painter, room, proposal.word, role, theme.text, LEFT, ELIDE_RIGHT)
    track = QRectF(
        word.right() + 6,
        box.center().y() - 3,
        box.right() - number_width - word.right() - 12,
        6,
    )
    if track.width() > 8:
        bar = QRectF(track)
        bar.setWidth(max(1.5, track.width() * proposal.prediction.probability))
        draw_rounded(painter, track, 2, theme.track)
        draw_rounded(painter, bar, 2, theme.bar_original if proposal.was_original else theme.bar)
    number = QRectF(box.right() - number_width, box.top(), number_width, box.height())
    draw_text(painter, number, _short(proposal.prediction.probability), "small", theme.muted, RIGHT)


def _short(probability: float) -> str:
    if 0.0 < probability < 0.005:
        return LEAST
    return f"{probability:.2f}"


def _paint_corrupted(
    painter: QPainter, theme: Theme, row: LoopRow, at: LoopLayout, index: int
) -> None:
    box = at.chip_in(at.corrupted, index)
    inner = box.adjusted(5, 0, -5, 0)
    if row.special:
        draw_text(painter, box, row.corrupted, "small", theme.muted)
    elif row.replaced:
        _chip(painter, box, theme.mask_fill, theme.mask)
        draw_text(painter, inner, row.corrupted, "strong", theme.text)
    elif row.was_guessed:
        _chip(painter, box, theme.raised, theme.mask, Qt.PenStyle.DashLine)
        draw_text(painter, inner, row.corrupted, "token", theme.text)
    else:
        _chip(painter, box, theme.pair_fill if row.token.part else theme.raised, None)
        draw_text(painter, inner, row.corrupted, "token", theme.text)


def _paint_verdict(
    painter: QPainter,
    theme: Theme,
    row: LoopRow,
    at: LoopLayout,
    look: LoopLook,
    index: int,
) -> None:
    """The discriminator's probability as a bar, and what is true of it."""
    y = at.rows[index].center().y()
    thick = 6.0 if row.special else 12.0
    track = QRectF(at.bar.left, y - thick / 2, at.bar.width, thick)
    draw_rounded(painter, track, 2, theme.track)
    said = row.verdict(look.threshold)
    bar = QRectF(track)
    bar.setWidth(max(1.5, track.width() * row.probability))
    draw_rounded(painter, bar, 2, theme.muted if row.special else theme.bar)
    if row.pinned is not None:
        _paint_pinned(painter, theme, at, row, y)
    number = QRectF(at.bar.right + 4, y - 10, text_width("small", "0.00") + 4, 20)
    colour = theme.muted if row.special else theme.text
    draw_text(painter, number, f"{row.probability:.2f}", "small", colour, RIGHT)
    if row.special:
        return
    paint_sign(painter, theme, QPointF(at.truth.left + 8, y), said)
    if not at.with_words:
        return
    place = at.truth.box(y - 10, 20).adjusted(20, 0, 0, 0)
    quiet = said is Outcome.CORRECT_REJECTION
    words = row.verdict_said(look.threshold)
    colour = theme.muted if quiet else outcome_colour(theme, said)
    draw_text(painter, place, words, "small", colour, LEFT)


def _paint_pinned(painter: QPainter, theme: Theme, at: LoopLayout, row: LoopRow, y: float) -> None:
    """A mark where the pinned answer was, and a line from there to the one of now."""
    if row.pinned is None:
        return
    before, now = at.x_of(row.pinned), at.x_of(row.probability)
    painter.setPen(QPen(theme.bar_original, 1.6))
    painter.drawLine(QLineF(before, y, now, y))
    painter.drawLine(QLineF(before, y - 8, before, y + 8))


def _paint_threshold(painter: QPainter, theme: Theme, at: LoopLayout, look: LoopLook) -> None:
    """A line over all rows, with a handle to drag."""
    x = at.x_of(look.threshold)
    painter.setPen(QPen(theme.text, 1.4, Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(x, at.body - 8, x, at.height - 8))
    handle = QPainterPath(QPointF(x - 6, at.body - 14))
    handle.lineTo(x + 6, at.body - 14)
    handle.lineTo(x, at.body - 5)
    handle.closeSubpath()
    painter.fillPath(handle, theme.text)
