"""Live parts of a page that takes another's place are looked at as those were."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.text import Text
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Line
from explorer.ui.matrices.block import Matrix
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.linked import LinkedMatrices, LinkedMatrix
from explorer.ui.matrices.map_block import Map, MapBlock

X = np.linspace(0.0, 10.0, 21)
SIZE = 40
SEEN = ((2.0, 5.0), (1.0, 8.0))


def chart(language, top=10.0):
    lines = tuple(
        Line(f"{name} {language}", X, X[::step], "bar") for name, step in (("a", 1), ("b", -1))
    )
    up = Axis(low=0.1, high=top, switched=True)
    return ChartBlock((Chart(f"Title {language}", "", lines, Axis(f"step {language}"), up),))


def cells(language, size=SIZE):
    values = np.random.default_rng(0).random((size, size), dtype=np.float32)
    return HeatContent(values, *([f"{n} {language}" for n in range(size)],) * 2)


def map_of(language, size=SIZE):
    return MapBlock(Map(Matrix(cells(language, size))), tallest=300.0)


def linked(language):
    both = (
        LinkedMatrix("sum", "Sum", "", cells(language)),
        LinkedMatrix("part", "Part", "", cells(language)),
    )
    return LinkedMatrices(both, lambda _cell: "")


@pytest.fixture
def page(qtbot, qapp):
    """Makes a page of a few blocks, 600 pixels wide."""

    def make(*blocks, before=None, shown=True):
        made = PaintedPage("page")
        qtbot.addWidget(made)
        made.resize(600, 700)
        if before is not None:
            made.take_looks(before.looks)
        if shown:
            made.show_page(lambda width: page_of(blocks, width))
            made.show()
            made.grab()
        return made

    return make


def test_a_chart_is_zoomed_and_lacks_a_line_as_before(page):
    before = page(Text("Words."), chart("en"))
    (old,) = before.widgets
    old.toggle("b en")
    old.canvas.see(*SEEN)
    (new,) = page(Text("낱말."), chart("ko"), before=before).widgets
    assert new is not old
    assert new.canvas.seen == (pytest.approx(SEEN[0]), pytest.approx(SEEN[1]))
    assert new.hidden == {"b ko"}
    assert not new.look()[0]


def test_a_chart_whose_axis_was_switched_is_switched(page):
    before = page(chart("en"))
    (old,) = before.widgets
    assert old.look() is None
    old.switch_axis()
    assert old.chart.y.logarithmic
    (new,) = page(chart("ko"), before=before).widgets
    assert new.chart.y.logarithmic


def test_a_chart_of_other_numbers_is_shown_whole(page):
    before = page(chart("en"))
    before.widgets[0].canvas.see(*SEEN)
    (new,) = page(chart("en", top=50.0), before=before).widgets
    assert not new.canvas.is_zoomed


def test_a_map_is_zoomed_in_on_the_same_cells(page):
    before = page(map_of("en"))
    (old,) = before.widgets
    old.zoom_by(5, QPointF(old.layout_now().box(30, 20).center()))
    (new,) = page(map_of("ko"), before=before).widgets
    assert new.zoom == pytest.approx(5)
    rows = [one.layout_now().rows_in_sight(one.content) for one in (old, new)]
    assert rows[0] == rows[1]
    assert new.layout_now().x == pytest.approx(old.layout_now().x, abs=20)
    (smaller,) = page(map_of("ko", size=SIZE - 1), before=before).widgets
    assert smaller.zoom == pytest.approx(1)


def test_of_linked_matrices_only_what_was_zoomed_is_zoomed(page):
    before = page(linked("en"))
    before.widgets[0].maps["part"].zoom_by(3)
    (new,) = page(linked("ko"), before=before).widgets
    assert [new.maps[name].zoom for name in ("sum", "part")] == [1, pytest.approx(3)]


def test_what_is_drawn_late_still_comes_to_it_also_over_two_pages(page):
    before = page(chart("en"))
    before.widgets[0].canvas.see(*SEEN)
    unseen = page(before=before, shown=False)
    (new,) = page(chart("ko"), before=unseen).widgets
    assert new.canvas.seen == (pytest.approx(SEEN[0]), pytest.approx(SEEN[1]))


def test_it_comes_once_and_only_to_its_like(page):
    before = page(chart("en"))
    before.widgets[0].canvas.see(*SEEN)
    new = page(map_of("ko"), before=before)
    assert new.widgets[0].zoom == pytest.approx(1)
    new = page(chart("ko"), before=before)
    new.show_page(lambda width: page_of([], width))
    new.show_page(lambda width: page_of([chart("ko")], width))
    new.grab()
    assert not new.widgets[0].canvas.is_zoomed
