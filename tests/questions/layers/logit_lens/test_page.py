"""What every layer would predict, on screen."""

from dataclasses import replace

import pytest

from explorer.api.question import layer_label, layer_said
from explorer.document import Document
from explorer.questions.layers.logit_lens.question import LogitLensRequest, parts
from explorer.ui.charts.block import ChartBlock
from explorer.ui.document.gestures import Edit
from explorer.ui.matrices.block import MatrixBlock
from explorer.ui.parts.matrices.layer_predictions import values_of
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, said_in, words_on

TEXT = "The chef cooked the [MASK] in the kitchen ."


@pytest.fixture(scope="module")
def result():
    return tiny.ask(miniature("bert-miniature"), LogitLensRequest(TEXT))


@pytest.fixture
def view(shown, result):
    made = shown(kind_of("logit_lens"))
    made.show_result(result, Document(TEXT))
    return made


def blocks_of(view, kind, now=None):
    """Blocks of a kind, with a document of now."""
    shown = replace(view.shown(), now=now or view.shown().now)
    return [block for block in view.declared.blocks(shown) if isinstance(block, kind)]


def test_the_last_layer_stands_on_top_with_its_words(view, result):
    (block,) = blocks_of(view, MatrixBlock)
    content = block.matrix.content
    assert content.rows == ("3", "2", "1", "0", "emb.")
    column = parts(result)[0].column()
    assert content.columns[column] == "[MASK]"
    assert content.texts(0, column) == result.grid.best(4, column)[0].word
    assert content.texts(4, column) == result.grid.best(0, column)[0].word
    assert result.grid.best(4, column)[1].word in content.said(0, column)


def test_of_t5_without_a_mask_it_says_that_every_token_is_hidden_alone(view):
    told = "every token is hidden alone"
    assert told not in words_on(view)
    text = "The chef cooked the meal ."
    view.show_result(tiny.ask(miniature("t5-miniature"), LogitLensRequest(text)), Document(text))
    assert told in words_on(view)
    (block,) = blocks_of(view, MatrixBlock)
    assert [one.strip("▁") for one in block.matrix.content.columns][:3] == ["The", "chef", "cooked"]


@pytest.mark.parametrize("measure", ["probability", "entropy", "divergence", "rank"])
def test_each_measure_has_its_numbers(view, result, measure):
    document = Document(TEXT).with_option("logit_lens.show", measure)
    (block,) = blocks_of(view, MatrixBlock, now=document)
    values, scale = values_of(result.grid, measure)
    assert (block.matrix.content.values == values[::-1]).all()
    assert scale.high >= values.max()


def test_a_cell_chooses_the_place_of_the_curves(view, result):
    (block,) = blocks_of(view, MatrixBlock)
    act = block.matrix.act(0, 3)
    assert isinstance(act, Edit)
    chosen = act.on(Document(TEXT))
    assert chosen.option("logit_lens.at") == [result.grid.places[3]]
    assert "At “cooked”, layer by layer" in said_in(
        view.declared, replace(view.shown(), now=chosen)
    )
    assert "At “[MASK]”, layer by layer" in words_on(view)


def test_curves_are_those_of_the_last_layers_words(view, result):
    (charts,) = blocks_of(view, ChartBlock)
    lines = charts.charts[0].lines
    column = parts(result)[0].column()
    assert [line.name for line in lines] == [one.word for one in result.grid.best(4, column)[:3]]
    for number, line in enumerate(lines):
        assert line.y == pytest.approx(result.grid.kept[:, column, number])
    assert charts.charts[1].lines[0].y == pytest.approx(result.grid.divergences[:, column])


def test_words_that_are_followed_take_the_curves(shown):
    asked = LogitLensRequest(TEXT, words=("soup", "qwxyz"))
    found = tiny.ask(miniature("bert-miniature"), asked)
    view = shown(kind_of("logit_lens"))
    view.show_result(found, Document(TEXT))
    (charts,) = blocks_of(view, ChartBlock)
    assert [line.name for line in charts.charts[0].lines] == ["soup"]
    assert "“qwxyz”" in words_on(view)


def test_rows_are_named():
    assert [layer_label(name) for name in ("emb.", "3", "decoder 1")] == [
        "emb.",
        "3",
        "pass 1",
    ]
    assert layer_said("3") == "layer 3"
    assert layer_said("decoder 2") == "decoder pass 2"
