"""The schema graph drawn: concepts in layers from the question to the choice, edges with names."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Self

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPen

from explorer.questions.knowledge.graph_question.drawn_graph import DrawnEdge, DrawnGraph, DrawnNode
from explorer.questions.knowledge.graph_question.question import BACKWARDS
from explorer.questions.knowledge.graph_question.wording import paths_counted, relation_said
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.ui.blocks import (
    PlacedBlock,
    Spot,
    Theme,
    draw_rounded,
    draw_text,
    text_height,
    text_width,
)

SIDE = 9.0
"""Left and right of a concept's words."""
APART = 18.0
"""Between two concepts of a layer, at least."""
LEAST_STEP = 118.0
"""Between the middles of two layers that stand side by side; with less they stand one below the
other."""
DOWN = 78.0
"""Between layers that stand one below the other."""
THIN, THICK = 1.0, 4.5
PLACES = (0.5, *(0.5 + side * 0.04 * step for step in range(1, 11) for side in (-1, 1)))
"""Where on its edge a relation's name may stand; the first of those that cover least."""
FEW = 30
"""Edges up to which names also keep off the lines of others."""
ACROSS = 2.0
TOP = 12.0
"""What each pixel of a line counts that a name covers, and of one of the path attended to most."""
DOT = 9.0
"""Across, of what stands on an edge in the place of a name that has no room."""

Act = Callable[[DrawnEdge], Any]


class _Stroke(NamedTuple):
    """A line in plain numbers: each is held against some hundred boxes."""

    begin: tuple[float, float]
    way: tuple[float, float]
    length: float
    counts: float

    @classmethod
    def of(cls, line: QLineF, counts: float) -> Self:
        """A line of the picture, and what a pixel of it counts."""
        return cls((line.x1(), line.y1()), (line.dx(), line.dy()), line.length(), counts)

    def is_near(self, box: QRectF) -> bool:
        """Whether the box around it meets another one."""
        (x, y), (dx, dy) = self.begin, self.way
        return (
            min(x, x + dx) <= box.right()
            and max(x, x + dx) >= box.left()
            and min(y, y + dy) <= box.bottom()
            and max(y, y + dy) >= box.top()
        )

    def inside(self, across: tuple[float, float], down: tuple[float, float]) -> float:
        """The length of it within a box of these edges."""
        begin, end = 0.0, 1.0
        for at, way, (low, high) in zip(self.begin, self.way, (across, down), strict=True):
            if abs(way) < 1e-9:
                if not low <= at <= high:
                    return 0.0
                continue
            one, other = (low - at) / way, (high - at) / way
            if one > other:
                one, other = other, one
            begin, end = max(begin, one), min(end, other)
            if begin >= end:
                return 0.0
        return (end - begin) * self.length


class LaidGraph(PlacedBlock):
    """A graph at a width.

    Args:
        graph: What is drawn.
        width: In pixels.
        act_of: What choosing an edge does; None for nothing.
    """

    def __init__(self, graph: DrawnGraph, width: float, act_of: Act | None) -> None:
        self.name = _("The paths that are attended to most, as a graph")
        self._graph, self._width, self._act_of = graph, width, act_of
        self._line = text_height("body")
        self._small = text_height("small")
        layers = graph.layers
        self._is_down = width / max(1, len(layers)) < LEAST_STEP
        self._boxes = self._placed_down() if self._is_down else self._placed_across()
        self.height = max((box.bottom() for box in self._boxes.values()), default=0.0) + 6.0
        self._labels = self._named()

    def _wide(self, node: DrawnNode) -> float:
        return text_width("body", node.concept) + 2 * SIDE

    def _placed_across(self) -> dict[str, QRectF]:
        layers, high = self._graph.layers, self._line + 8.0
        rows = max(map(len, layers), default=0)
        top = self._small + 10.0
        tall = rows * (high + APART) + APART
        wides = [max(map(self._wide, layer)) for layer in layers]
        # What is left of the width is the room between the layers.
        gap = (self._width - sum(wides) - 4.0) / max(1, len(layers) - 1)
        found, left = {}, 2.0
        for layer, wide in zip(layers, wides, strict=True):
            step = tall / len(layer)
            for place, node in enumerate(layer):
                own = self._wide(node)
                middle = top + (place + 0.5) * step
                found[node.concept] = QRectF(left + (wide - own) / 2, middle - high / 2, own, high)
            left += wide + max(gap, 20.0)
        return found

    def _placed_down(self) -> dict[str, QRectF]:
        high, found = self._line + 8.0, {}
        y = self._small + 6.0
        for layer in self._graph.layers:
            step = self._width / len(layer)
            # Where a layer is too wide for one line, its concepts stand in two.
            lines = 2 if any(self._wide(node) > step - 4.0 for node in layer) else 1
            for place, node in enumerate(layer):
                own = min(self._wide(node), lines * step - 4.0)
                middle = (place + 0.5) * step
                left = min(max(2.0, middle - own / 2), self._width - own - 2.0)
                top = y + (place % lines) * (high + 8.0)
                found[node.concept] = QRectF(left, top, own, high)
            y += DOWN + (lines - 1) * (high + 8.0)
        return found

    def _ends(self, edge: DrawnEdge) -> tuple[QPointF, QPointF]:
        """Where an edge leaves its head's box and meets its tail's."""
        one, other = self._boxes[edge.head], self._boxes[edge.tail]
        line = QLineF(one.center(), other.center())
        return _border(one, line), _border(other, QLineF(line.p2(), line.p1()))

    def _named(self) -> list[tuple[DrawnEdge, QRectF]]:
        """The names of the relations, each where it covers least; a dot where there is no room."""
        taken = list(self._boxes.values())
        lines = {edge: QLineF(*self._ends(edge)) for edge in self._graph.edges}
        strokes = {
            edge: _Stroke.of(line, TOP if edge.is_top else ACROSS) for edge, line in lines.items()
        }
        self._unnamed: set[DrawnEdge] = set()
        found = []
        for edge in sorted(lines, key=lambda one: (-one.is_top, -one.share)):
            start, end = lines[edge].p1(), lines[edge].p2()
            wide = text_width("small", relation_said(edge.relations[0])) + 8.0
            boxes = [
                QRectF(
                    start.x() + (end.x() - start.x()) * place - wide / 2,
                    start.y() + (end.y() - start.y()) * place - self._small / 2 - 1,
                    wide,
                    self._small + 2,
                )
                for place in PLACES
            ]
            # What no place of the name comes near costs none of them anything.
            reach = boxes[-1].united(boxes[-2])
            near = [one for one in taken if one.intersects(reach)]
            others = [
                stroke
                for one, stroke in strokes.items()
                if one is not edge and len(lines) <= FEW and stroke.is_near(reach)
            ]
            best = _least_covering(boxes, near, others)
            if _covered(best, near) > 0.0:
                self._unnamed.add(edge)
                best = _least_covering(list(map(_dot, boxes)), near, ())
            taken.append(best)
            found.append((edge, best))
        return found

    @cached_property
    def spots(self) -> Sequence[Spot]:  # type: ignore[override]
        """Concepts, and the edges between them."""
        return tuple(self._spots())

    def _spots(self) -> Iterator[Spot]:
        for layer in self._graph.layers:
            for node in layer:
                words = _(
                    "{concept}: {share} of the attention goes to paths through it.",
                    concept=node.concept,
                    share=percent(node.share, 1),
                )
                yield Spot(self._boxes[node.concept], ("node", node.concept), words)
        for edge, box in self._labels:
            said = _(
                "{head} – {relation} → {tail}: {share} of the attention, {paths}.",
                head=edge.head,
                relation=_also(edge),
                tail=edge.tail,
                share=percent(edge.share, 1),
                paths=paths_counted(edge.paths).said,
            )
            act = self._act_of(edge) if self._act_of is not None else None
            cut = _("Click to cut this edge.")
            words = f"{said}\n{cut}" if act is not None else said
            yield Spot(box, ("edge", edge.head, edge.tail), words, said, act)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Edges, their names, concepts, and what the layers are."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        most = max((edge.share for edge in self._graph.edges), default=0.0) or 1.0
        for edge in sorted(self._graph.edges, key=lambda one: (one.is_top, one.share)):
            start, end = self._ends(edge)
            ink = theme.accent if edge.is_top else theme.muted
            wide = THIN + (THICK - THIN) * edge.share / most
            painter.setPen(QPen(ink, wide))
            painter.drawLine(start, end)
            _paint_head(painter, ink, QLineF(start, end), 5.0 + wide)
        for edge, box in self._labels:
            ink = theme.accent if edge.is_top else theme.muted
            if edge in self._unnamed:
                draw_rounded(
                    painter, box.adjusted(1, 1, -1, -1), DOT / 2, theme.surface, QPen(ink, 1.3)
                )
                continue
            draw_rounded(painter, box, 3, theme.surface)
            draw_text(painter, box, relation_said(edge.relations[0]), "small", ink)
        last = len(self._graph.layers) - 1
        for number, layer in enumerate(self._graph.layers):
            for node in layer:
                self._paint_node(painter, theme, node, number, last)
        if not self._is_down and last > 0:
            self._paint_title(painter, theme, self._graph.layers[0], _("question"))
            self._paint_title(painter, theme, self._graph.layers[last], _("choice"))

    def _paint_node(
        self, painter: QPainter, theme: Theme, node: DrawnNode, number: int, last: int
    ) -> None:
        box = self._boxes[node.concept]
        fill, edge = theme.raised, theme.edge
        if number == 0:
            fill, edge = theme.pair_fill, theme.pair
        elif number == last:
            fill, edge = theme.mask_fill, theme.mask
        draw_rounded(painter, box, 6, theme.surface)
        draw_rounded(painter, box, 6, fill, QPen(edge, 1.3))
        inside = box.adjusted(4, 0, -4, 0)
        draw_text(painter, inside, node.concept, "body", theme.text)

    def _paint_title(
        self, painter: QPainter, theme: Theme, layer: Sequence[DrawnNode], words: str
    ) -> None:
        boxes = [self._boxes[node.concept] for node in layer]
        middle = sum(box.center().x() for box in boxes) / len(boxes)
        wide = text_width("small", words) + 4
        left = min(max(0.0, middle - wide / 2), self._width - wide)
        box = QRectF(left, 0, wide, self._small)
        draw_text(painter, box, words, "small", theme.muted)


def _also(edge: DrawnEdge) -> str:
    """The relation that is read, and those besides."""
    first, *others = edge.relations
    if not others:
        return relation_said(first)
    more = ", ".join(
        _("{relation} (backwards)", relation=relation_said(one))
        if one.startswith(BACKWARDS)
        else relation_said(one)
        for one in others
    )
    return _("{relation} (besides: {more})", relation=relation_said(first), more=more)


def _least_covering(
    boxes: Sequence[QRectF], taken: Sequence[QRectF], strokes: Sequence[_Stroke]
) -> QRectF:
    """The first of the boxes that cover least of what is there."""
    best, least = boxes[0], math.inf
    for box in boxes:
        covers = _covered(box, taken)
        if covers < least:
            covers += _crossed(box, strokes)
        if covers < least:
            best, least = box, covers
        if least == 0.0:
            break
    return best


def _covered(box: QRectF, taken: Sequence[QRectF]) -> float:
    """How much of other things a box would cover."""
    parts = (box.intersected(one) for one in taken)
    return sum(part.width() * part.height() for part in parts if not part.isEmpty())


def _crossed(box: QRectF, strokes: Sequence[_Stroke]) -> float:
    """How much of lines a box would cover, by what each counts."""
    across, down = (box.left(), box.right()), (box.top(), box.bottom())
    return sum(one.counts * one.inside(across, down) for one in strokes)


def _dot(box: QRectF) -> QRectF:
    """The middle of where a name might stand."""
    dot = QRectF(0.0, 0.0, DOT, DOT)
    dot.moveCenter(box.center())
    return dot


def _border(box: QRectF, line: QLineF) -> QPointF:
    """Where a line from the middle of a box leaves it."""
    dx, dy = line.dx(), line.dy()
    across = box.width() / 2 / abs(dx) if dx else math.inf
    along = box.height() / 2 / abs(dy) if dy else math.inf
    share = min(across, along, 1.0)
    return QPointF(line.x1() + dx * share, line.y1() + dy * share)


def _paint_head(painter: QPainter, ink: Any, line: QLineF, size: float) -> None:
    """The head of an arrow at the end of a line."""
    if line.length() < 1.0:
        return
    back = line.unitVector()
    dx, dy = back.dx(), back.dy()
    tip = line.p2()
    path = QPainterPath(tip)
    for side in (-0.5, 0.5):
        path.lineTo(
            QPointF(tip.x() - dx * size - dy * size * side, tip.y() - dy * size + dx * size * side)
        )
    path.closeSubpath()
    painter.fillPath(path, ink)
