"""A pair of tokens and its dimensions on screen."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from explorer.document import Document
from explorer.questions.attention.query_key.pictures import dimension_chart, order_of, pair_of
from explorer.questions.attention.query_key.question import QUESTION, QueryKeyRequest, parts
from explorer.ui.charts.drawing import said_at
from explorer.ui.matrices.map_block import MapView
from explorer.ui.theme.schemes import theme_of
from tests.questions.attention import answers
from tests.ui.pages import kind_of, words_on


@pytest.fixture
def view(shown):
    made = shown(kind_of("query_key"), 900, 700)
    made.set_models({"A": answers.card()}, "A")
    return made


@pytest.fixture
def edits(view):
    """What the gestures in the page make of the document."""
    told = []
    view.edit_requested.connect(lambda edit: told.append(edit.on(view.now)))
    return told


def maps(view):
    """The head's attention, and the products."""
    return [one for one in view.page.widgets if isinstance(one, MapView)]


def pair(view):
    return pair_of(view.shown())


def sentences(made):
    """The sum, and the largest products."""
    return made[1].text, made[2].cards[1].parts[1].text


def test_a_place_that_is_not_there_becomes_the_last_one_of_its_stack(view):
    assert view.request_of(Document("")) is None
    document = Document("the soup").with_option("query_key.layer", 7)
    document = document.with_option("query_key.head", 1)
    assert view.request_of(document) == QueryKeyRequest("the soup", layer=2, head=1)
    card = replace(answers.card(), stacks=(("encoder", 4, 8), ("decoder", 6, 8), ("cross", 6, 8)))
    for kind, layer in (("", 3), ("encoder", 3), ("decoder", 5), ("cross", 5)):
        asked = QueryKeyRequest("the soup", kind=kind, layer=7, head=9).fitting([card])
        assert asked == QueryKeyRequest("the soup", kind=kind, layer=layer, head=7)


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_the_first_pair_is_the_two_words_with_most_attention(kind):
    result = answers.query_key_result(kind)
    words = [1, 2, 3, 4]
    pairs = [(q, k) for q in words for k in words if q != k and not result.is_hidden(q, k)]
    expected = max(pairs, key=lambda pair: result.attention[pair])
    assert result.pair() == expected
    assert result.pair([4, 1]) == (4, 1)
    for rubbish in ([4, 99], [-1, 1], [1]):
        assert result.pair(rubbish) == expected
    for rubbish in (["a", 1], 7):
        document = answers.DOCUMENT.with_option("query_key.pair", rubbish)
        assert result.pair(QUESTION.settings_of(document)["pair"]) == expected
    if kind == "decoder":
        assert result.pair([1, 4]) == expected


def test_a_click_chooses_a_pair_and_nothing_is_asked_anew(view, edits):
    view.show_result(answers.query_key_result(), answers.DOCUMENT)
    view.set_document(answers.DOCUMENT)
    maps(view)[0].clicked.emit(4, 3)
    (document,) = edits
    assert document == answers.DOCUMENT.with_option("query_key.pair", [4, 3])
    assert view.request_of(document) == view.request_of(answers.DOCUMENT)
    view.set_document(document)
    assert pair(view) == (4, 3)
    assert "hot → was: products add up to" in words_on(view)
    np.testing.assert_array_equal(
        maps(view)[1].content.values, view.result.queries[4] * view.result.keys
    )
    maps(view)[1].clicked.emit(1, 5)
    assert edits[-1].option("query_key.pair") == [4, 1]


def test_of_a_reader_of_entities_it_is_said_that_theirs_are_not_drawn(view):
    view.show_result(answers.query_key_result(), answers.DOCUMENT)
    assert "Entities have their own" not in words_on(view)
    card = answers.card()
    reader = replace(card, operations=(*card.operations, "entities"))
    view.set_models({"A": replace(reader, stamp=view.result.model)}, "A")
    said = "Entities have their own, which are not drawn here; “Attention” draws"
    assert said in words_on(view)


def test_the_mouse_looks_and_leaving_goes_back(view):
    view.show_result(answers.query_key_result(), answers.DOCUMENT)
    chosen = pair(view)
    maps(view)[0].point_at((1, 1))
    assert pair(view) == (1, 1)
    assert "the → the: products add up to" in words_on(view)
    maps(view)[0].point_at(None)
    assert pair(view) == chosen
    assert maps(view)[0].pointed == chosen


def test_the_chosen_pair_is_marked_without_hiding_its_neighbours(view, qtbot):
    view.show_result(answers.query_key_result(), answers.DOCUMENT)
    view.show()
    head = maps(view)[0]
    at = head.layout_now()
    (row, column), name = head.pointed, head.words_at(*head.pointed)
    assert not head.has_bubble
    qtbot.mouseMove(head, at.box(row, column).center().toPoint())
    qtbot.waitUntil(lambda: head.has_bubble)
    assert head.words_at(*head.pointed) == name


def test_what_comes_later_can_not_be_chosen(view, edits):
    result = answers.query_key_result("decoder")
    view.show_result(result, answers.DOCUMENT)
    maps(view)[0].clicked.emit(1, 4)
    assert edits == []
    content = maps(view)[0].content
    assert content.is_blocked(1, 4)
    assert not content.is_blocked(4, 1)
    before = pair(view)
    maps(view)[0].point_at((1, 4))
    assert pair(view) == before


def test_the_sum_in_words():
    result = answers.query_key_result(bias=True)
    content, position, score = result.score(1, 2)
    assert content == pytest.approx(float(result.queries[1] @ result.keys[2]) * 0.5, abs=1e-6)
    assert score == pytest.approx(content + position)
    said, most = sentences(parts(result, pair=(1, 2)))
    assert said.startswith("the → [MASK]: products add up to ")
    assert "× 0.5000" in said
    assert "positions add" in said
    assert "positions add" not in sentences(parts(answers.query_key_result(), pair=(1, 2)))[0]
    largest = int(abs(result.products(1, 2)).argmax())
    assert most.startswith(f"Largest products: dimensions {largest} (")


def test_dimensions_in_their_order_or_by_size(view, qtbot):
    result = answers.query_key_result()
    assert order_of(result, (1, 2), by_size=False) == list(range(8))
    by_size = order_of(result, (1, 2), by_size=True)
    chart = dimension_chart(result, (1, 2), ("the", "soup"), by_size=True)
    products = result.products(1, 2)
    assert list(products[by_size]) == sorted(products, reverse=True)
    first = by_size[0]
    said = said_at(chart, 0, frozenset())
    assert said.startswith(f"Dimension {first}: query ")
    assert f"= +{products[first]:.4f}" in said
    view.tools()
    view.show_result(result, answers.DOCUMENT)
    with qtbot.waitSignal(view.option_changed) as told:
        view.bar.fields["query_key.by_size"].click()
    assert told.args == ["query_key.by_size", True]


def test_files_have_all_pairs_and_the_dimensions_of_the_one_that_is_drawn(view):
    view.show_result(answers.query_key_result(), answers.DOCUMENT)
    query, key = pair(view)
    assert len(view.table().rows) == answers.COUNT**2
    rows = view.declared.tables(view.shown())["Query, key and product by dimension"].rows
    assert len(rows) == 8
    assert sum(row[3] for row in rows) == pytest.approx(
        float(view.result.queries[query] @ view.result.keys[key]), abs=1e-5
    )
    for width in (430, 900):
        figure = view.figure(width, theme_of("dark"))
        assert figure.width == width
        assert figure.height > 400


def test_leaving_the_map_tells_once_and_nothing_is_looked_at_any_more(view, qtbot):
    view.show_result(answers.query_key_result(), answers.DOCUMENT)
    chosen = pair(view)
    maps(view)[0].point_at((1, 1))
    assert pair(view) == (1, 1)
    told = []
    maps(view)[0].hovered.connect(told.append)
    QCoreApplication.sendEvent(maps(view)[0], QEvent(QEvent.Type.Leave))
    assert told == [None]
    assert pair(view) == chosen
    # A pair that is chosen now is the one that is seen: no mouse is over another.
    other = next((q, k) for q in (1, 2) for k in (1, 2) if (q, k) != chosen and (q, k) != (1, 1))
    view.set_document(answers.DOCUMENT.with_option("query_key.pair", list(other)))
    assert pair(view) == other
