"""Axes that end elsewhere with another answer go there, and say for a while where they were."""

import pytest
from PySide6.QtGui import QImage

from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarRow
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.controls import gliding
from explorer.ui.theme.schemes import theme_of
from tests.ui.painted_texts import Recording


def made(top, name="Words"):
    table = BarTable([BarRow("soup", bars=(Bar(0.1),))], axis=BarAxis(top), title=name)
    return lambda width: page_of([Columns([Card([table])])], width)


def texts(widget):
    image = QImage(600, 200, QImage.Format.Format_RGB32)
    painter = Recording(image)
    widget.page.paint(painter, theme_of("light"))
    painter.end()
    return [text for _box, text in painter.texts]


@pytest.fixture
def page(qtbot):
    widget = PaintedPage("page")
    qtbot.addWidget(widget)
    widget.resize(600, 200)
    widget.show_page(made(0.5))
    return widget


def only(widget):
    (axis,) = widget.page.axes
    return axis


def test_an_axis_that_ends_elsewhere_is_there_at_once_where_nothing_may_move(page):
    assert not gliding.may_move()
    page.show_page(made(0.2))
    assert (only(page).before, only(page).share) == (BarAxis(0.5), 1.0)
    assert "0.2 (axis was to 0.5)" in texts(page)
    assert only(page).x_of(0.1) == pytest.approx(only(page).left + only(page).width / 2)


def test_it_goes_from_the_former_end_and_then_says_nothing_more_of_it(page, qtbot, monkeypatch):
    monkeypatch.setattr(gliding, "may_move", lambda: True)
    page.show_page(made(0.2))
    assert only(page).x_of(0.1) == pytest.approx(only(page).left + only(page).width / 5, abs=1)
    page.resize(500, 200)
    assert only(page).before == BarAxis(0.5), "laid out anew, it goes on"
    qtbot.waitUntil(lambda: only(page).share == 1.0)
    assert only(page).x_of(0.1) == pytest.approx(only(page).left + only(page).width / 2)
    page._axes._glide.ended.emit()
    assert "0.2" in texts(page)


@pytest.mark.parametrize("other", [made(0.5), made(0.2, "Costs")])
def test_the_same_axis_and_those_of_other_tables_go_nowhere(page, other):
    page.show_page(other)
    assert only(page).before is None
