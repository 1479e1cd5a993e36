"""A word's journey on screen."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from explorer.document import Document
from explorer.questions.layers.word_journey.page import PAGE, offers
from explorer.questions.layers.word_journey.question import (
    AT,
    FILE,
    PROJECTION,
    VECTOR,
    WORD,
    WordJourneyRequest,
)
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Points
from explorer.ui.document.gestures import Edit
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, said_in, words_on

TEXT = "The chef cooked the meal in the kitchen . The meal was good . I liked the movie ."
ASKED = Document(TEXT).with_option(WORD.key, "meal")


@pytest.fixture(scope="module")
def result():
    return tiny.ask(miniature("bert-miniature"), WordJourneyRequest(TEXT, word="meal"))


@pytest.fixture
def view(shown, result):
    made = shown(kind_of("word_journey"))
    made.show_result(result, ASKED)
    return made


def plain(words):
    """With spaces where a line may not end."""
    return words.replace("\u00a0", " ")


def blocks_of(view, kind, now=ASKED):
    """Blocks of a kind, those in cards too, with a document of now."""
    every = list(view.declared.blocks(replace(view.shown(), now=now)))
    for block in list(every):
        if isinstance(block, Columns):
            every += [inner for card in block.cards for inner in card.blocks]
    return [block for block in every if isinstance(block, kind)]


def test_three_layers_stand_side_by_side_with_every_word(view, result):
    charts = blocks_of(view, ChartBlock)[0].charts
    assert [chart.title for chart in charts] == ["Embeddings", "Layer 1", "Layer 3"]
    for chart, vector in zip(charts, (0, 2, 4), strict=True):
        (points,) = chart.series
        assert isinstance(points, Points)
        assert points.names[:2] == ("meal (1)", "meal (2)")
        assert points.colours[:2] == ("mask", "mask")
        assert set(points.colours[2:]) == {"muted"}
        assert points.squares == (True, *[False] * (len(result.words) - 1))
        assert "The meal was good ." in points.words[1]
        own = result.coordinates[vector][list(result.occurrences)]
        assert np.allclose(points.x[:2], own[:, 0])
        assert np.allclose(points.y[:2], own[:, 1])
        assert chart.remark == f"Trustworthiness {result.trust[vector]:.3f} (k = 5)"
        assert f"{result.variance[vector, 0]:.0%}".replace("%", " %") in chart.x.title


def test_another_vector_is_drawn_without_being_asked_for(view, result):
    now = ASKED.with_option(VECTOR.key, "concat_four")
    assert WordJourneyRequest.of(now) == WordJourneyRequest.of(ASKED)
    third = ASKED.with_option(VECTOR.key, "2")
    titles = [chart.title for chart in blocks_of(view, ChartBlock, third)[0].charts]
    assert titles == ["Embeddings", "Layer 1", "Layer 2", "Layer 3"]
    charts = blocks_of(view, ChartBlock, now)[0].charts
    assert charts[-1].title == "Last four layers, concatenated"
    assert np.allclose(charts[-1].series[0].x[:1], result.coordinates[-1][4, 0])
    name = "Nearest words of every occurrence"
    last, joined = (
        {table.title: table for table in blocks_of(view, BarTable, document)}[name]
        for document in (ASKED, now)
    )
    near = result.words[result.neighbours[-1, 1, 0]]
    told = f"{near.word} ({near.sentence + 1}) {result.cosines[-1, 1, 0]:.2f}, "
    assert plain(joined.rows[1].cells[-1]).startswith(told)
    assert [row.cells for row in joined.rows] != [row.cells for row in last.rows]


def test_t_sne_is_drawn_and_its_axes_mean_nothing(view):
    asked = ASKED.with_option(PROJECTION.key, "tsne")
    assert WordJourneyRequest.of(asked) != WordJourneyRequest.of(ASKED)
    found = tiny.ask(miniature("bert-miniature"), WordJourneyRequest.of(asked))
    view.show_result(found, asked)
    chart = blocks_of(view, ChartBlock, asked)[0].charts[-1]
    assert (chart.x.title, chart.y.title) == ("t-SNE 1", "t-SNE 2")
    assert chart.words == "Words where t-SNE puts them; “meal” stands out."
    assert np.allclose(chart.series[0].x[0], found.coordinates[4, found.occurrences[0], 0])
    told = words_on(view)
    assert f"perplexity {(len(found.words) - 1) / 3:.1f}" in told
    assert "openTSNE" not in told


def test_where_t_sne_is_not_installed_one_line_says_how_to_get_it(view, monkeypatch):
    field = view.bar.widgets[PROJECTION.key]
    view.set_document(ASKED)
    assert not field.isHidden()
    assert "openTSNE" not in words_on(view)
    monkeypatch.setitem(sys.modules, "openTSNE", None)
    view.show_result(replace(view.result), ASKED)
    assert "where openTSNE is installed: pip install plm-explorer[tsne]." in words_on(view)
    view.set_document(ASKED.with_option(WORD.key, "good"))
    assert field.isHidden()
    view.set_document(ASKED.with_option(PROJECTION.key, "tsne"))
    assert not field.isHidden(), "what a session brought can't be set back"


def test_every_layer_is_offered(view):
    entries = offers(ASKED, view.shown(), None)[VECTOR.key].entries
    titles = {one.value: one.title for one in entries}
    assert titles["2"] == "Layer 2"
    assert titles["last"] == "Last layer"
    assert len(titles) == len(entries) == 6 + 4
    assert VECTOR.accepts("3")


def test_an_occurrence_is_chosen_and_told_layer_by_layer(view, result):
    assert "Nearest words of “meal” in sentence 1, layer by layer" in words_on(view)
    tables = {table.title: table for table in blocks_of(view, BarTable)}
    act = tables["Nearest words of every occurrence"].rows[1].act
    assert isinstance(act, Edit)
    now = act.on(ASKED)
    assert AT.of(now) == (1,)
    shown = replace(view.shown(), now=now)
    assert "Nearest words of “meal” in sentence 2, layer by layer" in said_in(PAGE, shown)
    tables = {table.title: table for table in blocks_of(view, BarTable, now)}
    rows = tables["Nearest words of “meal” in sentence 2, layer by layer"].rows
    assert [row.label for row in rows] == [
        *("embeddings", "layer 0", "layer 1", "layer 2", "layer 3"),
        *("mean of all layers", "sum of the last four layers", "last four layers, concatenated"),
    ]
    near = result.words[result.neighbours[3, 1, 0]]
    assert plain(rows[3].cells[0]).startswith(f"{near.word} ({near.sentence + 1})")
    gone = AT.of(ASKED.with_option(AT.key, [9]))
    assert gone == (9,)
    assert blocks_of(view, BarTable, ASKED.with_option(AT.key, [9]))


def test_likeness_is_less_what_all_words_have_in_common(view, result):
    chart = blocks_of(view, ChartBlock)[1].charts[0]
    difference, own, others = chart.lines
    assert own.y == pytest.approx(result.own[:5])
    assert others.y == pytest.approx(result.others[:5])
    assert difference.y == pytest.approx(result.own[:5] - result.others[:5])


def test_what_chose_the_word_is_said_and_a_file_can_be_left_out(shown, tmp_path):
    file = tmp_path / "more.txt"
    file.write_text("the meal .\n", "utf-8")
    found = tiny.ask(miniature("t5-miniature"), WordJourneyRequest(TEXT, path=str(file)))
    asked = Document(TEXT).with_option(FILE.key, str(file))
    view = shown(kind_of("word_journey"))
    view.show_result(found, asked)
    words = words_on(view)
    assert "this is the first that occurs more than once" in words
    assert "The sentences of more.txt are read, too." in words
    (edit,) = {
        spot.act
        for spot in view.page.page.spots
        if isinstance(spot.act, Edit) and spot.key == "file"
    }
    assert edit.on(asked) == Document(TEXT)
    if found.combined < 4:
        now = asked.with_option(VECTOR.key, "sum_four")
        told = said_in(PAGE, replace(view.shown(), now=now))
        assert "in place of the last four" in told


def test_a_single_occurrence_has_neighbours_and_nothing_to_compare(shown):
    found = tiny.ask(miniature("bert-miniature"), WordJourneyRequest("One meal .", word="meal"))
    view = shown(kind_of("word_journey"))
    view.show_result(found, Document("One meal ."))
    words = words_on(view)
    assert "“meal” occurs 1 time." in words
    assert {plain(table.rows[0].cells[-1])[:7] for table in blocks_of(view, BarTable)} == {
        "One (1)"
    }
    chart = blocks_of(view, ChartBlock)[1].charts[0]
    assert chart.lines == ()
    assert chart.remark == "There is nothing to compare: the word occurs once."
