"""How generators and discriminators learned, in short runs from the same seed, as pictures.

The file is written by explorer/pretraining/learning_curves.py.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from explorer.ui.theme import Theme
from explorer.ui.views.detection.measures import Measure
from explorer.ui.widgets.text_block import paint_block, wrapped
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

MASKED = "masked language model"
WAYS: Mapping[str, tuple[str, Qt.PenStyle]] = {
    "shared": ("bar", Qt.PenStyle.SolidLine),
    "gradient-disentangled": ("positive", Qt.PenStyle.DashLine),
    "separate": ("bar_original", Qt.PenStyle.DotLine),
    MASKED: ("danger", Qt.PenStyle.DashDotLine),
}
"""Colour and line of each run; the line tells them apart without the colour."""

PLOT = 190.0
MISSING = (
    "The learning curves are not in this copy of the program: "
    "python -m explorer.pretraining.learning_curves draws them up."
)


@dataclass(frozen=True)
class Series:
    """One line of a plot: steps and values."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Curves:
    """What was measured while each way of training ran.

    Attributes:
        steps: Of each run.
        chance: What a reader of pairs reaches that always gives the more frequent answer.
        runs: By name: lists of measurements beside lists of steps.
    """

    steps: int
    chance: float
    runs: Mapping[str, Mapping[str, Any]]

    def series(self, kind: str, of: str) -> tuple[Series, ...]:
        """A measurement of every run that has it.

        Args:
            kind: "losses", "accuracy", or "pairs".
            of: Whose it is: "generator", "discriminator"; "accuracy" for pairs.
        """
        found = []
        for name in WAYS:
            if name not in self.runs:
                continue
            run = self.runs[name]
            steps = run["pairs"]["steps"] if kind == "pairs" else run["steps"]
            values = run.get(kind, {}).get(of, ())
            points = tuple(
                (float(step), float(value))
                for step, value in zip(steps, values, strict=False)
                if value is not None
            )
            if len(points) > 1:
                found.append(Series(name, points))
        return tuple(found)


def read_curves(path: Path) -> Curves | None:
    """Read the file; None where it is not there or not what it should be."""
    try:
        page: dict[str, Any] = json.loads(path.read_text("utf-8"))
        curves = Curves(int(page["steps"]), float(page["chance"]), dict(page["curves"]))
        # Whatever is missing or of another kind shows here, and not while it is painted.
        whole = all(curve_measures(curves)) and bool(curves.series("pairs", "accuracy"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return curves if whole else None


def curve_measures(curves: Curves) -> tuple[Measure, ...]:
    """Sharing compared by both losses, and RTD against masked LM at equal steps."""
    return (
        plot(
            "RTD against masked LM, at equal steps",
            curves.series("pairs", "accuracy"),
            "accuracy",
            "A linear reader of the frozen states says whether the second of two texts follows "
            f"the first, on unseen texts; no run was told. Chance is {curves.chance:.2f}. In so "
            "short a run masked LM is not behind; the paper's advantage of RTD shows over far "
            "longer ones."
            if _masked_is_not_behind(curves)
            else "A linear reader of the frozen states says whether the second of two texts "
            f"follows the first, on unseen texts; no run was told. Chance is {curves.chance:.2f}.",
            curves.steps,
        ),
        plot(
            "Discriminator's loss, by how embeddings are shared",
            curves.series("losses", "discriminator"),
            "nats",
            "Binary cross-entropy over all tokens while training. A better generator makes the "
            "task harder, so read it beside the generator's loss.",
            curves.steps,
        ),
        plot(
            "Replaced tokens that are found, by how embeddings are shared",
            curves.series("accuracy", "recall"),
            "recall",
            "The share of replaced tokens that the discriminator calls replaced, while training.",
            curves.steps,
        ),
        plot(
            "Generator's loss, by how embeddings are shared",
            curves.series("losses", "generator"),
            "nats",
            "Cross-entropy over the masked tokens while training.",
            curves.steps,
        ),
    )


def _masked_is_not_behind(curves: Curves) -> bool:
    ends = {one.name: one.points[-1][1] for one in curves.series("pairs", "accuracy")}
    detected = [value for name, value in ends.items() if name != MASKED]
    return bool(detected) and ends.get(MASKED, 0.0) >= max(detected)


def plot(title: str, series: Sequence[Series], unit: str, said: str, steps: int) -> Measure:
    """Lines over training steps, named beside the lines that are drawn like them."""
    line = text_height("small")

    def below(width: float) -> float:
        return len(wrapped("small", said, width)) * line

    def legend(width: float) -> float:
        return _legend(None, None, QRectF(0, 0, width, 0), series)

    def height(width: float) -> float:
        return PLOT + line + 8 + legend(width) + 6 + below(width)

    def paint(painter: QPainter, theme: Theme, box: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(box.left() + 40, box.top() + line + 2, box.width() - 48, PLOT - line - 8)
        _axes(painter, theme, area, series, unit, steps)
        top = box.top() + PLOT + line + 8
        deep = _legend(painter, theme, QRectF(box.left(), top, box.width(), 0), series)
        lines = wrapped("small", said, box.width())
        words = QRectF(box.left(), top + deep + 6, box.width(), len(lines) * line)
        paint_block(painter, words, lines, "small", theme.muted)

    ends = ", ".join(f"{one.name} {one.points[-1][1]:.3f}" for one in series)
    return Measure(title, height, paint, f"{title}: at the end {ends}.")


def _axes(
    painter: QPainter,
    theme: Theme,
    area: QRectF,
    series: Sequence[Series],
    unit: str,
    steps: int,
) -> None:
    values = [value for one in series for _, value in one.points]
    if not values:
        return
    low, high = min(values), max(values)
    room = (high - low) * 0.06 or 0.01
    low, high = max(low - room, min(low, 0.0)), high + room

    def at(step: float, value: float) -> QPointF:
        across = area.left() + area.width() * step / max(steps, 1)
        return QPointF(across, area.bottom() - area.height() * (value - low) / (high - low))

    line = text_height("small")
    right = Qt.AlignmentFlag.AlignRight
    for share in (0.0, 0.5, 1.0):
        value = low + (high - low) * share
        y = at(0, value).y()
        painter.setPen(QPen(theme.border, 1.0))
        painter.drawLine(QLineF(area.left(), y, area.right(), y))
        place = QRectF(area.left() - 46, y - line / 2, 40, line)
        draw_text(painter, place, f"{value:.2f}", "small", theme.muted, right)
        step = steps * share
        place = QRectF(at(step, low).x() - 40, area.bottom() + 3, 80, line)
        align = Qt.AlignmentFlag.AlignHCenter
        if share == 1.0:
            place, align = place.translated(-40, 0), right
        draw_text(painter, place, f"{step:,.0f}", "small", theme.muted, align)
    quarter = QRectF(at(steps * 0.25, low).x() - 50, area.bottom() + 3, 100, line)
    draw_text(painter, quarter, "steps", "small", theme.muted)
    above = QRectF(area.left() - 40, area.top() - line - 4, area.width(), line)
    draw_text(painter, above, unit, "small", theme.muted, Qt.AlignmentFlag.AlignLeft)
    for one in series:
        painter.setPen(_pen(theme, one.name))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF([at(step, value) for step, value in one.points]))


def _pen(theme: Theme, name: str) -> QPen:
    colour, style = WAYS[name]
    return QPen(QColor(theme.colour(colour)), 2.0, style)


def _legend(
    painter: QPainter | None, theme: Theme | None, box: QRectF, series: Sequence[Series]
) -> float:
    """A piece of each line with its name and last value; returns the height it takes."""
    line = text_height("small") + 2
    x, y = box.left(), box.top()
    for one in series:
        words = f"{one.name} {one.points[-1][1]:.3f}"
        wide = 30 + text_width("small", words)
        if x > box.left() and x + wide > box.right():
            x, y = box.left(), y + line
        if painter is not None and theme is not None:
            painter.setPen(_pen(theme, one.name))
            painter.drawLine(QLineF(x, y + line / 2, x + 22, y + line / 2))
            place = QRectF(x + 28, y, wide, line)
            draw_text(painter, place, words, "small", theme.text, Qt.AlignmentFlag.AlignLeft)
        x += wide + 14
    return y + line - box.top()
