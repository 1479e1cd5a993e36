"""Calibration, from a page of a text to what is hidden with a token, in the real window."""

import pytest

from explorer.questions.masking.hiding import ScoringMethod
from tests.journeys.acting import answered, newest
from tests.ui.page_tree import click_page
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]


def test_calibration_by_mouse(running, paths, qtbot):
    click_page(running.window, "calibration")
    view = answered(running, qtbot, "calibration")
    result = view.result
    assert newest(paths, "calibration").request.text == running.bench.edits.document.text
    words = words_on(view)
    assert "By class of word" in words
    assert "above 0 where it is right, below where it is wrong" in words
    found = result.pooled.whole.found
    assert found.count == len(result.places)
    assert found.accuracy == sum(one.is_right for one in result.places) / found.count
    # What is hidden with a token is asked anew, and written into the log.
    running.bench.edits.set_option("calibration.method", ScoringMethod.WHOLE_WORD.value)
    answered(
        running,
        qtbot,
        "calibration",
        lambda one: one.result.method is ScoringMethod.WHOLE_WORD,
    )
    assert newest(paths, "calibration").request.method is ScoringMethod.WHOLE_WORD
