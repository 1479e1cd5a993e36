"""Where everything of a step is drawn at a width: the same on screen and on paper."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from explorer.api.question.parts.steps import PassScene, SceneRow
from explorer.text import Phrase, _, said
from explorer.text.formatting.numbers import whole
from explorer.ui.matrices.image import image_of, pooled
from explorer.ui.matrices.scale import Scale
from explorer.ui.theme.schemes import Theme
from explorer.ui.typesetting.one_line import text_height, text_width
from explorer.ui.typesetting.wrapping import wrapped_lines

CONTROLS = 34.0
"""Pixels of height of the buttons, at least."""
ROUND_LINE = 12.0
"""Pixels by which the line of all steps is higher than its letters."""
GAP = 8.0
WIDEST = 0.4
"""Share of the width that the words before strips take at most."""
OPERATION = 12.0
"""Pixels by which the way from strips to their result is higher than a line of letters."""
PICTURE = 11.0
"""Lines of letters that what is drawn below the strips is high, at least."""
TALLEST = 26.0
CURVE, ARROWS = 1.8, 3.0
"""Of an activation's curve and of a sum's arrows, the width by the height."""
BESIDE = 0.64
"""Of the room, what a strip takes that has a bar beside it."""
MORE, MORE_ALONE = 4.0, 9.0
"""Lines by which rows are higher at most where there is room; the second, without a picture."""
HIGHEST_BAR = 2.2
OF_SPARE = 0.7
"""Of the room that is left, what the picture below the strips takes."""
MOST_PIXELS = 1200
"""Columns of a strip's image: of more numbers the strongest are drawn."""


def controls_height() -> float:
    """Pixels of height of the buttons, and of the line that is next to them in larger letters."""
    return max(CONTROLS, text_height("small") + 16)


@dataclass(frozen=True)
class PlacedStrip:
    """A strip or a bar where it is at rest.

    Attributes:
        row: What it is.
        box: All of it, with its words.
        strip: Of its numbers; empty without any.
        bar: Of its amount; empty without one.
        is_result: It is what comes out.
    """

    row: SceneRow
    box: QRectF
    strip: QRectF
    bar: QRectF
    is_result: bool = False


class PlacedScene:
    """One step at a width.

    Args:
        scene: The step.
        top: Where the strips may begin.
        width: In pixels.
        room: Where they and the picture below them end at best; 0 for as high as they must be.
    """

    def __init__(self, scene: PassScene, top: float, width: float, room: float = 0.0) -> None:
        self.scene, self.width = scene, width
        self._line = line = text_height("small")
        self.row_height = line + 6
        high = PICTURE * line if has_picture(scene) else 0.0
        least = self._place_all(top, high)
        if room > least:
            taller = min(TALLEST * line - high, OF_SPARE * (room - least)) if high else 0.0
            rows = max(1, len(self._rows))
            has_strips = any(one.values is not None for one in self._rows)
            most = MORE if high else MORE_ALONE
            more = most * line if has_strips else MORE / 2 * line
            self.row_height += min(more, (room - least - taller) / rows)
            self._place_all(top, high + taller)

    def _place_all(self, top: float, high: float) -> float:
        """Strips and, so high, what is drawn below them; gives where they end."""
        scene, width = self.scene, self.width
        words = [text_width("small", label_said(one)) for one in self._rows]
        before = min(max([0.14 * width, *words]) + GAP, WIDEST * width)
        after = max([text_width("small", one.written) for one in self._rows] or [0.0]) + GAP
        self.left, self.right = before, width - after
        self._has_both = any(
            one.values is not None and one.amount is not None for one in self._rows
        )
        self.strips: dict[str, PlacedStrip] = {}
        y = top
        for row in scene.rows:
            self._place(row, y, self.row_height)
            y += self.row_height
        between = self._line + OPERATION if scene.rows else 0.0
        self.operation = QRectF(before, y, width - before - after, between)
        if scene.result is not None:
            y = self.operation.bottom()
            self._place(scene.result, y, self.row_height + 10, is_result=True)
            y += self.row_height + 10
        self.bottom = y + GAP
        self.picture = self.beside = QRectF()
        if high:
            shape = CURVE if scene.curve else ARROWS
            wide = min(shape * high, self.right - self.left)
            self.picture = QRectF(before, self.bottom, wide, high)
            self.beside = QRectF(self.picture)
            self.beside.setLeft(self.picture.right() + 2 * GAP)
            self.beside.setRight(self.right)
            self.bottom = self.picture.bottom() + GAP
        return self.bottom

    @property
    def _rows(self) -> Sequence[SceneRow]:
        result = self.scene.result
        return self.scene.rows if result is None else (*self.scene.rows, result)

    def _place(self, row: SceneRow, y: float, high: float, *, is_result: bool = False) -> None:
        box = QRectF(0, y, self.width, high)
        room = QRectF(self.left, y + 2, max(10.0, self.right - self.left), high - 4)
        strip, bar = QRectF(), QRectF()
        if row.values is not None:
            # All strips of a step are as wide, so that the same numbers are below each other.
            strip = QRectF(room)
            if self._has_both:
                strip.setWidth(BESIDE * room.width())
        if row.amount is not None:
            bar = QRectF(room)
            bar.setLeft(strip.right() + GAP if row.values is not None else room.left())
        self.strips[row.key] = PlacedStrip(row, box, strip, bar, is_result)

    def at(self, x: float, y: float) -> PlacedStrip | None:
        """The strip under a point."""
        return next((one for one in self.strips.values() if one.box.contains(x, y)), None)

    # ---- colours and lengths ------------------------------------------------------------------

    @cached_property
    def _high(self) -> float:
        """The number with the strongest colour, of all strips of the step."""
        found = [np.abs(one.values) for one in self._rows if one.values is not None]
        return strongest(np.concatenate(found)) if found else 1.0

    def image(self, row: SceneRow, theme: Theme, part: slice) -> QImage:
        """A strip's colours."""
        assert row.values is not None
        high = strongest(np.abs(row.values)) if self.scene.has_own_scales else self._high
        values = row.values[part][None, :].astype(np.float32)
        if values.shape[1] > MOST_PIXELS:
            values = pooled(values, 1, MOST_PIXELS, diverging=True)
        return image_of(values, Scale(high, diverging=True), theme)

    @cached_property
    def bars(self) -> tuple[float, float]:
        """The least and the largest amount, zero among them."""
        found = [one.amount for one in self._rows if one.amount is not None]
        return min([0.0, *found]), max([0.0, *found])

    def bar_of(self, row: SceneRow, room: QRectF) -> QRectF:
        """From zero to the amount."""
        low, high = self.bars
        wide = (high - low) or 1.0
        zero = room.left() - low / wide * room.width()
        end = zero + (row.amount or 0.0) / wide * room.width()
        high = min(room.height() - 2, HIGHEST_BAR * self._line)
        top = room.center().y() - high / 2
        return QRectF(min(zero, end), top, max(1.0, abs(end - zero)), high)


def label_said(row: SceneRow) -> str:
    """What stands before a strip: a token as it is, and else a phrase in the reader's language."""
    return said(row.label) if isinstance(row.label, Phrase) else row.label


def is_sum_of_two(scene: PassScene) -> bool:
    """Whether a step adds two vectors, which are in one plane with their sum."""
    rows = [one.values for one in scene.rows if one.values is not None]
    given = scene.result.values if scene.result is not None else None
    return scene.operation == "+" and len(rows) == 2 and given is not None


def has_picture(scene: PassScene) -> bool:
    """Whether something is drawn below the strips: an activation's curve, or a sum's arrows."""
    return bool(scene.curve) or is_sum_of_two(scene)


def strongest(sizes: Any) -> float:
    """The size from which on a number has the strongest colour: a few may lie far beyond."""
    high = float(np.quantile(sizes, 0.99)) if len(sizes) else 0.0
    return high or float(sizes.max(initial=0.0)) or 1.0


class FilmLayout:
    """All steps at a width, of one height.

    Args:
        scenes: The steps.
        width: In pixels.
        room: Pixels of height that there are; strips are higher where there are many.
        only: The only step that needs room; None for all.

    Attributes:
        height: So high that every step has room.
        bar: Pixels of height of the line of all steps.
    """

    def __init__(
        self,
        scenes: Sequence[PassScene],
        width: float,
        room: float = 0.0,
        only: int | None = None,
    ) -> None:
        self.scenes, self.width = scenes, width
        self._room = 0.0
        line = text_height("small")
        self.has_readings = any(one.read for one in scenes)
        self.bar = line * (2 if self.has_readings else 1) + ROUND_LINE
        self.title = QRectF(0, self.bar + GAP, width, text_height("strong") + 2)
        self._lines = [wrapped_lines("small", said(one.said), width) for one in scenes]
        self.words = QRectF(
            0, self.title.bottom() + 2, width, line * max(len(one) for one in self._lines)
        )
        self._top = self.words.bottom() + GAP
        self._placed: dict[int, PlacedScene] = {}
        self.line = line
        self._answers = [
            wrapped_lines("small", said(one.answer), width - 2 * GAP) if one.answer else []
            for one in scenes
        ]
        shown = range(len(scenes)) if only is None else (only,)
        if only is not None:
            self.words.setHeight(line * len(self._lines[only]))
            self._top = self.words.bottom() + GAP
        self.height = max(map(self.end_of, shown))
        if room > self.height:
            self._room = room
            self._placed = {}
            self.height = max(map(self.end_of, shown))

    def placed(self, number: int) -> PlacedScene:
        """One step."""
        if number not in self._placed:
            below = self._words_below(number)
            self._placed[number] = PlacedScene(
                self.scenes[number], self._top, self.width, max(0.0, self._room - below)
            )
        return self._placed[number]

    def _words_below(self, number: int) -> float:
        """Pixels of height of what is said at the end of a step."""
        lines = self._answers[number]
        answer = len(lines) * self.line + GAP + 2 if lines else 0.0
        return answer + (self.line if self.scenes[number].reading else 0.0)

    def said_lines(self, number: int) -> Sequence[str]:
        """What is done, in lines."""
        return self._lines[number]

    def answer(self, number: int) -> tuple[QRectF, Sequence[str]]:
        """Where a beginner's answer is, and its lines; none where there is none."""
        lines = self._answers[number]
        top = self.placed(number).bottom
        return QRectF(0, top, self.width, len(lines) * self.line + GAP), lines

    def reading(self, number: int) -> QRectF:
        """Where it is said what the head reads."""
        box, lines = self.answer(number)
        top = box.bottom() + 2 if lines else box.top()
        return QRectF(0, top, self.width, self.line)

    def end_of(self, number: int) -> float:
        """Where a step ends."""
        box, lines = self.answer(number)
        if self.scenes[number].reading:
            return self.reading(number).bottom()
        return box.bottom() if lines else box.top()

    # ---- the line of all steps ------------------------------------------------------------------

    @cached_property
    def readings(self) -> Mapping[str, str]:
        """What is read at the end of a row of steps, by its name."""
        return {one.group: one.read for one in self.scenes if one.read}

    @cached_property
    def groups(self) -> Sequence[tuple[str, int, int]]:
        """Rows of steps with their first step and the one after their last."""
        found: list[tuple[str, int, int]] = []
        for n, one in enumerate(self.scenes):
            if found and found[-1][0] == one.group:
                found[-1] = (one.group, found[-1][1], n + 1)
            else:
                found.append((one.group, n, n + 1))
        return found

    def step_box(self, number: int) -> QRectF:
        """A step in the line of all."""
        wide = self.width / len(self.scenes)
        return QRectF(number * wide, 0, wide, self.bar)

    def step_at(self, x: float) -> int:
        """The step at a place of that line."""
        return min(max(int(x / self.width * len(self.scenes)), 0), len(self.scenes) - 1)

    def title_said(self, number: int) -> str:
        """The row of steps and what is done."""
        one = self.scenes[number]
        return _("{where} · {what}", where=_capital(said(one.where)), what=said(one.title))

    def count_said(self, number: int) -> str:
        """Which of all steps it is."""
        return _(
            "step {number} of {count}", number=whole(number + 1), count=whole(len(self.scenes))
        )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


Stop = Callable[[str], Any]
"""From the name of a step to the gesture that keeps the page there."""


@dataclass(frozen=True)
class PassFilm:
    """What is shown.

    Attributes:
        scenes: All steps.
        at: The one that the page stands at.
        stop: Keeps the page at another one; None where nothing can be chosen.
    """

    scenes: Sequence[PassScene]
    at: int
    stop: Stop | None = None
