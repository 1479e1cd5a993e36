"""Heads and parts switched off in the program's own window, by a real engine."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from explorer.questions.attention.attention.in_full import in_full
from explorer.questions.attention.attention.question import HEAD
from explorer.questions.attention.disentangled_attention.question import PAIR
from explorer.questions.attention.query_key.pictures import pair_of
from explorer.ui.matrices.map_block import MapView
from tests.journeys.acting import SLOW, brought, load, newest, take
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]

LEFT = Qt.MouseButton.LeftButton
DEBERTA = "deberta-v1-miniature"


def click_spot(qtbot, page, key):
    box = next(one.box for one in page.page.spots if one.key == key)
    qtbot.mouseClick(page, LEFT, pos=box.center().toPoint())


def test_a_head_is_clicked_off_and_the_prediction_changes(hands, paths, qtbot):
    view = take(hands, "A head switched off: what did the chef cook?")
    original = next(w for w in view.result.changes.masks[0].words if w.is_original)
    assert original.word == "meal"
    assert original.after < original.before / 2
    click_spot(qtbot, view.page, ("encoder", "layer", 1))
    hands.settle()
    assert [(p.layer, p.head) for p in view.result.off] == [(1, head) for head in range(4)]
    assert newest(paths, "head_ablation").result == view.result  # no arrays in it
    hands.window.bench.state.stack.undo()
    hands.settle()
    assert [(p.layer, p.head) for p in view.result.off] == [(1, 2)]
    # The head that looks at the word before, dimension by dimension.
    view = take(hands, "A head that looks at the word before")
    assert pair_of(view.shown()) == (5, 4)
    assert "meal → the: products add up to" in words_on(view)
    assert float(view.result.attention[5, 4]) > 0.9
    products = [one for one in view.page.widgets if isinstance(one, MapView)][1]
    assert products.content.rows[1] == "the"
    kept = newest(paths, "query_key").result
    assert kept.bias is None
    np.testing.assert_array_equal(kept.queries, view.result.queries)


def test_deep_learning_near_and_far(running, hands, paths, qtbot):
    load(running, qtbot, A=DEBERTA)
    hands.settle()
    view = take(hands, "Deep learning: two words side by side")
    assert "deep → learning (1 to the right)" in words_on(view)
    near, pair = view.result, PAIR.of(view.now)
    assert (near.layer, near.head) == (1, 1)
    assert float(near.attention[pair]) > 0.8
    data = near.changes.masks[0].best[0]
    assert data.word == "data"
    click_spot(qtbot, view.page, ("part", "c2p"))
    hands.settle()
    assert [one.part for one in view.result.off] == ["c2p"]
    words = {word.word: word for word in view.result.changes.masks[0].words}
    assert words["data"].after < data.before / 4
    click_spot(qtbot, view.page, ("part", "p2c"))
    hands.settle()
    # Without positions the head can't know that the two words touch.
    assert float(view.result.attention_after[pair]) < 0.3
    far = take(hands, "Deep, learning: the same two words far apart")
    assert far is view
    assert "deep → learning (5 to the right)" in words_on(view)
    assert float(view.result.attention[PAIR.of(view.now)]) < 0.05
    assert not view.result.off
    click_spot(qtbot, view.page, ("c2c", "head", 4, 0))
    hands.settle()
    assert (view.result.step, view.result.head) == (1, 0)
    kept = newest(paths, "disentangled_attention").result
    assert (kept.tokens, kept.step, kept.off) == (view.result.tokens, 1, ())
    np.testing.assert_array_equal(kept.scores, view.result.scores)
    np.testing.assert_array_equal(kept.parts[1].shares, view.result.parts[1].shares)


def test_a_head_that_had_no_model_comes_once_the_model_is_loaded_again(
    running, hands, paths, qtbot
):
    bench, window = hands.window.bench, hands.window
    view = brought(running, qtbot, "attention")
    hands.settle()
    run, name = newest(paths, "attention").summary, bench.models.active_card.stamp.id
    bench.models.unload("A")
    hands.settle()
    window.log.restore_wanted.emit(run.id)
    qtbot.waitUntil(lambda: bench.state.run_id == run.id and view.has_result, timeout=SLOW)
    bench.edits.set_option(HEAD.key, "1.1")
    qtbot.waitUntil(lambda: "is not loaded any more" in words_on(view), timeout=SLOW)
    load(running, qtbot, A=name)
    qtbot.waitUntil(lambda: in_full(view.shown()).now is not None, timeout=SLOW)
    assert in_full(view.shown()).now.chosen == ("1.1",)
    assert "is not loaded any more" not in words_on(view)
    assert bench.state.run_id == run.id, "the run of then is still shown"
