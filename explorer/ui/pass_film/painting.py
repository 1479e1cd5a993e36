"""Paints a step of a pass, at rest or on the way from another step, on any device."""

from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF

from explorer.api.question import layer_label
from explorer.api.question.parts.steps import SceneRow
from explorer.text import _, said
from explorer.text.formatting.short import short
from explorer.ui.pass_film.pictures import paint_picture, paint_strongest
from explorer.ui.pass_film.scene import (
    FilmLayout,
    PlacedScene,
    PlacedStrip,
    label_said,
)
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import draw_rounded, ink_on
from explorer.ui.typesetting.one_line import draw_text, text_width
from explorer.ui.typesetting.wrapping import draw_lines

LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
MIDDLE = Qt.AlignmentFlag.AlignHCenter
CELL = "−00.0"
"""What a cell must have room for before numbers are written into cells."""


class FilmPainter:
    """Paints steps; images of strips are kept while nothing but their places changes.

    Args:
        layout: Where everything is.
        theme: Colours.
        parts: Of vectors by their width, the part in sight.
    """

    def __init__(
        self, layout: FilmLayout, theme: Theme, parts: dict[int, slice] | None = None
    ) -> None:
        self.layout, self.theme = layout, theme
        self.parts = parts or {}
        self._images: dict[tuple[int, str], QImage] = {}

    def paint(self, painter: QPainter, number: int, before: int, share: float) -> None:
        """A step, or the way to it.

        Args:
            painter: On any device.
            number: The step.
            before: The one it comes from.
            share: How far it has come, 0 to 1.
        """
        self.paint_line(painter, number)
        self._paint_words(painter, number)
        self.paint_strips(painter, number, before, share)
        self._paint_end(painter, number, share)

    # ---- the line of all steps, words ---------------------------------------------------------

    def paint_line(self, painter: QPainter, number: int) -> None:
        """All steps, row after row, with the one that is seen."""
        theme, layout = self.theme, self.layout
        for n, (group, first, last) in enumerate(layout.groups):
            box = QRectF(layout.step_box(first).topLeft(), layout.step_box(last - 1).bottomRight())
            own = box.adjusted(0.5, 0, -0.5, -3)
            is_current = first <= number < last
            fill = theme.selection if is_current else theme.raised if n % 2 else theme.track
            draw_rounded(painter, own, 3, fill)
            name = _("head") if group == "head" else layer_label(group.replace("decoder ", "d"))
            colour = theme.text if is_current else theme.muted
            lines = [own]
            if layout.has_readings:
                lines = [QRectF(own.left(), own.top() + 3, own.width(), layout.line)]
                lines.append(lines[0].translated(0, layout.line))
            if text_width("small", name) <= own.width() - 2:
                draw_text(painter, lines[0], name, "small", colour)
            if group in layout.readings:
                colour = theme.accent if last - 1 <= number else theme.muted
                self._paint_reading(painter, lines[-1], layout.readings[group], colour)
        done = QRectF(0, layout.bar - 3, layout.step_box(number).right(), 3)
        painter.fillRect(done, theme.accent)
        for n, one in enumerate(layout.scenes):
            if one.answer:
                x = layout.step_box(n).center().x()
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.mask)
                painter.drawEllipse(QPointF(x, layout.bar - 2), 3, 3)

    @staticmethod
    def _paint_reading(painter: QPainter, box: QRectF, words: str, colour: QColor) -> None:
        """What is read at the end of a row; without its probability where that has no room."""
        for told in (words, words.partition(" ")[0]):
            if told and text_width("small", told) <= box.width() - 4:
                draw_text(painter, box, told, "small", colour)
                return

    def _paint_words(self, painter: QPainter, number: int) -> None:
        theme, layout = self.theme, self.layout
        count = layout.count_said(number)
        left = layout.title.width() - text_width("small", count) - 10
        # Where there is no room for both, the step's name is what counts.
        fits = text_width("strong", layout.title_said(number)) <= left
        room = QRectF(layout.title)
        if fits:
            room.setWidth(left)
        draw_text(
            painter,
            room,
            layout.title_said(number),
            "strong",
            theme.text,
            LEFT,
            Qt.TextElideMode.ElideRight,
        )
        if fits:
            draw_text(painter, layout.title, count, "small", theme.muted, RIGHT)
        draw_lines(painter, layout.words, layout.said_lines(number), "small", theme.muted)

    def _paint_end(self, painter: QPainter, number: int, share: float) -> None:
        """A beginner's answer, and what the head reads."""
        theme, layout = self.theme, self.layout
        scene = layout.scenes[number]
        painter.setOpacity(max(0.0, 2 * share - 1))
        box, lines = layout.answer(number)
        if lines:
            draw_rounded(painter, box, 5, theme.mask_fill)
            draw_lines(painter, box.adjusted(8, 4, -8, 0), lines, "small", theme.text)
        if scene.reading:
            draw_text(
                painter,
                layout.reading(number),
                said(scene.reading),
                "small",
                theme.accent,
                LEFT,
                Qt.TextElideMode.ElideRight,
            )
        painter.setOpacity(1.0)

    # ---- strips and bars ----------------------------------------------------------------------

    def paint_strips(self, painter: QPainter, number: int, before: int, share: float) -> None:
        """What goes in and what comes out; what was there before moves to its place."""
        now = self.layout.placed(number)
        if share >= 1 or before == number:
            for one in now.strips.values():
                self._paint(painter, number, one, one.box, 1.0)
            self._paint_operation(painter, now, 1.0)
            self._paint_picture(painter, now, 1.0)
            return
        then = self.layout.placed(before)
        for key, old in then.strips.items():
            if key not in now.strips:
                self._paint(painter, before, old, old.box, 1 - min(1.0, 2 * share))
        first = next(iter(now.strips.values()), None)
        for key, one in now.strips.items():
            start = then.strips.get(key)
            if start is not None:
                box = _between(start.box, one.box, share)
                self._paint(painter, number, one, box, 1.0, old=(before, start), share=share)
            elif one.is_result and first is not None:
                # What comes out grows out of what goes in.
                late = max(0.0, 2 * share - 1)
                self._paint(painter, number, one, _between(first.box, one.box, late), late)
            else:
                self._paint(painter, number, one, one.box, min(1.0, 2 * share))
        # What is done, and its picture, come when things are nearly there.
        late = max(0.0, 2 * share - 1)
        self._paint_operation(painter, now, late)
        self._paint_picture(painter, now, late)

    def _paint(
        self,
        painter: QPainter,
        number: int,
        one: PlacedStrip,
        box: QRectF,
        opacity: float,
        old: tuple[int, PlacedStrip] | None = None,
        share: float = 1.0,
    ) -> None:
        if opacity <= 0:
            return
        theme, placed = self.theme, self.layout.placed(number)
        painter.setOpacity(opacity)
        dy = box.top() - one.box.top()
        label = QRectF(0, box.top(), placed.left - 8, box.height())
        colour = theme.text if one.is_result else theme.muted
        words = label_said(one.row)
        draw_text(painter, label, words, "small", colour, RIGHT, Qt.TextElideMode.ElideRight)
        if one.row.values is not None:
            strip = one.strip.translated(0, dy)
            if old is not None and old[1].row.values is not None and share < 1:
                was = old[1].strip.translated(0, box.top() - old[1].box.top())
                strip = _between(was, one.strip.translated(0, dy), share)
            self._paint_strip(painter, number, one, strip, opacity)
        if one.row.amount is not None:
            bar = placed.bar_of(one.row, one.bar.translated(0, dy))
            if old is not None and old[1].row.amount is not None and share < 1:
                scene = self.layout.placed(old[0])
                was = scene.bar_of(old[1].row, old[1].bar)
                was.translate(0, box.top() - old[1].box.top())
                bar = _between(was, bar, share)
            draw_rounded(painter, bar, 2, theme.bar)
        after = QRectF(placed.right, box.top(), placed.width - placed.right, box.height())
        draw_text(painter, after, one.row.written, "small", theme.text, RIGHT)
        painter.setOpacity(1.0)

    def _paint_strip(
        self, painter: QPainter, number: int, one: PlacedStrip, box: QRectF, opacity: float
    ) -> None:
        assert one.row.values is not None
        part = self.parts.get(len(one.row.values), slice(None))
        painter.fillRect(box, self.theme.track)
        painter.setOpacity(opacity * (0.25 + 0.75 * one.row.weight))
        painter.drawImage(box, self._image(number, one.row, part))
        painter.setOpacity(opacity)
        placed = self.layout.placed(number)
        if one.is_result and placed.scene.seams:
            self._paint_seams(painter, box, len(one.row.values), placed.scene.seams, part)
        self._paint_numbers(painter, box, one.row, part)
        if one.is_result:
            painter.setPen(QPen(self.theme.edge, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)

    def _image(self, number: int, row: SceneRow, part: slice) -> QImage:
        key = number, row.key
        if key not in self._images:
            if len(self._images) > 400:
                self._images.clear()
            self._images[key] = self.layout.placed(number).image(row, self.theme, part)
        return self._images[key]

    def _paint_seams(
        self, painter: QPainter, box: QRectF, count: int, seams: int, part: slice
    ) -> None:
        start, stop, _step = part.indices(count)
        painter.setPen(QPen(self.theme.surface, 1.5))
        for at in range(seams, count, seams):
            if start < at < stop:
                x = box.left() + (at - start) / (stop - start) * box.width()
                painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))

    def _paint_numbers(self, painter: QPainter, box: QRectF, row: SceneRow, part: slice) -> None:
        """The numbers themselves, where cells are large enough."""
        assert row.values is not None
        values = row.values[part]
        wide = box.width() / max(1, len(values))
        if wide < text_width("small", CELL) + 2:
            return
        image = None
        for n, value in enumerate(values.tolist()):
            cell = QRectF(box.left() + n * wide, box.top(), wide, box.height())
            if image is None:
                image = self._images[next(k for k in self._images if k[1] == row.key)]
            ground = QColor(image.pixel(min(n, image.width() - 1), 0))
            draw_text(painter, cell, short(value), "small", ink_on(ground))

    def _paint_operation(self, painter: QPainter, placed: PlacedScene, share: float) -> None:
        """What is done, between what goes in and what comes out."""
        scene = placed.scene
        if not scene.rows or scene.result is None:
            return
        painter.setOpacity(share)
        box = placed.operation
        middle = box.left() + 16
        painter.setPen(QPen(self.theme.accent, 1.6))
        painter.drawLine(QPointF(middle, box.top() + 3), QPointF(middle, box.bottom() - 5))
        tip = QPointF(middle, box.bottom() - 3)
        painter.setBrush(self.theme.accent)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(QPolygonF([tip, tip + QPointF(-4, -6), tip + QPointF(4, -6)]))
        room = box.adjusted(28, 0, 0, 0)
        draw_text(painter, room, scene.operation, "strong", self.theme.accent, LEFT)
        painter.setOpacity(1.0)

    def _paint_picture(self, painter: QPainter, placed: PlacedScene, share: float) -> None:
        """What is drawn below the strips."""
        if placed.picture.isEmpty():
            return
        painter.setOpacity(share)
        paint_picture(painter, self.theme, placed.scene, placed.picture)
        if placed.scene.curve:
            paint_strongest(painter, self.theme, placed.scene, placed.beside)
        painter.setOpacity(1.0)


def _between(one: QRectF, other: QRectF, share: float) -> QRectF:
    """A rectangle on the way from one to another."""

    def way(a: float, b: float) -> float:
        return a + (b - a) * share

    return QRectF(
        way(one.left(), other.left()),
        way(one.top(), other.top()),
        way(one.width(), other.width()),
        way(one.height(), other.height()),
    )


def plain_words(layout: FilmLayout, number: int) -> str:
    """A step for a screen reader."""
    one: Any = layout.scenes[number]
    told = [layout.title_said(number), said(one.said)]
    told += [said(part) for part in (one.answer, one.reading) if part]
    return ". ".join(told)
