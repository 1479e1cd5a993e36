"""A text that goes on, on screen: its tokens, what they were chosen from, the tree of beams."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.document import Document
from explorer.questions.generation.continuation import beams
from explorer.questions.generation.continuation.cut_chart import cut_chart
from explorer.questions.generation.continuation.options import (
    AT,
    MAX_NEW_TOKENS,
    ROUNDS,
    STRATEGY,
    TAKEN,
)
from explorer.questions.generation.continuation.question import ContinuationRequest
from explorer.questions.generation.continuation.tokens_in_text import scored
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.chart_view import ChartView
from explorer.ui.document.gestures import Edit
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import choose, kind_of, part, spot, words_on

DOCUMENT = Document("The chef cooked the").with_option(MAX_NEW_TOKENS.key, 6)


def setting(**options):
    document = DOCUMENT
    for name, value in options.items():
        document = document.with_option(f"continuation.{name}", value)
    return document


@pytest.fixture
def show(shown):
    def made(document, model="gpt2-miniature"):
        view = shown(kind_of("continuation"))
        view.set_document(document)
        view.show_result(tiny.ask(miniature(model), ContinuationRequest.of(document)), document)
        return view

    return made


def row_of(alternative, step=1):
    """The key of the row of a token that could have been chosen."""
    return ("continuation.AlternativeRow", step, alternative.token)


def chosen(view, qtbot, key):
    """The document behind the gesture of a place."""
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, key)
    (edit,) = told.args
    assert isinstance(edit, Edit)
    return edit.on(view.document), edit.name


def test_an_empty_text_says_what_to_do(shown):
    view = shown(kind_of("continuation"))
    assert "beginning of a text" in view.empty_hint(Document(""))


def test_a_token_shows_its_step(show, qtbot):
    view = show(DOCUMENT)
    assert "Step 1: “meal”" in words_on(view)
    document, name = chosen(view, qtbot, ("token", 3))
    assert (AT.of(document), name) == ((3,), "look at step 4")
    view.set_document(document)
    assert "Step 4: “kitchen”" in words_on(view)
    assert "surprisal" in spot(view, ("token", 3)).words.lower()


def test_an_alternative_is_taken_and_gone_on_from(show, qtbot):
    view = show(setting(at=[2]))
    step = view.result.tokens[2]
    second = step.alternatives[1]
    document, name = chosen(view, qtbot, row_of(second, 3))
    before = tuple(one.token for one in view.result.tokens[:2])
    assert ContinuationRequest.of(document).taken == (*before, second.token)
    assert AT.of(document) == ()
    assert name.startswith("take '")
    view = show(document)
    assert [one.taken for one in view.result.tokens[:4]] == [True] * 3 + [False]
    assert f"Step 4: “{view.result.tokens[3].text.strip()}”" in words_on(view)
    free, _ = chosen(view, qtbot, ("chip", "Let the model choose all tokens"))
    assert ContinuationRequest.of(free) == ContinuationRequest.of(DOCUMENT)


def test_cuts_are_told(show):
    view = show(setting(strategy="combined", top_k=4, top_p=0.8))
    words = words_on(view)
    assert "Top-k removed 2,192 tokens" in words
    assert "Top-p removed" in words
    assert "left." in words
    gone = next(one for one in view.result.tokens[0].alternatives if one.cut_by == "top_k")
    assert "Removed by top-k." in spot(view, row_of(gone)).words


def test_a_token_of_the_tree_is_taken_by_mouse_and_keyboard(show, qtbot):
    view = show(setting(strategy="beam", num_beams=2))
    chart = part(view, ChartView)
    result = view.result
    order = [*result.path(result.best)]
    order += [n for n in range(len(result.tree)) if n not in order]
    place = next(n for n, number in enumerate(order) if result.tree[number].fate == "pruned")
    wanted = tuple(result.tree[n].token for n in result.path(order[place]))
    chart.setFocus()
    for _ in range(place + 1):
        QTest.keyClick(chart, Qt.Key.Key_Right)
    with qtbot.waitSignal(view.edit_requested) as told:
        QTest.keyClick(chart, Qt.Key.Key_Return)
    assert TAKEN.of(told.args[0].on(view.document)) == wanted
    points = chart.chart.series[-1]
    at = chart._drawn().mapping().point(points.x[place], points.y[place]).toPoint()
    with qtbot.waitSignal(view.edit_requested) as told:
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=at)
    assert TAKEN.of(told.args[0].on(view.document)) == wanted


def test_a_tree_with_very_many_tokens_draws_what_was_gone_on_with(show, monkeypatch):
    monkeypatch.setattr(beams, "MOST", 20)
    view = show(setting(strategy="beam", num_beams=4))
    chart, tree = part(view, ChartView).chart, view.result.tree
    assert len(tree) > 40
    assert f"20 of {len(tree)} tokens are drawn." in chart.remark
    assert len(chart.series[-1].x) == 20
    assert sum(one.fate != "pruned" for one in tree) >= 20
    assert not any("Pruned" in words for words in chart.series[-1].words)


def test_gibbs_sampling_is_named_and_has_rounds(show):
    view = show(setting(strategy="nucleus"), model="bert-miniature")
    words = words_on(view)
    assert "Gibbs sampling from a masked model, not the continuation" in words
    assert "Round by round" in words
    offered = view.declared.offers(view.document, view.shown(), None)
    assert offered[ROUNDS.key].there
    assert "beam" not in {one.value for one in offered[STRATEGY.key].entries}


def test_another_word_is_put_in_a_masks_place(show, qtbot):
    document = Document("the chef cooked the [MASK] .")
    view = show(document, model="bert-miniature")
    second = view.result.tokens[0].alternatives[1]
    edited, _ = chosen(view, qtbot, row_of(second))
    assert edited.text == f"the chef cooked the {second.word} ."
    behind = show(DOCUMENT, model="bert-miniature")
    (best, *_) = behind.result.tokens[0].alternatives[1:]
    assert spot(behind, row_of(best)).act is None


def test_a_pinned_text_stands_beside(show):
    view = show(DOCUMENT)
    view.pin()
    greedy = view.result
    document = setting(strategy="nucleus", seed=3)
    view.show_result(
        tiny.ask(miniature("gpt2-miniature"), ContinuationRequest.of(document)), document
    )
    assert "Pinned" in words_on(view)
    assert spot(view, ("pinned", 0)).act is None
    assert spot(view, ("pinned", 0)).words.startswith(f"Step 1: “{greedy.tokens[0].text.strip()}”")


def charts_on(view):
    """Those in the columns of the page."""
    columns = [one for one in view.declared.blocks(view.shown()) if isinstance(one, Columns)]
    blocks = [block for one in columns for card in one.cards for block in card.blocks]
    return [chart for one in blocks if isinstance(one, ChartBlock) for chart in one.charts]


def test_a_step_shows_where_it_is_cut(show):
    view = show(setting(strategy="combined", temperature=0.8, top_k=30))
    token = view.result.tokens[0]
    (chart,) = cut_chart(token).charts
    lines = {line.name: line for line in chart.lines}
    names = [cut.name for cut in token.cuts if cut.name != "temperature"]
    assert names == ["top_k", "top_p", "min_p", "typical_p"]
    assert lines["Top-k: to rank 30"].x.tolist() == [30.5, 30.5]
    drawn = lines["drawn with"]
    assert drawn.x[-1] <= token.cuts[-1].last
    assert drawn.y.min() > 0
    assert [chart.title for chart in charts_on(view)] == ["Where it is truncated"]
    assert not charts_on(show(DOCUMENT))


def test_branches_of_the_same_text_are_joined_and_say_so():
    document = setting(strategy="beam", num_beams=4)
    result = tiny.ask(miniature("gpt2-miniature"), ContinuationRequest.of(document))
    twin = replace(result.tree[1], same_as=0)
    alike = replace(result, tree=(result.tree[0], twin, *result.tree[2:]))
    (chart,) = beams.beams(Shown(alike, document, document)).charts
    (before,) = beams.beams(Shown(result, document, document)).charts
    assert "the same text in other pieces" in chart.remark
    assert "the same text" not in before.remark
    assert len(chart.series) == len(before.series) + 1
    points = chart.series[-1]
    total = (result.tree[0].probability + twin.probability) * 100
    said = [words for words in points.words if "1 other branch ends in the same text" in words]
    assert len(said) == 2
    assert f"together {total:.1f}" in said[0] or f"{total / 100:.4f}" in said[0]


def test_an_encoders_text_has_its_sentinels_and_not_what_they_hide(show):
    text = "I used a trowel."
    view = show(Document(text).with_mask(9, 15), "t5-miniature")
    shown = view.shown()
    prompt = [one.text for one in scored(shown, shown.result)][: len(shown.result.prompt)]
    assert "<extra_id_0>" in prompt
    assert "trowel" not in prompt
