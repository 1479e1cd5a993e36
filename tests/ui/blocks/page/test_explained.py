"""Explanations stand behind an (i): found by mouse, keyboard, reader and F1; on paper they stay."""

from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip

from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page.explained import Explanation, behind_marks, explanation_of_page
from explorer.ui.blocks.page.page import Explain, Run
from explorer.ui.blocks.page.parts import alone, on_paper
from explorer.ui.blocks.text import Text, explanation, heading, note, section
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.chart_view import ChartView
from explorer.ui.charts.description import Axis, Chart, Line
from explorer.ui.export.devices import figure_image
from explorer.ui.theme.schemes import theme_of


def test_it_goes_to_the_title_above_it_and_else_to_the_page():
    blocks = [
        explanation("What the page is."),
        note("12 tokens."),
        *section("Losses", "A loss is a surprise."),
        explanation("Lower is better."),
        explanation("Why there is a page.", of_page=True),
    ]
    kept, explained = behind_marks(blocks)
    assert [one.text for one in kept] == ["12 tokens.", "Losses"]
    assert explained == (
        Explanation("", "Why there is a page.\nWhat the page is."),
        Explanation("Losses", "A loss is a surprise.\nLower is better."),
    )
    assert explanation_of_page(explained) == "Why there is a page.\nWhat the page is."
    assert kept[1].words == "A loss is a surprise.\nLower is better."
    assert not kept[0].words


def test_a_card_has_its_own_and_what_has_no_title_in_it_is_the_pages():
    cards = Columns(
        [
            Card([heading("One"), explanation("Of one."), note("1")]),
            Card([explanation("Of both."), note("2")]),
            Card([explanation("Of both."), note("3")]),
        ]
    )
    (kept,), explained = behind_marks([cards])
    assert [[one.text for one in card.blocks] for card in kept.cards] == [
        ["One", "1"],
        ["2"],
        ["3"],
    ]
    assert explained == (Explanation("", "Of both."), Explanation("One", "Of one."))
    (title, _kept), explained = behind_marks([heading("Both"), cards])
    assert title.words == "Of both."
    assert explained == (Explanation("Both", "Of both."), Explanation("One", "Of one."))


def test_a_card_that_is_chosen_as_a_whole_keeps_its_words_in_sight():
    cards = Columns([Card([heading("One"), explanation("Of one.")], "One", act=Run())])
    assert behind_marks([cards]) == ([cards], ())


def test_a_title_keeps_the_words_and_the_gesture_that_it_has():
    known = Text("Rank", "title", words="A place in a list.", act=Run())
    (title,), _explained = behind_marks([known, explanation("Of the right word.")])
    assert title.words == "A place in a list.\nOf the right word."
    assert title.act == Run()


def test_the_mark_takes_room_after_the_title_and_paper_has_the_paragraph(qapp):
    blocks = [heading("Losses"), explanation("A loss is a surprise.")]
    (title,), _explained = behind_marks(blocks)
    (spot,) = title.at(400.0).spots
    plain = heading("Losses").at(400.0)
    assert spot.box.width() > Text("Losses", "title", words="-").at(400.0).spots[0].box.width()
    assert title.at(400.0).height == plain.height
    assert (spot.spoken, spot.words, spot.act) == ("Losses", "A loss is a surprise.", Explain())
    printed = on_paper(alone(blocks))
    assert [one.text for one in printed] == ["Losses", "A loss is a surprise."]
    assert not any(one.at(400.0).spots for one in printed)
    assert len(on_paper(alone(blocks), explanations=False)) == 1


def test_what_a_chart_means_is_behind_its_own_mark_on_the_screen_alone(qtbot, qapp):
    line = Line("loss", (0.0, 1.0), (0.5, 0.2), "bar")
    plain = Chart("Losses", "", (line,), Axis("step", 0.0, 1.0), Axis("nats", 0.0, 1.0))
    meant = replace(plain, words="A loss is a surprise.")
    _kept, explained = behind_marks([ChartBlock((plain, meant))])
    assert explained == (Explanation("Losses", "A loss is a surprise."),)
    place = QRect(0, 0, 200, 20)
    seen = []
    for one in (plain, meant):
        view = ChartView()
        qtbot.addWidget(view)
        view.resize(300, 160)
        view.show_content(one)
        view.show()
        seen.append(view.grab(place).toImage())
    assert seen[0] != seen[1], "the mark"
    printed = [
        figure_image(page_of([ChartBlock((one,))], 300.0).figure(theme_of("light")), 96)
        for one in (plain, meant)
    ]
    assert printed[0] == printed[1]


def test_a_click_and_enter_show_it_at_once(qtbot, qapp):
    (title,), _explained = behind_marks([heading("Losses"), explanation("A loss is a surprise.")])
    page = PaintedPage("page")
    qtbot.addWidget(page)
    page.resize(400, 100)
    page.show_page(lambda width: page_of([title], width))
    page.show()
    acted = []
    page.acted.connect(acted.append)
    QTest.mouseClick(page, Qt.MouseButton.LeftButton, pos=QPoint(10, 8))
    assert QToolTip.text() == "A loss is a surprise."
    QToolTip.hideText()
    QTest.keyClick(page, Qt.Key.Key_Home)
    assert page.accessibleDescription() == "Losses"
    QTest.keyClick(page, Qt.Key.Key_Return)
    assert QToolTip.text() == "A loss is a surprise."
    assert not acted, "nobody else need hear of it"
    QToolTip.hideText()
