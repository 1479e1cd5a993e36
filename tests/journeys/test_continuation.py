"""A text goes on in the real window: a token is taken with a click, and given back by undo."""

import pytest

from tests.journeys.acting import SLOW, load
from tests.ui.pages import choose

pytestmark = pytest.mark.usefixtures("warm_engine")

MODEL = "gpt2-miniature"


def test_an_alternative_is_taken_with_a_click_and_given_back(running, qtbot):
    bench = running.bench
    load(running, qtbot, A=MODEL)
    bench.edits.type_text("The chef cooked the", 0)
    bench.edits.set_option("continuation.max_new_tokens", 4)
    running.window.view_area.bring_forward("continuation")
    view = running.window.view_of("continuation")

    def written():
        return "" if view.result is None or not bench.asking.is_idle else view.result.text

    qtbot.waitUntil(lambda: written() == " meal in the kitchen", timeout=SLOW)
    soup = next(one for one in view.result.tokens[0].alternatives if one.word == "soup")
    choose(view, ("continuation.AlternativeRow", 1, soup.token))
    qtbot.waitUntil(lambda: written().startswith(" soup"), timeout=SLOW)
    assert len(view.result.tokens) == 5
    assert bench.state.stack.undoText() == "take 'soup'"
    bench.state.stack.undo()
    qtbot.waitUntil(lambda: written() == " meal in the kitchen", timeout=SLOW)
