"""The first sight of an answer costs what is seen: it is laid out once, scrolled or not."""

import sys
from collections import Counter

import pytest

from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.views import page_view
from explorer.ui.views.frame.view_frame import ViewFrame
from tests.stored_runs.recorded import RECORDED
from tests.ui.pages import kind_of

DEAREST = {
    "attribution": 20_800,
    "attribution_benchmark": 39_300,
    "continuation": 40_000,
    "disentangled_attention": 75_000,
    "entities": 39_000,
    "graph_question": 47_000,
    "layer_similarity": 16_000,
    "logit_lens": 16_000,
    "many_draws": 19_000,
    "query_key": 27_000,
    "replaced_tokens": 15_000,
    "side_by_side": 22_000,
    "train_tokenizer": 24_000,
    "tuned_lens": 19_000,
    "vocabulary": 37_000,
    "word_journey": 30_000,
}
"""Pages that take longest to be seen, and the calls until then: a tenth more than they are."""
MOST = 1
"""Widths: the room of the scroll bar is kept where there is none.

A line below the answer is a page of its own.
"""
OFTEN = (
    "graph_question",
    "many_draws",
    "query_key",
    "replaced_tokens",
    "tuned_lens",
    "word_journey",
)
"""Pages of several charts and matrices, which are higher than the window; two with a line below."""


@pytest.fixture
def framed(qtbot):
    def framed(name):
        view = kind_of(name)()
        frame = ViewFrame.of(view)
        qtbot.addWidget(frame)
        frame.resize(900, 640)
        frame.show()
        qtbot.waitExposed(frame)
        frame.make_room()
        return view, frame

    return framed


def shown(view, frame, name):
    run = RECORDED[name]
    view.set_document(run.document)
    view.show_result(run.result, run.document)
    frame.show_result()


def settle(qapp):
    for _ in range(4):
        qapp.processEvents()


@pytest.mark.parametrize("name", DEAREST)
def test_an_answer_is_laid_out_at_no_width_that_nobody_sees(name, framed, monkeypatch):
    widths, laid_out = [], page_view.page_of
    view, frame = framed(name)
    monkeypatch.setattr(
        page_view,
        "page_of",
        lambda blocks, width, room=0.0: widths.append(width) or laid_out(blocks, width, room),
    )
    shown(view, frame, name)
    frame.grab()
    assert len(widths) <= MOST + (view.declared.stays is not None), widths
    assert all(width > 800 for width in widths), widths


@pytest.mark.parametrize("name", DEAREST)
def test_the_first_sight_of_an_answer_takes_few_calls(name, framed, qapp):
    for _first in range(2):  # what is imported and measured once is not counted
        view, frame = framed(name)
        shown(view, frame, name)
        settle(qapp)
    view, frame = framed(name)
    settle(qapp)
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        shown(view, frame, name)
        settle(qapp)
    finally:
        sys.setprofile(None)
    assert calls <= DEAREST[name]


@pytest.mark.parametrize("name", OFTEN)
def test_an_answer_is_painted_once_before_somebody_does_something(name, framed, qapp, monkeypatch):
    painted, paint = Counter(), PaintedPage.paintEvent
    monkeypatch.setattr(
        PaintedPage,
        "paintEvent",
        lambda page, event: painted.update([page.objectName()]) or paint(page, event),
    )
    view, frame = framed(name)
    settle(qapp)
    painted.clear()
    shown(view, frame, name)
    settle(qapp)
    assert painted[view.page.objectName()] == 1


@pytest.mark.parametrize("name", DEAREST)
def test_what_mouse_and_keyboard_ask_for_waits_until_they_do(name, framed, qapp):
    view, frame = framed(name)
    shown(view, frame, name)
    settle(qapp)
    page = view.page.page
    assert not {"spots", "reached", "nodes", "anchors", "lines"} & vars(page).keys()
    assert page.spots
    assert page.nodes
