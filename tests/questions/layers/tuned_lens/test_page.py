"""The tuned lens on screen."""

from dataclasses import replace

import pytest

from explorer.api.question import Context
from explorer.document import Document
from explorer.questions.layers.tuned_lens.question import (
    FILE,
    QUESTION,
    TunedLensRequest,
)
from explorer.ui.blocks.chips import Chips
from explorer.ui.blocks.page.page import Run
from explorer.ui.charts.block import ChartBlock
from explorer.ui.document.gestures import Edit
from explorer.ui.matrices.block import MatrixBlock
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, said_in, words_on

TEXT = "The chef cooked the [MASK] in the kitchen ."


@pytest.fixture(scope="module")
def result():
    return tiny.ask(miniature("bert-miniature"), TunedLensRequest(TEXT))


@pytest.fixture(scope="module")
def untrained():
    return tiny.ask(miniature("tinybert-miniature"), TunedLensRequest(TEXT, train=False))


@pytest.fixture
def view(shown):
    return shown(kind_of("tuned_lens"))


def blocks_of(view, kind, **changed):
    """Blocks of a kind."""
    shown = replace(view.shown(), **changed)
    return [block for block in view.declared.blocks(shown) if isinstance(block, kind)]


def test_the_last_layer_stands_on_top_and_a_cell_chooses_the_place(view, result):
    view.show_result(result, Document(TEXT))
    (block,) = blocks_of(view, MatrixBlock)
    assert block.matrix.content.rows == ("3", "2", "1", "0", "emb.")
    act = block.matrix.act(0, 3)
    assert isinstance(act, Edit)
    chosen = act.on(Document(TEXT))
    assert chosen.option("tuned_lens.at") == [result.grid.places[3]]
    assert "At “cooked”, layer by layer" in said_in(
        view.declared, replace(view.shown(), now=chosen)
    )


def test_both_lenses_are_compared_on_texts_kept_aside(view, result):
    view.show_result(result, Document(TEXT))
    distance, agreement = blocks_of(view, ChartBlock)[-1].charts
    tuned, logit = distance.series
    assert (tuned.name, logit.name) == ("tuned lens", "logit lens")
    assert tuned.y == pytest.approx(result.training.tuned)
    assert logit.y == pytest.approx(result.training.logit)
    assert agreement.series[0].y == pytest.approx(result.training.tuned_agreement)
    assert "Trained on 3,000 texts of the small world, 300 steps of 256 positions" in words_on(view)


def test_it_says_where_it_was_trained(view, result):
    said = "trained at masked positions"
    view.show_result(result, Document(TEXT))
    assert said in words_on(view)
    left = tiny.ask(miniature("gpt2-miniature"), TunedLensRequest("The chef cooked the meal ."))
    view.show_result(left, Document("The chef cooked the meal ."))
    assert said not in words_on(view)


def test_without_a_lens_there_is_a_button_that_trains_one(view, untrained):
    view.show_result(untrained, Document(TEXT))
    assert "There is no tuned lens of this model yet." in words_on(view)
    assert blocks_of(view, MatrixBlock) == []
    (chips,) = blocks_of(view, Chips)
    (chip,) = chips.chips
    assert isinstance(chip.act, Run)
    view.act(chip.act)
    assert "The lens is being trained" in words_on(view)


def test_it_is_only_looked_at_until_the_button_is_pressed(view, untrained):
    document = Document(TEXT)
    assert view.request_of(Document("")) is None
    view.show_result(untrained, document)
    assert view.request_of(document) == TunedLensRequest(TEXT, train=False)
    view.act(Run())
    assert view.request_of(document) == TunedLensRequest(TEXT)
    other = Document("another text")
    assert view.request_of(other) == TunedLensRequest(other.text, train=False)
    assert QUESTION.cheap_variant(TunedLensRequest(TEXT)) == TunedLensRequest(TEXT, train=False)


def test_a_file_of_the_users_can_be_left_again(view, untrained):
    document = Document(TEXT).with_option(FILE.key, "/tmp/my sentences.txt")
    view.show_result(untrained, document)
    view.set_document(document)
    assert "“my sentences.txt”" in words_on(view)
    chip = blocks_of(view, Chips)[-1].chips[0]
    assert isinstance(chip.act, Edit)
    assert FILE.of(chip.act.on(document)) == ""


def test_what_could_not_be_kept_is_said(view, result):
    view.show_result(replace(result, is_kept=False), Document(TEXT))
    assert "could not be kept" in words_on(view)
    assert Context().cache is None
