"""The parts of a head's scores on screen."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import Qt

from explorer.api.family import Head
from explorer.api.question.parts.predictions.changes import PredictionChanges, verdict_of
from explorer.document import Document
from explorer.questions.attention.disentangled_attention.distances import (
    distance_chart,
    reach_of,
    words_at,
)
from explorer.questions.attention.disentangled_attention.parts import (
    pairs_of,
    place_of_row,
    share_grid,
)
from explorer.questions.attention.disentangled_attention.question import (
    QUESTION,
    DisentangledAttentionRequest,
    Off,
    off_words,
)
from explorer.ui.blocks.block import page_of
from explorer.ui.charts.drawing import said_at, stops
from explorer.ui.charts.limits import limits_of
from explorer.ui.matrices.linked import MatricesView
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.matrices.token_pairs import chosen_pair, contents_of
from explorer.ui.theme.schemes import theme_of
from tests.questions.attention import answers
from tests.ui.pages import choose, kind_of, said_in, spot, words_on

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(shown):
    made = shown(kind_of("disentangled_attention"), 900, 700)
    made.set_models({"A": answers.card()}, "A")
    return made


def maps(view):
    """The matrices on the screen."""
    (board,) = view.page.findChildren(MatricesView)
    return board.maps


def drawn(result, document=answers.DOCUMENT):
    """The cells of every matrix, by its name."""
    pairs = pairs_of(result)
    names = [one.name for one in pairs.drawn]
    return dict(zip(names, contents_of(pairs, document, False), strict=True))


def sentence(view):
    """What is said of the pair that is pointed at."""
    (board,) = view.page.findChildren(MatricesView)
    return board.sentence.text()


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
    assert view.request_of(document) == DisentangledAttentionRequest.of(document)


def test_parts_and_sum_share_one_scale_about_zero(view):
    result = answers.disentangle_result()
    made = drawn(result)
    scale = made["score"].scale
    largest = max(np.abs(m).max() for m in [p.scores for p in result.parts] + [result.scores])
    assert (scale.diverging, scale.high) == (True, pytest.approx(largest))
    assert list(made) == ["c2c", "c2p", "p2c", "score", "attention"]
    assert {made[name].scale for name in ("c2c", "c2p", "p2c", "score")} == {scale}
    assert made["attention"].scale.low == 0
    assert not made["attention"].scale.diverging
    assert made["c2c"].rows == ("[CLS]", "the", "[MASK]", "was", "hot", "[SEP]")
    shown(view, result)
    assert list(maps(view)) == list(made)


def test_the_attention_without_the_parts_has_the_same_scale(view):
    result = answers.disentangle_result((Off("c2p"),))
    made = drawn(result)
    assert made["attention"].scale == made["attention_off"].scale
    np.testing.assert_array_equal(made["attention_off"].values, result.attention_after)
    shown(view, result)
    assert "attention_off" in maps(view)
    verdict = "Off: content to position everywhere. “soup” 0.5000 → 0.2000, first is now “tea”"
    assert verdict in words_on(view)
    shown(view)
    assert "attention_off" not in maps(view)
    assert "Off:" not in words_on(view)


@pytest.mark.parametrize("width", [700, 760, 1000, 1500, 2400])
def test_the_attention_without_the_parts_stands_beside_the_attention(view, width):
    result = answers.disentangle_result((Off("c2p"),))
    view.resize(width, 700)
    shown(view, result)
    before, after = maps(view)["attention"].geometry(), maps(view)["attention_off"].geometry()
    assert before.top() == after.top()
    assert before.right() < after.left()


def test_the_masked_token_has_its_name_at_any_size(view):
    shown(view)
    masked = {i for i, token in enumerate(view.result.tokens) if token.masked}
    assert masked
    assert {frozenset(one.content.named) for one in maps(view).values()} == {frozenset(masked)}


def test_only_the_parts_that_there_are(view):
    result = answers.disentangle_result()
    # Without steps of a decoder, shares have a row a layer.
    parts = tuple(
        dataclasses.replace(one, shares=one.shares[: result.layers]) for one in result.parts[:2]
    )
    result = dataclasses.replace(result, parts=parts, note="Made with c2c and c2p alone.", steps=0)
    shown(view, result)
    assert list(maps(view)) == ["c2c", "c2p", "score", "attention"]
    assert "c2c + c2p is the model's own score" in words_on(view)
    assert "Made with c2c and c2p alone." in words_on(view)
    keys = [one.key for one in view.page.page.spots if one.key and one.key[0] == "part"]
    assert keys == [("part", "c2c"), ("part", "c2p")]
    assert not view.bar.widgets["disentangled_attention.step"].isVisible()


def test_pointing_at_a_cell_marks_it_everywhere_and_adds_it_up(view):
    shown(view)
    maps(view)["c2p"].point_at((4, 1))
    assert {one.pointed for one in maps(view).values()} == {(4, 1)}
    result = view.result
    said = sentence(view)
    assert said.startswith("hot → the (3 to the left): c2c ")
    assert f"score {'+' if result.scores[4, 1] > 0 else '−'}" in said
    assert f"attention {float(result.attention[4, 1]):.4f}" in said
    maps(view)["c2p"].point_at(None)
    assert sentence(view).startswith("Point at a cell")


def test_a_clicked_pair_stays_marked(view, qtbot):
    shown(view)
    one = maps(view)["c2c"]
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.mouseClick(one, LEFT, pos=one.layout_now().box(1, 3).center().toPoint())
    document = told.args[0].on(answers.DOCUMENT)
    assert document == answers.DOCUMENT.with_option("disentangled_attention.pair", [1, 3])
    view.set_document(document)
    assert sentence(view).startswith("the → was (2 to the right)")
    assert "the → was (2 to the right)" in said_in(view.declared, view.shown(alone=True))
    maps(view)["c2c"].point_at((4, 4))
    assert sentence(view).startswith("hot → hot (itself)")
    maps(view)["c2c"].point_at(None)
    assert {one.pointed for one in maps(view).values()} == {(1, 3)}
    for rubbish in ([1, 99], "x", [1], [-1, 2]):
        view.set_document(answers.DOCUMENT.with_option("disentangled_attention.pair", rubbish))
        assert chosen_pair(pairs_of(view.result), Looking(QUESTION, view.shown())) is None


def press(view, qtbot, key):
    """Press a button of the page; gives the edit and the document after it, which is shown."""
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, key)
    edit = told.args[0]
    view.set_document(edit.on(view.now))
    return edit


def test_switches_in_a_head_a_layer_and_everywhere(view, qtbot):
    shown(view)
    view.set_document(answers.DOCUMENT.with_option("disentangled_attention.layer", 1))
    places = (("everywhere", [None, None]), ("layer", [1, None]), ("head", [1, 0]))
    for where, expected in places:
        press(view, qtbot, ("where", where))
        assert spot(view, ("where", where)).said.endswith(", chosen")
        asked = view.request_of(view.now)
        press(view, qtbot, ("part", "p2c"))
        assert view.now.option("disentangled_attention.off") == [["p2c", *expected]]
        assert view.request_of(view.now) != asked
        assert spot(view, ("part", "p2c")).said == "p2c, pressed"
        press(view, qtbot, ("part", "p2c"))
        assert view.now.option("disentangled_attention.off") is None
        assert spot(view, ("part", "p2c")).said == "p2c, not pressed"
        assert view.request_of(view.now) == asked  # where is no part of the question
    edit = press(view, qtbot, ("part", "absolute"))
    assert edit.name == "switch absolute positions in the mask decoder off"
    press(view, qtbot, ("part", "c2p"))
    assert view.now.option("disentangled_attention.off") == [
        ["absolute", None, None],
        ["c2p", 1, 0],
    ]
    assert press(view, qtbot, ("part", "all")).name == "switch all parts on"
    assert view.now.option("disentangled_attention.off") is None
    assert ("part", "all") not in [one.key for one in view.page.page.spots]


def test_a_layer_of_the_mask_decoder_is_the_last_one(view, qtbot):
    document = answers.DOCUMENT.with_option("disentangled_attention.layer", 1)
    document = document.with_option("disentangled_attention.step", 1)
    document = document.with_option("disentangled_attention.where", "layer")
    view.set_document(document)
    shown(view, answers.disentangle_result(layer=2, step=1), document)
    press(view, qtbot, ("part", "c2p"))
    assert view.now.option("disentangled_attention.off") == [["c2p", 2, None]]


def test_off_in_words():
    off = (Off("c2p"), Off("p2c", 1), Off("c2c", 1, 2), Off("absolute"))
    assert off_words(off) == (
        "content to position everywhere; position to content in layer 1; "
        "content to content in layer 1, head 2; absolute positions in the mask decoder"
    )


def test_shares_are_clicked_to_look_at_a_head(view, qtbot):
    result = answers.disentangle_result((Off("c2p", 1), Off("c2p", 2, 0)))
    grids = [share_grid(result, one) for one in result.parts]
    assert [one.caption.split(":")[0] for one in grids] == ["c2c", "c2p", "p2c"]
    assert grids[0].layers == ("0", "1", "2", "step 1", "step 2")
    assert grids[0].looked_at == (1, 2)
    assert grids[0].off == set()
    # The decoder's steps are the last layer again.
    assert grids[1].off == {(1, h) for h in range(4)} | {(row, 0) for row in (2, 3, 4)}
    share = float(result.parts[1].shares[3, 2])
    assert f"step 1, head 2: {100 * share:.1f} %" in grids[1].said(3, 2)
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
    view.set_document(answers.DOCUMENT)
    asked = view.request_of(answers.DOCUMENT)
    assert press(view, qtbot, ("distances",)).name == "draw all distances"
    assert view.now == answers.DOCUMENT.with_option("disentangled_attention.all_distances", True)
    assert view.request_of(view.now) == asked  # only drawn, not asked anew
    assert spot(view, ("distances",)).said == "All distances, pressed"
    assert press(view, qtbot, ("distances",)).name == "draw the distances of this text"
    assert view.now == answers.DOCUMENT


def test_the_place_is_chosen_in_the_header(view, qtbot):
    shown(view)
    view.tools()
    view.set_document(answers.DOCUMENT)
    stack, heads = (view.bar.fields[f"disentangled_attention.{n}"] for n in ("step", "layer"))
    assert "disentangled_attention.head" not in view.bar.fields
    every = [f"Layer {layer}, head {head}" for layer in range(3) for head in range(4)]
    assert [heads.itemText(n) for n in range(heads.count())] == every
    assert heads.currentText() == "Layer 0, head 0"
    with qtbot.waitSignal(view.edit_requested) as told:
        heads.activated.emit(every.index("Layer 1, head 3"))
    chosen = told.args[0].on(answers.DOCUMENT)
    assert told.args[0].name == "choose a head"
    assert chosen.option("disentangled_attention.layer") == 1
    assert chosen.option("disentangled_attention.head") == 3
    view.set_document(chosen)
    assert heads.currentText() == "Layer 1, head 3"
    assert [stack.itemText(n) for n in range(stack.count())] == [
        "Encoder",
        "Mask decoder, step 1",
        "Mask decoder, step 2",
    ]
    with qtbot.waitSignal(view.option_changed) as told:
        stack.activated.emit(2)
    assert told.args == ["disentangled_attention.step", 2]
    view.set_document(answers.DOCUMENT.with_option(*told.args))
    # It applies the last layer again, and only its heads can be chosen.
    assert [heads.itemText(n) for n in range(heads.count())] == every[8:]
    assert "last layer" in heads.toolTip()
    with qtbot.waitSignal(view.edit_requested) as told:
        heads.activated.emit(2)
    again = told.args[0].on(view.now)
    assert again.option("disentangled_attention.head") == 2
    assert again.option("disentangled_attention.layer") is None


def test_what_came_of_it_for_a_discriminator():
    before = np.full(answers.COUNT, 0.5, np.float32)
    changes = PredictionChanges(answers.TOKENS, (), before, before - 0.25)
    said = "The chances that tokens were replaced move by 0.2500 on average"
    assert verdict_of(changes) == said
    assert verdict_of(PredictionChanges(answers.TOKENS, ())) == ""


@pytest.mark.parametrize("width", [430, 900])
def test_pictures_at_every_width(view, width):
    before = np.linspace(0, 0.5, answers.COUNT, dtype=np.float32)
    judged = PredictionChanges(answers.TOKENS, (), before, before)
    for changes in (answers.CHANGES, judged, None):
        shown(view, answers.disentangle_result((Off("c2c"),), changes=changes))
        figure = view.figure(width, theme_of("light"))
        assert figure.width == width
        assert figure.height > 600
        spots = page_of(list(view.declared.blocks(view.shown())), width).spots
        assert all(one.box.right() <= width + 0.5 for one in spots)
    assert len(view.table().rows) == answers.COUNT**2
