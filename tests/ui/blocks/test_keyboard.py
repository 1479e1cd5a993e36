"""Arrow keys over spots that stand in lines."""

import pytest
from PySide6.QtCore import QRectF

from explorer.ui.blocks.widget.keyboard import SpotLines, SpotMove, lines_of

GRID = [QRectF(40 * column, 30 * row, 36, 26) for row in range(3) for column in range(4)]
WIDE = QRectF(0, 100, 200, 20)
SPOTS = [*GRID, WIDE]


def walk(at, *moves):
    for move in moves:
        at = SpotLines(SPOTS).step(at, move)
    return at


def test_lines_are_what_overlaps_downwards():
    assert lines_of(SPOTS) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12]]
    tall = [QRectF(0, 0, 20, 60), QRectF(30, 10, 20, 12), QRectF(30, 62, 20, 12)]
    assert lines_of(tall) == [[0, 1], [2]]


@pytest.mark.parametrize(
    ("at", "moves", "expected"),
    [
        (None, (SpotMove.DOWN,), 0),
        (None, (SpotMove.LAST,), 12),
        (5, (SpotMove.RIGHT,), 6),
        (7, (SpotMove.RIGHT,), 8),
        (4, (SpotMove.LEFT,), 3),
        (0, (SpotMove.LEFT,), 0),
        (12, (SpotMove.RIGHT,), 12),
        (6, (SpotMove.UP,), 2),
        (6, (SpotMove.DOWN,), 10),
        (2, (SpotMove.UP,), 2),
        (9, (SpotMove.DOWN, SpotMove.UP), 10),
        (3, (SpotMove.FIRST,), 0),
    ],
)
def test_keys(at, moves, expected):
    assert walk(at, *moves) == expected


def test_nothing_to_go_to():
    assert SpotLines([]).step(None, SpotMove.DOWN) is None


def test_every_spot_is_reached_by_reading_on():
    seen, at = [], None
    lines = SpotLines(SPOTS)
    for _ in SPOTS:
        at = lines.step(at, SpotMove.RIGHT)
        seen.append(at)
    assert seen == list(range(len(SPOTS)))
