"""Beside and above a plot texts have their room, in letters of any size."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtGui import QImage

from explorer.ui.charts.block import LaidCharts
from explorer.ui.charts.description import RowName
from explorer.ui.charts.layout import ChartLayout
from explorer.ui.theme import chrome
from explorer.ui.theme.schemes import theme_of
from explorer.ui.typesetting.one_line import text_height
from tests.ui.charts.test_charts import chart
from tests.ui.painted_texts import Recording


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_titles_of_rows_stand_clear_of_each_other_in_letters_of_any_size(qapp, scale):
    rows = tuple(RowName(2.0 - n, f"way {n}", "0.30 (0.28 to 0.31)") for n in range(3))
    shown = replace(chart(low=-0.6, high=2.6), rows=rows, height=120.0)
    chrome.scale_font(qapp, scale)
    try:
        laid = LaidCharts([shown], 520.0)
        image = QImage(520, round(laid.height), QImage.Format.Format_RGB32)
        painter = Recording(image)
        laid.paint(painter, theme_of("light"))
        painter.end()
        boxes = [box for box, text in painter.texts if text.startswith(("way", "0.30"))]
        assert len(boxes) == 6
        boxes.sort(key=lambda box: box.top())
        for above, below in pairwise(boxes):
            assert above.bottom() <= below.top() + 1.5
    finally:
        chrome.scale_font(qapp, 1.0)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_highest_number_stands_below_the_legend(qapp, scale):
    chrome.scale_font(qapp, scale)
    try:
        layout = ChartLayout(chart(low=0.0, high=1.0), 300.0, 120.0)
        lowest = max(box.bottom() for box in layout.legend)
        assert layout.plane.top() - text_height("small") / 2 >= lowest - 1.5
    finally:
        chrome.scale_font(qapp, 1.0)
