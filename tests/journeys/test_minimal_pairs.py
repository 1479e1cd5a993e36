"""Minimal pairs, from Run to one pair token by token, in the real window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.questions.pairs.minimal_pairs.question import SentenceScore, share_of
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.views.frame.view_frame import FrameState
from tests.journeys.acting import SLOW, answered, click_spot, newest
from tests.ui.page_tree import click_page
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]


def row_of(view, word):
    """The key of the row that a word is in."""
    page = view.findChild(PaintedPage, f"{view.name}Page").page
    return next(
        one.key
        for one in page.spots
        if one.key is not None and one.cells and one.cells[0].text == word
    )


def test_pairs_by_mouse(running, hands, paths, qtbot):
    running.bench.edits.set_option("minimal_pairs.pairs", 24)
    click_page(running.window, "minimal_pairs")
    asking = running.bench.asking
    qtbot.waitUntil(lambda: "minimal_pairs" in asking.askers, timeout=SLOW)
    frame = asking.askers["minimal_pairs"].frame
    qtbot.waitUntil(frame.empty_page.button.isVisible, timeout=SLOW)
    assert frame.state is FrameState.EMPTY
    QTest.mouseClick(frame.empty_page.button, Qt.MouseButton.LeftButton)
    view = answered(running, qtbot, "minimal_pairs")
    assert newest(paths, "minimal_pairs").request.pairs == 24
    share = share_of(view.result, view.result.scored[0], SentenceScore.SUM, None)
    assert share.among == 24
    words = words_on(view)
    assert "By phenomenon" in words
    assert "One pair, token by token" in words
    # A click lists the pairs of one phenomenon; nothing is asked anew.
    click_spot(view, row_of(view, "word order"))
    hands.settle()
    assert view.now.option("minimal_pairs.phenomenon") == "word_order"
    assert "Pairs of “word order”, mistakes first" in words_on(view)


def test_further_models_score_the_same_pairs(running, paths, qtbot):
    running.bench.edits.set_option("minimal_pairs.pairs", 8)
    running.bench.edits.set_option("minimal_pairs.further", ["roberta-miniature"])
    click_page(running.window, "minimal_pairs")
    asking = running.bench.asking
    qtbot.waitUntil(lambda: "minimal_pairs" in asking.askers, timeout=SLOW)
    frame = asking.askers["minimal_pairs"].frame
    qtbot.waitUntil(frame.empty_page.button.isVisible, timeout=SLOW)
    QTest.mouseClick(frame.empty_page.button, Qt.MouseButton.LeftButton)
    view = answered(running, qtbot, "minimal_pairs")
    assert newest(paths, "minimal_pairs").request.further == ("roberta-miniature",)
    first, second = view.result.scored
    assert (first.model.id, second.model.id) == ("bert-miniature", "roberta-miniature")
    assert [one.number for one in first.pairs] == [one.number for one in second.pairs]
    assert running.bench.models.cards.keys() == {"A"}
    assert "By model" in words_on(view)
    spots = view.findChild(PaintedPage, "minimal_pairsPage").page.spots
    named = [one.cells[0].text for one in spots if one.cells]
    assert named.index("bert-miniature") < named.index("roberta-miniature")
