"""One way through the spots of every page: arrow keys over lines and what stands in them."""

import enum
from collections.abc import Sequence

from PySide6.QtCore import QRectF

SAME_LINE = 0.5
"""Share of the lower one's height by which two spots must overlap to stand in one line."""


class SpotMove(enum.Enum):
    """Where to."""

    LEFT = enum.auto()
    RIGHT = enum.auto()
    UP = enum.auto()
    DOWN = enum.auto()
    FIRST = enum.auto()
    LAST = enum.auto()


def lines_of(boxes: Sequence[QRectF]) -> list[list[int]]:
    """The spots line by line from above, each line from the left."""
    lines: list[list[int]] = []
    for index in sorted(range(len(boxes)), key=lambda n: (boxes[n].top(), boxes[n].left())):
        box = boxes[index]
        if lines:
            first = boxes[lines[-1][0]]
            shared = min(first.bottom(), box.bottom()) - max(first.top(), box.top())
            if shared >= SAME_LINE * min(first.height(), box.height()):
                lines[-1].append(index)
                continue
        lines.append([index])
    for line in lines:
        line.sort(key=lambda n: boxes[n].left())
    return lines


class SpotLines:
    """The spots of a page, in the lines they stand in.

    Args:
        boxes: Of all spots.
    """

    def __init__(self, boxes: Sequence[QRectF]) -> None:
        self._lines = lines_of(boxes)
        self._middles = [box.center().x() for box in boxes]
        self._order = [index for line in self._lines for index in line]
        self._places = {index: place for place, index in enumerate(self._order)}
        self._line = {index: n for n, line in enumerate(self._lines) for index in line}

    def step(self, at: int | None, move: SpotMove) -> int | None:
        """The spot after a key.

        Left and right go on in the line before and after, as reading does; up and down stay as
        near to the column as the next line allows.

        Args:
            at: Where the keyboard is; None for nowhere yet.
            move: The key.

        Returns:
            A spot; None only where there is none at all.
        """
        order = self._order
        if not order:
            return None
        if move is SpotMove.LAST:
            return order[-1]
        if at is None or move is SpotMove.FIRST:
            return order[0]
        if move in (SpotMove.LEFT, SpotMove.RIGHT):
            place = self._places[at] + (1 if move is SpotMove.RIGHT else -1)
            return order[min(max(place, 0), len(order) - 1)]
        number = self._line[at] + (1 if move is SpotMove.DOWN else -1)
        if not 0 <= number < len(self._lines):
            return at
        middle = self._middles[at]
        return min(self._lines[number], key=lambda n: abs(self._middles[n] - middle))
