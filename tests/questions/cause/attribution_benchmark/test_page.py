"""The benchmark on screen: a row a method, a row a model, and where a method is wrong."""

from dataclasses import replace

import pytest

from explorer.attribution.kinds import Baseline
from explorer.document import Document
from explorer.questions.cause.attribution_benchmark.page import PAGE
from explorer.questions.cause.attribution_benchmark.question import (
    PLACES,
    QUESTION,
    SHOWN,
    AttributionBenchmarkRequest,
)
from explorer.questions.cause.attribution_benchmark.recorded import every_model
from explorer.questions.cause.attribution_benchmark.rules import RULES, rule_results
from explorer.questions.cause.attribution_benchmark.tested import WAYS, MethodVariant
from explorer.ui.blocks.block import page_of
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Line, Points
from explorer.ui.matrices.block import MatrixBlock
from explorer.ui.views.frame.pin_bar import PinBar
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import choose, kind_of, spot, words_on

SENTENCE = Document("The cat sat on the mat.")


@pytest.fixture(scope="module")
def result():
    request = AttributionBenchmarkRequest(places=10, steps=2, samples=2)
    return tiny.ask(miniature("bert-miniature"), request)


@pytest.fixture
def view(shown, result):
    made = shown(kind_of("attribution_benchmark"))
    made.show_result(result, SENTENCE)
    return made


def row_of(way):
    """The key of a method's row."""
    return ("attribution_benchmark.ShareRow", way.title)


def blocks_of(view, kind, *, cards=True):
    """Blocks of a kind, those in cards too."""
    found = []
    for block in view.declared.blocks(view.shown()):
        inner = [one for card in getattr(block, "cards", ()) for one in card.blocks]
        found += [one for one in (block, *inner) if isinstance(one, kind)]
    return found


def test_it_waits_for_the_run_button_and_needs_no_text(view):
    assert QUESTION.is_expensive is not None
    assert QUESTION.waiting_hint
    assert view.request_of(Document("")) == AttributionBenchmarkRequest()
    few = Document("").with_option(PLACES.key, 20)
    assert view.request_of(few).places == 20


def test_the_chart_has_each_method_with_its_interval_and_chance(view, result):
    (block,) = blocks_of(view, ChartBlock)
    (chart,) = block.charts
    rows = list(reversed(result.ranked))
    lines = [one for one in chart.series if isinstance(one, Line)]
    assert [(one.x[0], one.x[1]) for one in lines] == [(one.low, one.high) for one in rows]
    (points,) = (one for one in chart.series if isinstance(one, Points))
    assert list(points.x) == [one.share for one in rows]
    assert chart.y.words == tuple(one.way.title for one in rows)
    (chance,) = chart.references
    assert chance.start[0] == chance.end[0] == result.chance


def test_a_method_lists_its_mistakes_and_a_click_brings_one_into_the_sentence(view, result, qtbot):
    keys = [one.key for one in view.page.page.spots if one.key and "ShareRow" in one.key[0]]
    assert keys == [row_of(one.way) for one in result.ranked]
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, row_of(MethodVariant("integrated_gradients", Baseline.PAD)))
    now = told.args[0].on(SENTENCE)
    assert SHOWN.of(now) == "integrated_gradients_pad"
    assert view.request_of(now) == view.request_of(SENTENCE)
    view.set_document(now)
    assert "Where it is wrong: Integrated gradients, [PAD]" in words_on(view)
    one = next(one for one in result.ways if one.way.name == "integrated_gradients_pad")
    wrong = [
        place
        for place, pick in zip(result.places, one.picks, strict=True)
        if pick not in place.right
    ]
    listed = [one.key for one in view.page.page.spots if one.key and "MistakeRow" in one.key[0]]
    texts = [key[1].replace("[", "").replace("]", "") for key in listed]
    assert set(texts) <= {place.text for place in wrong}
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, listed[0])
    brought = told.args[0].on(now)
    place = next(one for one in wrong if one.text == texts[0])
    (mask,) = brought.masks
    assert (brought.text, (mask.start, mask.end)) == (place.text, place.words[place.asked])
    assert told.args[0].name == "take a place of the benchmark"


def test_every_bundled_model_has_a_row(view):
    pairs, block = blocks_of(view, MatrixBlock)
    count = len(WAYS) + len(RULES)
    assert pairs.matrix.content.values.shape == (count, count)
    content = block.matrix.content
    models = every_model()
    assert content.values.shape == (len(models), len(WAYS))
    for row, one in enumerate(models):
        for column, way in enumerate(WAYS):
            share = one.share(way.name)
            assert content.values[row, column] == pytest.approx(share, nan_ok=True)
    here = next(n for n, one in enumerate(models) if one.model == "bert-miniature")
    assert f"Right at {models[here].right['occlusion']} of" in content.said(
        here, [way.name for way in WAYS].index("occlusion")
    )


def test_a_method_that_is_always_right_has_no_mistakes(view, result):
    ways = [replace(one, picks=tuple(p.right[0] for p in result.places)) for one in result.ways]
    view.show_result(replace(result, ways=tuple(ways), left_out=3), SENTENCE)
    assert "Nowhere." in words_on(view)
    assert "3 places are left out" in words_on(view)


def test_the_places_are_a_table_of_their_own(view, result):
    tables = PAGE.tables(view.shown())
    assert len(tables["Methods"].rows) == len(WAYS) + len(RULES)
    assert len(tables["Places"].rows) == len(result.places)


def test_only_integrated_gradients_tell_their_baseline():
    assert MethodVariant("occlusion", Baseline.MASK).title == "Occlusion"
    title = MethodVariant("integrated_gradients", Baseline.MASK).title
    assert title == "Integrated gradients, [MASK]"


def test_a_row_says_what_the_method_does(view):
    assert (
        "Zeiler and Fergus" in spot(view, row_of(MethodVariant("occlusion", Baseline.MASK))).words
    )


def test_a_pinned_answer_stands_beside_each_method_and_names_no_text(view, result):
    fewer = tiny.ask(
        miniature("bert-miniature"), AttributionBenchmarkRequest(places=4, steps=2, samples=2)
    )
    view.pin()
    view.show_result(fewer, SENTENCE)
    shares = [one.share for one in (*result.ways, *rule_results(result.places))]
    assert list(view.table().column("pinned_share")) == shares
    drawn = page_of(view.declared.drawn(view.shown()), 900).spots
    last = next(one for one in drawn if ", pinned " in one.spoken and "share " in one.spoken)
    method = last.spoken.partition(", ")[0]
    now, then = (
        next(one.share for one in answer.ways if one.method == method) for answer in (fewer, result)
    )
    assert f"share {now:.3f}, pinned {then:.3f}" in last.spoken
    said = view.caption().partition("Compared with the pinned answer: ")[2]
    assert result.model.fingerprint[:12] in said
    assert "Text" not in said
    bar = PinBar(view, view)
    assert "Shown with the pinned answer" in bar.label.text()
    assert SENTENCE.text not in bar.label.text()
