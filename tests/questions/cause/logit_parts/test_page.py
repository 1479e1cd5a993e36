"""The waterfall on screen: bars that go on, parts that open, and what is put together."""

from dataclasses import replace

import pytest

from explorer.document import Document
from explorer.questions.cause.logit_parts.parts import bars_of, parts
from explorer.questions.cause.logit_parts.question import (
    IN_ORDER,
    MOST,
    OPENED,
    ORDER,
    STRONGEST,
    LogitPartsRequest,
)
from explorer.questions.cause.logit_parts.wording import part_said
from explorer.ui.blocks.tables.bar_table import BarTable
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import choose, kind_of, words_on

TEXT = "I will plant the flower, so I dug the ground. I used a [MASK]."
WORDS = ("trowel", "hose")


@pytest.fixture(scope="module")
def result():
    return tiny.ask(miniature("bert-miniature"), LogitPartsRequest(TEXT, words=WORDS))


@pytest.fixture(scope="module")
def head():
    request = LogitPartsRequest(TEXT, words=WORDS, opened="head 3.1", totals=False)
    return tiny.ask(miniature("bert-miniature"), request)


@pytest.fixture
def view(shown, result):
    made = shown(kind_of("logit_parts"))
    made.show_result(result, Document(TEXT))
    return made


def waterfall(view):
    """The table of the page whose bars begin where others end."""
    return next(
        block
        for block in view.declared.alone(view.shown())
        if isinstance(block, BarTable) and any(bar.begin for row in block.rows for bar in row.bars)
    )


def test_each_bar_begins_where_the_last_one_ended_and_the_sum_is_the_difference(view, result):
    *rows, whole = waterfall(view).rows
    reached = 0.0
    for row in rows:
        (bar,) = row.bars
        assert bar.begin == pytest.approx(reached)
        reached = bar.value
    assert reached == pytest.approx(result.difference, abs=1e-4)
    (bar,) = whole.bars
    assert (bar.begin, bar.value) == (0.0, pytest.approx(result.difference, abs=1e-4))
    assert whole.label == "Difference"


def test_strongest_first_or_as_the_model_adds_them(result):
    shown, rest = bars_of(result.parts, STRONGEST, 5)
    sizes = [abs(sum(one.value for one in group)) for group in shown]
    assert sizes == sorted(sizes, reverse=True)
    assert len(shown) == 5
    every = [one for group in shown for one in group] + rest
    assert sorted(one.name for one in every) == sorted(one.name for one in result.parts)
    in_order, same = bars_of(result.parts, IN_ORDER, 5)
    assert same == rest
    places = [result.parts.index(group[0]) for group in in_order]
    assert places == sorted(places)
    assert {group[0].name for group in in_order} == {group[0].name for group in shown}
    everything, none = bars_of(result.parts, IN_ORDER, 60)
    assert not none
    said = [str(part_said(group[0])) for group in everything]
    assert said[0] == "Embeddings"
    assert said[1:6] == ["Head 0.0", "Head 0.1", "Head 0.2", "Head 0.3", "Feed-forward 0"]
    assert said[-1] == "Biases of the output head"


def test_parts_of_passes_of_a_decoder_have_names_of_their_own():
    found = tiny.ask(miniature("deberta-v1-miniature"), LogitPartsRequest(TEXT, totals=False))
    bars, _rest = bars_of(found.parts, IN_ORDER, 60)
    said = [str(part_said(group[0])) for group in bars]
    assert len(set(said)) == len(said)
    assert {"Head 0 of decoder pass 1", "Feed-forward of decoder pass 2", "Head 1.0"} <= {*said}


def test_options_redraw_and_the_sum_stays(view, result):
    for key, value in ((ORDER.key, IN_ORDER), (MOST.key, 4)):
        view.set_document(Document(TEXT).with_option(key, value))
        *rows, _whole = waterfall(view).rows
        assert rows[-1].bars[0].value == pytest.approx(result.difference, abs=1e-4)
    assert len(rows) == 5
    assert rows[-1].label.endswith("other parts")


def test_no_title_sorts_the_bars(view):
    table = waterfall(view)
    assert all(one.act is None for one in (table.label, *table.columns))


def test_a_click_opens_a_head_and_its_tokens_are_told(view, head):
    edits = []
    view.edit_requested.connect(edits.append)
    number = [row.label for row in waterfall(view).rows].index("Head 3.1")
    row = waterfall(view).rows[number]
    choose(view, row.key)
    (edit,) = edits
    now = edit.on(Document(TEXT))
    assert OPENED.of(now) == "head encoder 3.1"
    view.show_result(head, now)
    words = words_on(view)
    assert "Head 3.1 opened: +1.32 nats" in words
    assert "Colours from −1.25 to 1.25" in words
    chosen = [one for one in waterfall(view).rows if one.ground]
    assert [one.label for one in chosen] == ["Head 3.1"]


def test_the_page_says_what_is_compared_and_that_it_adds_up(view, result):
    words = words_on(view)
    assert f"“trowel” (68 %) against “hose” (0.07 %): {result.difference:.2f} nats" in words
    assert "Direct paths only" in words
    assert f"Checked: the {len(result.parts)} parts add up" in words
    assert f"over 21 parts: {result.correlation:.2f}" in words
    assert "Feed-forward 3 opened" in words


def test_what_takes_away_has_another_colour(view, result):
    for row in waterfall(view).rows[:-1]:
        (bar,) = row.bars
        assert bar.colour == ("bar" if bar.value >= bar.begin else "bar_original")
    assert {row.bars[0].colour for row in waterfall(view).rows} == {
        "bar",
        "bar_original",
        "bar_second",
    }


def test_a_part_that_can_not_be_opened_says_why(shown, result):
    view = shown(kind_of("logit_parts"))
    view.show_result(replace(result, neurons=None, note="Not apart."), Document(TEXT))
    assert "Not apart." in words_on(view)


def test_without_total_effects_no_column_and_no_picture_of_them(shown, head):
    view = shown(kind_of("logit_parts"))
    view.show_result(head, Document(TEXT))
    assert "in all" not in [one.title for one in waterfall(view).columns]
    assert "Direct and total effects" not in words_on(view)
    assert [type(one).__name__ for one in parts(head, STRONGEST, 12)].count("Waterfall") == 1
