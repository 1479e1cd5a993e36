"""What is measured of a judged sentence, as pictures: losses, training signal, ROC."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from explorer.detection.outcomes import Counts, RocPoint, area_under
from explorer.operations.detect_replaced import Losses
from explorer.ui.theme import FontRole, Theme
from explorer.ui.widgets.text_block import paint_block, wrapped
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
SQUARE = 11.0


@dataclass(frozen=True)
class Measure:
    """A picture with a title.

    Attributes:
        title: What it shows.
        height: At a width, in pixels, without the title.
        paint: Into a box of that size.
        spoken: The same in words.
    """

    title: str
    height: Callable[[float], float]
    paint: Callable[[QPainter, Theme, QRectF], None]
    spoken: str


def percent(share: float | None) -> str:
    """A share in per cent; a dash where it is not defined."""
    return "–" if share is None else f"{100 * share:.0f} %"


# ---- losses ----------------------------------------------------------------------------------


def losses(found: Losses, weight: float, masked: int, tokens: int) -> Measure:
    """MLM + lambda x RTD, term by term (Clark et al. 2020, section 2).

    Args:
        found: The two losses.
        weight: The lambda now.
        masked: Tokens the generator's loss is averaged over.
        tokens: Tokens the discriminator's is averaged over.
    """
    rows: list[tuple[str, str, str]] = []
    if found.generator is not None:
        rows.append(("MLM", _over(masked, "masked token"), f"{found.generator:.3f}"))
    rows.append(("RTD", _over(tokens, "token"), f"{found.discriminator:.3f}"))
    detection = weight * found.discriminator
    made = f"{weight:g} × {found.discriminator:.3f}"
    if found.generator is not None:
        made = f"{found.generator:.3f} + {made}"
    total = f"{found.at(weight):.2f}"
    line = text_height("body") + 4
    parts = (found.generator or 0.0, detection)

    def paint(painter: QPainter, theme: Theme, box: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        y = box.top()
        for name, over, value in rows:
            place = QRectF(box.left(), y, box.width(), line)
            colour = theme.bar_original if name == "MLM" else theme.bar
            _square(painter, colour, QPointF(box.left(), place.center().y() - 4), 8.0)
            draw_text(painter, place.adjusted(14, 0, 0, 0), name, "strong", theme.text, LEFT)
            room = place.adjusted(14 + text_width("strong", "MLM") + 8, 0, -52, 0)
            draw_text(painter, room, over, "small", theme.muted, LEFT)
            draw_text(painter, place, value, "body", theme.text, RIGHT)
            y += line
        _paint_shares(
            painter,
            QRectF(box.left(), y + 4, box.width(), 10),
            parts,
            (theme.bar_original, theme.bar),
        )
        y += 20
        place = QRectF(box.left(), y, box.width(), line)
        draw_text(painter, place, f"total = {made}", "small", theme.muted, LEFT)
        draw_text(painter, place, total, "strong", theme.text, RIGHT)

    generator = "" if found.generator is None else f"generator {found.generator:.3f} nats, "
    return Measure(
        "Losses, in nats",
        lambda _width: line * (len(rows) + 1) + 20,
        paint,
        f"{generator}discriminator {found.discriminator:.3f} nats, total {total}",
    )


def _over(count: int, thing: str) -> str:
    return f"over {count:,} {thing}{'' if count == 1 else 's'}"


def _square(painter: QPainter, colour: QColor, corner: QPointF, side: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(corner.x(), corner.y(), side, side), 2, 2)


def _paint_shares(
    painter: QPainter, box: QRectF, parts: Sequence[float], colours: Sequence[QColor]
) -> None:
    """One bar, split by the size of its parts."""
    total = sum(parts)
    x = box.left()
    painter.setPen(Qt.PenStyle.NoPen)
    for part, colour in zip(parts, colours, strict=True):
        wide = box.width() * part / total if total > 0 else 0.0
        painter.setBrush(colour)
        painter.drawRect(QRectF(x, box.top(), max(0.0, wide - 1.5), box.height()))
        x += wide


# ---- training signal -------------------------------------------------------------------------


def signals(tokens: int, masked: int) -> Measure:
    """How many tokens teach something under either objective."""
    times = f"{tokens / masked:.1f} times as many" if masked else ""
    said = (
        f"Replaced-token detection learns from every token, masked LM from the masked ones: "
        f"{times} here."
        if masked
        else "Replaced-token detection learns from every token. No token is masked here, so a "
        "masked LM would learn nothing."
    )
    rows = (
        ("Replaced-token detection", tokens, "bar"),
        ("Masked language model", masked, "bar_original"),
    )
    line = text_height("small") + 2

    def across(width: float) -> int:
        return max(1, int(width // (SQUARE + 3)))

    def deep(width: float) -> float:
        return -(-tokens // across(width)) * (SQUARE + 3)

    def height(width: float) -> float:
        words = len(wrapped("small", said, width)) * text_height("small")
        return 2 * (line + deep(width) + 6) + words + 4

    def paint(painter: QPainter, theme: Theme, box: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        y, columns = box.top(), across(box.width())
        for title, count, colour in rows:
            place = QRectF(box.left(), y, box.width(), line)
            draw_text(painter, place, title, "small", theme.text, LEFT)
            draw_text(painter, place, f"{count} of {tokens}", "small", theme.text, RIGHT)
            y += line
            for i in range(tokens):
                corner = QPointF(
                    box.left() + i % columns * (SQUARE + 3), y + i // columns * (SQUARE + 3)
                )
                fill = theme.colour(colour) if i < count else theme.track
                _square(painter, fill, corner, SQUARE)
            y += deep(box.width()) + 6
        lines = wrapped("small", said, box.width())
        block = QRectF(box.left(), y + 2, box.width(), len(lines) * text_height("small"))
        paint_block(painter, block, lines, "small", theme.muted)

    return Measure("Training signal", height, paint, said)


# ---- ROC -------------------------------------------------------------------------------------


def roc_plot(
    curve: Sequence[RocPoint], counts: Counts, threshold: float, area: float | None = None
) -> Measure:
    """Hits against false alarms over all thresholds, and where the threshold is now.

    Args:
        curve: From the strictest threshold to the loosest.
        counts: At the threshold of now.
        threshold: Of now.
        area: Under the whole curve, where only some points of it are given.
    """
    area = area_under(curve) if area is None else area
    side = 150.0
    nothing = "Nothing was replaced, so there is nothing to find and no curve."
    spoken = nothing if area is None else f"area under the curve {area:.3f}"

    def paint(painter: QPainter, theme: Theme, box: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if area is None:
            paint_block(painter, box, wrapped("small", nothing, box.width()), "small", theme.muted)
            return
        left = box.left() + text_height("small") + 4
        words = 14 + text_width("small", "100 % false alarms")
        plot = QRectF(left, box.top() + 4, min(side, box.right() - left - words), side - 30)
        paint_roc(painter, theme, plot, curve, counts)
        x = plot.right() + 14
        notes: list[tuple[str, FontRole]] = [
            (f"area {area:.3f}", "strong"),
            ("(chance 0.5)", "small"),
            ("", "small"),
            (f"at {threshold:.2f}", "strong"),
            (f"{percent(counts.recall)} hits", "small"),
            (f"{percent(counts.false_alarm_rate)} false alarms", "small"),
        ]
        y = plot.top()
        for note, role in notes:
            place = QRectF(x, y, box.right() - x, text_height(role))
            colour = theme.text if role == "strong" else theme.muted
            draw_text(painter, place, note, role, colour, LEFT)
            y += text_height(role)

    return Measure("ROC", lambda _width: side if area is not None else 40.0, paint, spoken)


def paint_roc(
    painter: QPainter,
    theme: Theme,
    plot: QRectF,
    curve: Sequence[RocPoint],
    counts: Counts | None,
) -> None:
    """A square of rates, the diagonal of chance, the curve, and a point at the threshold."""

    def at(alarms: float, hits: float) -> QPointF:
        return QPointF(plot.left() + alarms * plot.width(), plot.bottom() - hits * plot.height())

    painter.setPen(QPen(theme.border, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(plot)
    painter.setPen(QPen(theme.border, 1.0, Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(at(0, 0), at(1, 1)))
    ground = QColor(theme.bar)
    ground.setAlpha(36)
    points = [at(point.false_alarm_rate, point.hit_rate) for point in curve]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawPolygon(QPolygonF([*points, at(1, 0)]))
    painter.setPen(QPen(theme.bar, 2.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF(points))
    small = text_height("small")
    below = QRectF(plot.left() - 12, plot.bottom() + 2, plot.width() + 24, small)
    draw_text(painter, below, "false alarms", "small", theme.muted)
    painter.save()
    painter.translate(plot.left() - 3, plot.bottom())
    painter.rotate(-90)
    draw_text(painter, QRectF(0, -small, plot.height(), small), "hits", "small", theme.muted)
    painter.restore()
    if counts is not None and counts.recall is not None and counts.false_alarm_rate is not None:
        painter.setPen(QPen(theme.surface, 1.5))
        painter.setBrush(theme.text)
        painter.drawEllipse(at(counts.false_alarm_rate, counts.recall), 5.0, 5.0)
