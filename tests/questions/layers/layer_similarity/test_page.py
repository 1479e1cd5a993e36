"""Layer similarity on screen."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import FIRST, SECOND, Context
from explorer.document import Document
from explorer.questions.layers.layer_similarity.question import (
    ALONE,
    FILE,
    MEASURE,
    QUESTION,
    STANDARDISED,
    TEXT,
    TYPED,
    UNBIASED,
    LayerSimilarityRequest,
)
from explorer.ui.blocks.columns import Columns
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.limits import round_up
from explorer.ui.matrices.block import MatrixBlock
from explorer.ui.parts.matrices.grid import SIZE
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, words_on


def answer(first, second="", **fields):
    models = {FIRST: miniature(f"{first}-miniature")}
    if second:
        models[SECOND] = miniature(f"{second}-miniature")
    request = LayerSimilarityRequest(**{"most": 200, **fields})
    return QUESTION.run(models[FIRST], request, Context(models=models))


@pytest.fixture(scope="module")
def taught():
    return answer("bert", "tinybert", most=1000)


@pytest.fixture
def show(shown):
    def made(result):
        view = shown(kind_of("layer_similarity"))
        view.show_result(result, Document("not what was measured on"))
        return view

    return made


def blocks_of(view, now=None):
    """All blocks, those in cards too."""
    shown = replace(view.shown(), now=now or view.shown().now)
    found = []
    for block in view.declared.blocks(shown):
        found.append(block)
        if isinstance(block, Columns):
            found += [inner for card in block.cards for inner in card.blocks]
    return found


def one_of(view, kind, now=None):
    (found,) = [block for block in blocks_of(view, now) if isinstance(block, kind)]
    return found


def test_the_student_is_in_the_rows_and_its_teachers_layers_are_framed(show, taught):
    view = show(taught)
    block = one_of(view, MatrixBlock)
    content = block.matrix.content
    assert content.rows == ("emb.", "0", "1")
    assert content.columns == ("emb.", "0", "1", "2", "3")
    assert np.array_equal(content.values, taught.cka.T)
    assert [(mark.row, mark.column) for mark in content.marks] == [(1, 2), (2, 4)]
    assert block.size is SIZE
    assert "was made from this one" in content.said(1, 2)
    assert f"{taught.cka[2, 1]:.4f}" in content.said(1, 2)
    assert f"{taught.unbiased[2, 1]:.4f}" in content.said(1, 2)
    assert "most alike for 2 of 2 layers" in words_on(view)


def test_the_title_says_the_measure_and_how_many_tokens(show, taught):
    view = show(taught)
    assert one_of(view, MatrixBlock).matrix.title == f"Linear CKA, {taught.samples:,} tokens"
    now = Document("").with_option(MEASURE.key, UNBIASED)
    block = one_of(view, MatrixBlock, now)
    assert block.matrix.title == f"Unbiased linear CKA, {taught.samples:,} tokens"
    assert np.array_equal(block.matrix.content.values, taught.unbiased.T)


def test_the_page_says_what_it_was_measured_on(show, taught):
    said = words_on(show(taught))
    assert f"Measured on {taught.samples:,} tokens from {taught.sentences} different" in said
    assert "of the small world, in English" in said
    assert "128 numbers" in said
    assert "96" in said


def test_curves_are_without_the_baseline(show, taught):
    view = show(taught)
    same, sentence, baseline = one_of(view, ChartBlock).charts
    for model, at in ((taught.first, 0), (taught.second, 1)):
        kind = model.plain
        assert baseline.lines[at].y == pytest.approx(kind.anisotropy)
        assert same.lines[at].y == pytest.approx(kind.self_similarity - kind.anisotropy)
        assert sentence.lines[at].y == pytest.approx(kind.intra_sentence - kind.anisotropy)
    # The shallower model's last layer stands under the deeper one's.
    assert same.lines[0].x[-1] == same.lines[1].x[-1] == 4
    now = Document("").with_option(STANDARDISED.key, True)
    standard = one_of(view, ChartBlock, now).charts[2]
    assert standard.lines[0].y == pytest.approx(taught.first.standardised.anisotropy)


def test_one_model_alone_has_one_line_and_no_frames(show):
    view = show(answer("gpt2"))
    assert one_of(view, MatrixBlock).matrix.content.marks == ()
    assert all(len(chart.lines) == 1 for chart in one_of(view, ChartBlock).charts)


def test_a_typed_sentence_says_what_it_has_too_little_of(show):
    view = show(answer("bert", text="the chef cooked the meal in the kitchen for the guests ."))
    said = words_on(view)
    assert "the typed text" in said
    assert "There is one sentence only" in said
    assert "fewer samples here than numbers in a state" in said
    assert not [block for block in blocks_of(view) if isinstance(block, ChartBlock)]


def test_unknown_words_are_warned_of(show):
    assert "unknown to its vocabulary" in words_on(show(answer("bert", korean=True)))


def test_where_the_words_of_two_models_were_compared(show):
    said = words_on(show(answer("gpt2", "bert")))
    assert "aligned words" in said


def test_what_is_asked_of_a_document():
    typed = Document("One. Two.")
    assert LayerSimilarityRequest.of(typed) == LayerSimilarityRequest()
    chosen = typed.with_option(TEXT.key, TYPED)
    assert LayerSimilarityRequest.of(chosen).text == "One. Two."
    opened = typed.with_option(FILE.key, "some.txt")
    assert LayerSimilarityRequest.of(opened).path == "some.txt"
    assert QUESTION.hint(Document("").with_option(TEXT.key, TYPED)).startswith("Type a few")


def test_who_plays():
    cards = {"A": object(), "B": object()}
    assert QUESTION.cast(cards, "B", Document("")) == {FIRST: "A", SECOND: "B"}
    assert QUESTION.cast({"A": object()}, "A", Document("")) == {FIRST: "A"}
    alone = Document("").with_option(ALONE.key, True)
    assert QUESTION.cast(cards, "B", alone) == {FIRST: "B"}


def test_an_axis_fits_a_baseline_below_zero(show):
    result = answer("bert", text="The chef cooked the meal in the kitchen. The guests liked it.")
    now = Document("").with_option(STANDARDISED.key, True)
    charts = one_of(show(result), ChartBlock, now).charts
    baseline = charts[-1]
    assert len({(one.y.low, one.y.high) for one in charts}) == 1, "cosines have one axis"
    assert baseline.title == "Baseline: anisotropy"
    values = baseline.lines[0].y
    assert values.max() < 0  # of few tokens, those of other sentences lie on the other side
    assert baseline.y.low == pytest.approx(values.min())
    highest = max(line.y.max() for one in charts for line in one.lines)
    assert baseline.y.high >= highest


def test_an_axis_that_reaches_higher_ends_on_a_round_number(show, taught):
    charts = one_of(show(taught), ChartBlock).charts
    highest = max(line.y.max() for one in charts for line in one.lines)
    assert [chart.y.high for chart in charts] == [pytest.approx(round_up(highest))] * 3
