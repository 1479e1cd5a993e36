"""Numbers have the colours their scale says, and no strong cell is lost where cells are pooled."""

import math

import numpy as np
import pytest

from explorer.ui.matrices.image import image_from, image_of, pooled
from explorer.ui.matrices.scale import Scale, number, short
from explorer.ui.theme.schemes import theme_of

pytestmark = pytest.mark.usefixtures("qapp")


def test_a_scale_from_zero_is_a_straight_line():
    scale = Scale(high=0.5)
    assert scale.places(np.array([0, 0.125, 0.5, 0.9, -1])).tolist() == [0, 0.25, 1, 1, 0]


def test_a_scale_about_zero_is_symmetric():
    values = np.array([-0.2, 0.1, np.nan])
    scale = Scale.about_zero(values)
    assert scale.high == pytest.approx(0.2)
    assert scale.places(np.array([-0.2, 0, 0.1, 0.2])) == pytest.approx([0, 0.5, 0.75, 1])


@pytest.mark.parametrize("value", [1e-5, 1e-4, 0.003, 0.4, 1.0])
def test_powers_of_ten(value):
    expected = max(0.0, 1 + math.log10(value) / 4)
    assert Scale(logarithmic=True).places(np.array([value]))[0] == pytest.approx(expected, abs=1e-6)
    both = Scale(diverging=True, logarithmic=True).places(np.array([value, -value]))
    assert both == pytest.approx([0.5 + expected / 2, 0.5 - expected / 2], abs=1e-6)


def test_colours_are_the_themes_and_nothing_is_drawn_for_no_number():
    theme = theme_of("dark")
    colours = Scale().colours(np.array([[0.0, 1.0, np.nan]]), theme)
    assert colours[0, 0].tolist() == theme.sequential[0].tolist()
    assert colours[0, 1].tolist() == theme.sequential[255].tolist()
    assert colours[0, 2].tolist() == [0, 0, 0, 0]
    middle = Scale(diverging=True).colours(np.array([[0.0]]), theme)[0, 0]
    assert middle.tolist() == theme.diverging[128].tolist()


def test_the_smallest_and_the_largest_numbers_hold_a_scale_without_any():
    assert Scale.from_zero(np.zeros((2, 2))).high == 1
    assert Scale.about_zero(np.array([np.nan])).high == 1
    assert Scale.from_zero(np.array([0.25, 0.5])).high == 0.5


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (5, 7), (16, 16), (40, 60), (200, 300)])
def test_no_strong_cell_is_lost(rows, columns):
    values = np.zeros((3, 101, 67), dtype=np.float32)
    generator = np.random.default_rng(rows)
    for one in values:
        for strength in (0.2, 0.5, 1.0):
            one[generator.integers(101), generator.integers(67)] = strength
    small = pooled(values, rows, columns)
    assert small.shape == (3, min(rows, 101), min(columns, 67))
    for one, before in zip(small, values, strict=True):
        assert one.max() == before.max()
    # Each small cell is the largest of just the cells it stands for.
    high, wide = small.shape[1:]
    row_edges = [*(np.arange(high) * 101 // high), 101]
    column_edges = [*(np.arange(wide) * 67 // wide), 67]
    for row in range(0, high, max(1, high // 5)):
        for column in range(0, wide, max(1, wide // 5)):
            stands_for = values[
                0,
                row_edges[row] : row_edges[row + 1],
                column_edges[column] : column_edges[column + 1],
            ]
            assert small[0, row, column] == stands_for.max()


def test_about_zero_the_furthest_is_kept_with_its_sign():
    values = np.array([[0.1, -0.4], [0.3, 0.2]])
    assert pooled(values, 1, 1, diverging=True).item() == -0.4
    assert pooled(-values, 1, 1, diverging=True).item() == 0.4


def test_an_image_owns_its_pixels():
    theme = theme_of("light")
    values = np.array([[0.0, 1.0], [0.5, 0.25]])
    image = image_of(values, Scale(), theme)
    for row in range(2):
        for column in range(2):
            expected = theme.sequential[round(values[row, column] * 255)].tolist()
            assert list(image.pixelColor(column, row).getRgb()) == expected
    colours = np.full((1, 1, 4), 255, dtype=np.uint8)
    white = image_from(colours)
    colours[:] = 0
    assert white.pixelColor(0, 0).red() == 255


@pytest.mark.parametrize(
    ("value", "full", "few"),
    [
        (0.0, "0", "0"),
        (1.0, "1.0000", "1"),
        (0.30004, "0.3000", "0.3"),
        (0.0123, "0.0123", "0.01"),
        (0.0099, "0.0099", "0.01"),
        (0.00012, "0.0001", "10⁻⁴"),
        (0.00002, "2.0 × 10⁻⁵", "2·10⁻⁵"),
        (-0.25, "−0.2500", "−0.25"),
        (12.34, "12.3400", "12.3"),
        (4567.0, "4,567", "4567"),
        (float("nan"), "none", ""),
    ],
)
def test_numbers_in_words(value, full, few):
    assert number(value) == full
    assert short(value) == few


def test_signs():
    assert number(0.5, signed=True) == "+0.5000"
    assert number(-0.5, signed=True) == "−0.5000"
    assert number(0.0, signed=True) == "0"
