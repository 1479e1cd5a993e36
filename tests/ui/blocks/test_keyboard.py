"""Arrow keys over spots that stand in lines."""

import pytest
from PySide6.QtCore import QRectF

from explorer.ui.blocks.widget.keyboard import Lines, Move, lines_of

GRID = [QRectF(40 * column, 30 * row, 36, 26) for row in range(3) for column in range(4)]
WIDE = QRectF(0, 100, 200, 20)
SPOTS = [*GRID, WIDE]


def walk(at, *moves):
    for move in moves:
        at = Lines(SPOTS).step(at, move)
    return at


def test_lines_are_what_overlaps_downwards():
    assert lines_of(SPOTS) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12]]
    tall = [QRectF(0, 0, 20, 60), QRectF(30, 10, 20, 12), QRectF(30, 62, 20, 12)]
    assert lines_of(tall) == [[0, 1], [2]]


@pytest.mark.parametrize(
    ("at", "moves", "expected"),
    [
        (None, (Move.DOWN,), 0),
        (None, (Move.LAST,), 12),
        (5, (Move.RIGHT,), 6),
        (7, (Move.RIGHT,), 8),
        (4, (Move.LEFT,), 3),
        (0, (Move.LEFT,), 0),
        (12, (Move.RIGHT,), 12),
        (6, (Move.UP,), 2),
        (6, (Move.DOWN,), 10),
        (2, (Move.UP,), 2),
        (9, (Move.DOWN, Move.UP), 10),
        (3, (Move.FIRST,), 0),
    ],
)
def test_keys(at, moves, expected):
    assert walk(at, *moves) == expected


def test_nothing_to_go_to():
    assert Lines([]).step(None, Move.DOWN) is None


def test_every_spot_is_reached_by_reading_on():
    seen, at = [], None
    lines = Lines(SPOTS)
    for _ in SPOTS:
        at = lines.step(at, Move.RIGHT)
        seen.append(at)
    assert seen == list(range(len(SPOTS)))
