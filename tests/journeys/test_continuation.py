"""A text goes on in the real window: a token is taken with a click, and given back by undo."""

import pytest

from explorer.api import LoadOptions
from explorer.program import Program
from tests.ui.pages import choose

pytestmark = pytest.mark.usefixtures("warm_engine")

MODEL = "gpt2-miniature"
SLOW = 90_000


@pytest.fixture
def running(paths, qtbot):
    from explorer.app import Running

    made = Running(Program(paths))
    made.window.resize(1300, 900)
    made.show()
    qtbot.waitExposed(made.window)
    yield made
    made.close()


def test_an_alternative_is_taken_with_a_click_and_given_back(running, qtbot):
    bench = running.bench
    bench.models.load("A", MODEL, MODEL, LoadOptions())
    bench.edits.type_text("The chef cooked the", 0)
    bench.edits.set_option("continuation.max_new_tokens", 4)
    running.window.view_area.bring_forward("continuation")
    view = running.window.view_of("continuation")

    def written():
        return "" if view.result is None or not bench.asking.is_idle else view.result.text

    qtbot.waitUntil(lambda: written() == " meal in the kitchen", timeout=SLOW)
    soup = next(one for one in view.result.tokens[0].alternatives if one.word == "soup")
    choose(view, ("alternative", soup.id))
    qtbot.waitUntil(lambda: written().startswith(" soup"), timeout=SLOW)
    assert len(view.result.tokens) == 5
    assert bench.state.stack.undoText() == "take 'soup'"
    bench.state.stack.undo()
    qtbot.waitUntil(lambda: written() == " meal in the kitchen", timeout=SLOW)
