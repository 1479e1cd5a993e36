"""The first sight of an answer costs what is seen: it is laid out once, scrolled or not."""

import pytest

from explorer.ui.views import page_view
from explorer.ui.views.frame.view_frame import ViewFrame
from tests.stored_runs.recorded import RECORDED
from tests.ui.pages import kind_of

DEAREST = ("graph_question", "vocabulary", "disentangled_attention", "entities", "train_tokenizer")
"""Pages that take longest to be laid out."""
MOST = 1
"""Widths: the room of the scroll bar is kept where there is none."""


@pytest.mark.parametrize("name", DEAREST)
def test_an_answer_is_laid_out_at_no_width_that_nobody_sees(name, qtbot, monkeypatch):
    widths, laid_out = [], page_view.page_of
    view = kind_of(name)()
    frame = ViewFrame.of(view)
    qtbot.addWidget(frame)
    frame.resize(900, 640)
    frame.show()
    qtbot.waitExposed(frame)
    monkeypatch.setattr(
        page_view,
        "page_of",
        lambda blocks, width, room=0.0: widths.append(width) or laid_out(blocks, width, room),
    )
    run = RECORDED[name]
    frame.make_room()
    view.set_document(run.document)
    view.show_result(run.result, run.document)
    frame.show_result()
    frame.grab()
    assert len(widths) <= MOST, widths
    assert all(width > 800 for width in widths), widths
