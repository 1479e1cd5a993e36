"""What is measured of a judged sentence, as pictures: losses, training signal, ROC."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from explorer.numerics.outcomes import Counts, RocPoint, area_under
from explorer.questions.detection.replaced_tokens.question import Losses
from explorer.ui.charts.block import paint_chart
from explorer.ui.charts.description import Axis, Chart, Line, Points, Reference
from explorer.ui.charts.layout import ChartLayout
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.widgets.text_block import paint_block, wrapped

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
SQUARE = 11.0
ROC_SIDE = 116.0


@dataclass(frozen=True)
class Measure:
    """A picture with a title.

    Attributes:
        title: What it shows.
        height: At a width, in pixels, without the title.
        still: Paints what is no chart into a box of that size.
        spoken: The same in words.
        chart: A chart in it; None for none.
        place: Where the chart stands at a width.
    """

    title: str
    height: Callable[[float], float]
    still: Callable[[QPainter, Theme, QRectF], None]
    spoken: str
    chart: Chart | None = None
    place: Callable[[float], QRectF] = lambda width: QRectF(0, 0, width, 0)

    def paint(self, painter: QPainter, theme: Theme, box: QRectF) -> None:
        """All of it into a box, the chart included."""
        self.still(painter, theme, box)
        if self.chart is not None:
            place = self.place(box.width())
            painter.save()
            painter.translate(box.topLeft() + place.topLeft())
            paint_chart(painter, theme, ChartLayout(self.chart, place.width(), self.chart.height))
            painter.restore()


def charted(title: str, chart: Chart, spoken: str, below: str = "") -> Measure:
    """A chart as wide as its card, with words below it."""
    line = text_height("small")

    def deep(width: float) -> float:
        return ChartLayout(chart, width, chart.height).height

    def height(width: float) -> float:
        words = len(wrapped("small", below, width)) * line
        return deep(width) + (words + 6 if words else 0)

    def still(painter: QPainter, theme: Theme, box: QRectF) -> None:
        lines = wrapped("small", below, box.width())
        top = box.top() + deep(box.width()) + 6
        words = QRectF(box.left(), top, box.width(), len(lines) * line)
        paint_block(painter, words, lines, "small", theme.muted)

    def place(width: float) -> QRectF:
        return QRectF(0, 0, width, deep(width))

    return Measure(title, height, still, spoken, chart, place)


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
    if area is None:
        nothing = "Nothing was replaced, so there is nothing to find and no curve."

        def say(painter: QPainter, theme: Theme, box: QRectF) -> None:
            lines = wrapped("small", nothing, box.width())
            paint_block(painter, box, lines, "small", theme.muted)

        return Measure("ROC", lambda _width: 40.0, say, nothing)
    spoken = f"area under the curve {area:.3f}"
    chart = roc_chart(curve, counts, threshold, area)
    notes: list[tuple[str, FontRole]] = [
        (f"area {area:.3f}", "strong"),
        ("(chance 0.5)", "small"),
        ("", "small"),
        (f"at {threshold:.2f}", "strong"),
        (f"{percent(counts.recall)} hits", "small"),
        (f"{percent(counts.false_alarm_rate)} false alarms", "small"),
    ]
    words = 14 + text_width("small", "100 % false alarms")

    def place(width: float) -> QRectF:
        at = ChartLayout(chart, min(ROC_SIDE + 46.0, width - words), chart.height)
        return QRectF(0, 0, at.width, at.height)

    def still(painter: QPainter, theme: Theme, box: QRectF) -> None:
        x, y = box.left() + place(box.width()).right() + 14, box.top() + 4
        for note, role in notes:
            room = QRectF(x, y, box.right() - x, text_height(role))
            colour = theme.text if role == "strong" else theme.muted
            draw_text(painter, room, note, role, colour, LEFT)
            y += text_height(role)

    return Measure("ROC", lambda width: place(width).height(), still, spoken, chart, place)


def roc_chart(curve: Sequence[RocPoint], counts: Counts, threshold: float, area: float) -> Chart:
    """A square of rates, the diagonal of chance, the curve, and a point at the threshold."""
    alarms = np.array([point.false_alarm_rate for point in curve])
    hits = np.array([point.hit_rate for point in curve])
    series: list[Line | Points] = [
        Line("", alarms, hits, "bar", filled=True, marked=False),
    ]
    if counts.recall is not None and counts.false_alarm_rate is not None:
        said = (
            f"At {threshold:.2f}\n{percent(counts.recall)} hits\n"
            f"{percent(counts.false_alarm_rate)} false alarms"
        )
        now = Points(
            np.array([counts.false_alarm_rate]),
            np.array([counts.recall]),
            ("",),
            (said,),
            ("text",),
        )
        series.append(now)
    ends = (0.0, 0.5, 1.0)
    return Chart(
        "",
        "Hits against false alarms over all thresholds.",
        tuple(series),
        Axis("false alarms", 0.0, 1.0, ticks=ends),
        Axis("hits", 0.0, 1.0, ticks=ends),
        references=(Reference((0.0, 0.0), (1.0, 1.0), "border", "dash"),),
        height=ROC_SIDE,
        frame=True,
        spoken=f"area under the curve {area:.3f}",
    )
