"""The parts of a head's scores on screen."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import Qt

from explorer.api import Head
from explorer.document import Document
from explorer.questions.attention.disentangled_attention.page import DisentangleView
from explorer.questions.attention.disentangled_attention.question import Disentangle, Off
from explorer.questions.attention.head_ablation.question import Changes
from explorer.ui.charts.drawing import said_at, stops
from explorer.ui.charts.limits import limits_of
from explorer.ui.theme.schemes import theme_of
from explorer.ui.views.taking_apart.changes import verdict_said
from explorer.ui.views.taking_apart.distance_plot import distance_chart, reach_of, words_at
from explorer.ui.views.taking_apart.part_switches import off_words
from explorer.ui.views.taking_apart.parts_of_scores import (
    maps_of,
    place_of_row,
    share_grids,
    shared_scale,
)
from tests.ui.views.taking_apart import answers

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(qtbot):
    made = DisentangleView()
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.set_models({"A": answers.card()}, "A")
    made.show()
    qtbot.waitExposed(made)
    return made


def shown(view, result=None, document=answers.DOCUMENT):
    view.show_result(result or answers.disentangle_result(), document)
    return view


def test_a_place_that_is_not_there_becomes_the_last_one(view):
    assert view.request_of(Document(" ")) is None
    document = Document("the soup").with_option("disentangled_attention.layer", 11)
    document = document.with_option("disentangled_attention.head", 9)
    document = document.with_option(
        "disentangled_attention.off", [["c2p", 9, None], ["c2p", 1, None]]
    )
    asked = view.request_of(document)
    assert (asked.layer, asked.head, asked.off) == (2, 3, (Off("c2p", 1),))
    judge = dataclasses.replace(answers.card(), heads=(Head("replaced_token", "Judge", True),))
    view.set_models({"A": judge}, "A")
    decoding = document.with_option("disentangled_attention.step", 1)
    asked = view.request_of(
        decoding.with_option("disentangled_attention.off", [["absolute", None, None]])
    )
    assert (asked.step, asked.off) == (0, ())
    view.set_models({}, "A")
    assert view.request_of(document) == Disentangle.of(document)


def test_parts_and_sum_share_one_scale_about_zero(view):
    result = answers.disentangle_result()
    scale = shared_scale(result)
    largest = max(np.abs(m).max() for m in [p.scores for p in result.parts] + [result.scores])
    assert (scale.diverging, scale.high) == (True, pytest.approx(largest))
    maps = {one.name: one.content for one in maps_of(result, answers.DOCUMENT)}
    assert list(maps) == ["c2c", "c2p", "p2c", "score", "weight"]
    assert {maps[name].scale for name in ("c2c", "c2p", "p2c", "score")} == {scale}
    assert maps["weight"].scale.low == 0
    assert not maps["weight"].scale.diverging
    assert maps["c2c"].rows == ("[CLS]", "the", "[MASK]", "was", "hot", "[SEP]")
    shown(view, result)
    assert list(view.board.maps) == list(maps)


def test_the_attention_without_the_parts_has_the_same_scale(view):
    result = answers.disentangle_result((Off("c2p"),))
    maps = {one.name: one.content for one in maps_of(result, None)}
    assert maps["weight"].scale == maps["weightOff"].scale
    np.testing.assert_array_equal(maps["weightOff"].values, result.attention_after)
    shown(view, result)
    assert "weightOff" in view.board.maps
    assert view.verdict.text() == (
        "Off: content to position everywhere. “soup” 0.5000 → 0.2000, first is now “tea”"
    )
    shown(view)
    assert "weightOff" not in view.board.maps
    assert not view.verdict.isVisible()


def test_only_the_parts_that_there_are(view):
    result = answers.disentangle_result()
    # Without steps of a decoder, shares have a row a layer.
    parts = tuple(
        dataclasses.replace(one, shares=one.shares[: result.layers]) for one in result.parts[:2]
    )
    result = dataclasses.replace(result, parts=parts, note="Made with c2c and c2p alone.", steps=0)
    shown(view, result)
    assert list(view.board.maps) == ["c2c", "c2p", "score", "weight"]
    assert "c2c + c2p is the model's own score" in view.check.text()
    assert "Made with c2c and c2p alone." in view.check.text()
    visible = {name for name, one in view.switches.buttons.items() if one.isVisible()}
    assert visible == {"c2c", "c2p"}


def test_pointing_at_a_cell_marks_it_everywhere_and_adds_it_up(view):
    shown(view)
    view.board.maps["c2p"].point_at((4, 1))
    assert {one.pointed for one in view.board.maps.values()} == {(4, 1)}
    result = view.result
    said = view.pair_line.text()
    assert said.startswith("hot → the (3 to the left): c2c ")
    assert f"score {'+' if result.scores[4, 1] > 0 else '−'}" in said
    assert f"attention {float(result.attention[4, 1]):.4f}" in said
    view.board.maps["c2p"].point_at(None)
    assert view.pair_line.text().startswith("Point at a cell")


def test_a_clicked_pair_stays_marked(view, qtbot):
    shown(view)
    with qtbot.waitSignal(view.option_changed) as told:
        view.board.maps["c2c"].clicked.emit(1, 3)
    assert told.args == ["disentangled_attention.pair", [1, 3]]
    document = answers.DOCUMENT.with_option(*told.args)
    view.set_document(document)
    assert view.pair_line.text().startswith("the → was (2 to the right)")
    view.board.maps["c2c"].point_at((4, 4))
    assert view.pair_line.text().startswith("hot → hot (itself)")
    view.board.maps["c2c"].point_at(None)
    assert {one.pointed for one in view.board.maps.values()} == {(1, 3)}
    for rubbish in ([1, 99], "x", [1], [-1, 2]):
        view.set_document(answers.DOCUMENT.with_option("disentangled_attention.pair", rubbish))
        assert view.pair is None


def test_switches_in_a_head_a_layer_and_everywhere(view, qtbot):
    shown(view)
    view.set_document(answers.DOCUMENT.with_option("disentangled_attention.layer", 1))
    switches = view.switches
    for index, expected in ((0, [None, None]), (1, [1, None]), (2, [1, 0])):
        switches.scope.setCurrentIndex(index)
        with qtbot.waitSignal(view.option_changed) as told:
            switches.buttons["p2c"].click()
        assert told.args == ["disentangled_attention.off", [["p2c", *expected]]]
        view.set_document(
            answers.DOCUMENT.with_option("disentangled_attention.layer", 1).with_option(*told.args)
        )
        assert switches.buttons["p2c"].isChecked()
        with qtbot.waitSignal(view.option_changed) as told:
            switches.buttons["p2c"].click()
        assert told.args == ["disentangled_attention.off", None]
        view.set_document(answers.DOCUMENT.with_option("disentangled_attention.layer", 1))
    with qtbot.waitSignal(view.option_changed) as told:
        switches.buttons["absolute"].click()
    assert told.args == ["disentangled_attention.off", [["absolute", None, None]]]


def test_off_in_words():
    off = (Off("c2p"), Off("p2c", 1), Off("c2c", 1, 2), Off("absolute"))
    assert off_words(off) == (
        "content to position everywhere; position to content in layer 1; "
        "content to content in layer 1, head 2; absolute positions in the mask decoder"
    )


def test_shares_are_clicked_to_look_at_a_head(view, qtbot):
    result = answers.disentangle_result((Off("c2p", 1), Off("c2p", 2, 0)))
    grids = share_grids(result)
    assert [one.title.split(":")[0] for one in grids] == ["c2c", "c2p", "p2c"]
    assert grids[0].rows == ("0", "1", "2", "step 1", "step 2")
    assert grids[0].marked == (1, 2)
    assert grids[0].off == set()
    # The decoder's steps are the last layer again.
    assert grids[1].off == {(1, h) for h in range(4)} | {(row, 0) for row in (2, 3, 4)}
    share = float(result.parts[1].shares[3, 2])
    assert f"step 1, head 2: {share:.1%}" in grids[1].words(3, 2)
    assert [place_of_row(result, row) for row in (0, 2, 3, 4)] == [(0, 0), (2, 0), (2, 1), (2, 2)]
    shown(view, result)
    told = []
    start = answers.DOCUMENT.with_option("disentangled_attention.step", 1)
    view.edit_requested.connect(lambda edit: told.append(edit.on(start)))
    page = view.page
    for key in (("c2p", "head", 0, 3), ("p2c", "head", 4, 1)):
        box = next(one.box for one in page.page.spots if one.key == key)
        qtbot.mouseClick(page, LEFT, pos=box.center().toPoint())
    options = [
        [one.option(f"disentangled_attention.{name}") for name in ("step", "layer", "head")]
        for one in told
    ]
    assert options == [[None, 0, 3], [2, None, 1]]


def test_distances_of_the_text_or_all(view, qtbot):
    result = answers.disentangle_result(buckets=True)
    assert (reach_of(result, whole=False), reach_of(result, whole=True)) == (8, 20)
    assert limits_of(distance_chart(result, whole=False))[0] == (-8, 8)
    every = distance_chart(result, whole=True)
    assert len(stops(every)) == 41
    words = words_at(result, 9)
    assert said_at(every, 29, frozenset()) == words
    assert words.startswith("Key 9 tokens to the right (bucket 4: 4 to 20)")
    mean = float(result.biases[0].mean[2, 29])
    assert f"c2p: {'+' if mean > 0 else '−'}{abs(mean):.4f}" in words
    assert words_at(result, 0).startswith("The token itself")
    assert words_at(result, -1).startswith("Key 1 token to the left\n")
    shown(view, result)
    view.tools()
    with qtbot.waitSignal(view.option_changed) as told:
        view.whole.click()
    assert told.args == ["disentangled_attention.all_distances", True]
    asked = view.request_of(answers.DOCUMENT)
    document = answers.DOCUMENT.with_option(*told.args)
    assert view.request_of(document) == asked  # only drawn, not asked anew
    view.set_document(document)
    assert view.whole.isChecked()


def test_the_place_is_chosen_in_the_header(view, qtbot):
    shown(view)
    view.tools()
    view.set_document(answers.DOCUMENT)
    assert (view.place.layer.maximum(), view.place.head.maximum()) == (2, 3)
    with qtbot.waitSignal(view.option_moved) as told:
        view.place.head.setValue(3)
    assert told.args == ["disentangled_attention.head", 3]
    assert [view.place.stack.itemText(n) for n in range(3)] == [
        "Encoder",
        "Mask decoder, step 1",
        "Mask decoder, step 2",
    ]
    with qtbot.waitSignal(view.option_changed) as told:
        view.place.stack.activated.emit(2)
    assert told.args == ["disentangled_attention.step", 2]
    view.set_document(answers.DOCUMENT.with_option(*told.args))
    assert not view.place.layer.isEnabled()


def test_what_came_of_it_for_a_discriminator():
    before = np.full(answers.COUNT, 0.5, np.float32)
    changes = Changes(answers.TOKENS, (), before, before - 0.25)
    assert verdict_said(changes) == "chances that tokens were replaced move by 0.2500 on average"
    assert verdict_said(Changes(answers.TOKENS, ())) == ""


@pytest.mark.parametrize("width", [430, 900])
def test_pictures_at_every_width(view, width):
    before = np.linspace(0, 0.5, answers.COUNT, dtype=np.float32)
    judged = Changes(answers.TOKENS, (), before, before)
    for changes in (answers.CHANGES, judged, None):
        shown(view, answers.disentangle_result((Off("c2c"),), changes=changes))
        figure = view.figure(width, theme_of("light"))
        assert figure.width == width
        assert figure.height > 600
        assert all(one.box.right() <= width + 0.5 for one in view._below_at(width).spots)
    assert len(view.table().rows) == answers.COUNT**2
