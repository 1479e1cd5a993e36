"""Exact answers on their own page, and beside a model's on others."""

from dataclasses import replace

import pytest

from explorer.api import Blame, Failure
from explorer.document import Document
from explorer.questions.layers.logit_lens.question import LogitLensRequest
from explorer.questions.masking.exact_answers.beside import LANE, wanted
from explorer.questions.masking.exact_answers.question import BESIDE, ExactAnswersRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.ui.blocks.shown import Detail
from explorer.ui.charts.block import ChartBlock
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, said_in, words_on

TEXT = "The chef cooked the [MASK] in the kitchen."
ON = Document(TEXT).with_option(BESIDE.key, True)


@pytest.fixture(scope="module")
def exact():
    return tiny.ask(miniature("bert-miniature"), ExactAnswersRequest(TEXT))


def beside(view, answer):
    """The page with the switch on and an answer to its wish."""
    shown = replace(view.shown(), now=ON)
    (detail,) = wanted(shown)
    assert detail == Detail(ExactAnswersRequest(TEXT), shown.result.model, LANE)
    return replace(shown, details={detail: answer}, complete=(detail,))


def test_both_answers_on_one_page(shown, exact):
    view = shown(kind_of("exact_answers"))
    view.show_result(exact, Document(TEXT))
    said = words_on(view)
    assert f"The model is {exact.divergence:.3f} nats from the exact answers" in said
    spots = " ".join(spot.spoken for spot in view.page.page.spots)
    for one in exact.places[0].words:
        assert one.word in spots


def test_a_text_outside_the_world_says_where(shown):
    view = shown(kind_of("exact_answers"))
    text = "The chef flew the [MASK] ."
    found = tiny.ask(miniature("bert-miniature"), ExactAnswersRequest(text))
    view.show_result(found, Document(text))
    assert "can't read “flew”" in words_on(view)


@pytest.mark.parametrize(
    ("name", "request_of"),
    [("masked_tokens", MaskedTokensRequest), ("logit_lens", LogitLensRequest)],
)
def test_the_switch_lays_them_beside_a_models(shown, exact, name, request_of):
    view = shown(kind_of(name))
    view.show_result(tiny.ask(miniature("bert-miniature"), request_of(TEXT)), Document(TEXT))
    assert wanted(view.shown()) == ()
    assert "exact" not in words_on(view)
    here = beside(view, exact)
    assert "from the exact answers" in said_in(view.declared, here)
    failed = beside(view, Failure(Blame.USER, "Not of this model.", ""))
    assert "Not of this model." in said_in(view.declared, failed)
    outside = replace(exact, places=(), outside=3, word="flew")
    assert "can't read “flew”" in said_in(view.declared, beside(view, outside))


def test_the_truth_is_a_curve_of_the_lens(shown, exact):
    view = shown(kind_of("logit_lens"))
    view.show_result(tiny.ask(miniature("bert-miniature"), LogitLensRequest(TEXT)), Document(TEXT))
    blocks = list(view.declared.blocks(beside(view, exact)))
    (charts,) = [block for block in blocks if isinstance(block, ChartBlock)]
    worth = {one.word: one.exact for one in exact.places[0].words}
    drawn = {line.name.removesuffix(", exact"): line for line in charts.charts[0].lines}
    lines = [line for line in charts.charts[0].lines if line.name.endswith(", exact")]
    assert lines
    for line in lines:
        assert set(line.y.tolist()) == {worth[line.name.removesuffix(", exact")]}
    assert len(drawn) < len(charts.charts[0].lines)
