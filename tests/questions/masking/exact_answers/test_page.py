"""Exact answers on their own page, and beside a model's on others."""

import math
from dataclasses import replace

import pytest

from explorer.api.question import BESIDE, Blame, Context, Detail, Failure
from explorer.document import Document, Mask
from explorer.exact_answers.asking import EVERY, LANE, ExactAnswersRequest
from explorer.questions.detection.replaced_tokens import compute as replaced_tokens
from explorer.questions.detection.replaced_tokens.question import ReplacedTokensRequest
from explorer.questions.distillation.soft_targets import compute as soft_targets
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.layers.logit_lens.question import LogitLensRequest
from explorer.questions.layers.tuned_lens.question import TunedLensRequest
from explorer.questions.masking.candidate_words.question import CandidateWordsRequest
from explorer.questions.masking.exact_answers.parts import told_of
from explorer.questions.masking.exact_answers.question import QUESTION
from explorer.questions.masking.hiding import ScoringMethod
from explorer.questions.masking.joint_decoding.question import JointDecodingRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.surprisal.question import SurprisalRequest
from explorer.ui.blocks.tokens import Tokens
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
    (detail,) = view.declared.wanted(shown)
    # The lens follows every word that may stand there.
    known = 50 if view.of.name.endswith("lens") else 5
    assert detail == Detail(ExactAnswersRequest(TEXT, top_k=known), shown.result.model, LANE)
    return replace(shown, details={detail: answer}, complete=(detail,))


def test_both_answers_on_one_page(shown, exact):
    view = shown(kind_of("exact_answers"))
    view.show_result(exact, Document(TEXT))
    said = words_on(view)
    assert f"The model is {exact.divergence:.3f} nats from the exact answers" in said
    spots = " ".join(spot.spoken for spot in view.page.page.spots)
    for one in exact.places[0].words:
        assert one.word in spots


def test_what_can_not_stand_there_has_no_rank_among_the_exact_answers(shown, exact):
    view = shown(kind_of("exact_answers"))
    view.show_result(exact, Document(TEXT))
    (place,) = exact.places
    rows = {one.word: pair for one, pair in zip(place.words, told_of(place).words, strict=True)}
    spots = {spot.words.partition("\n")[0]: spot.words for spot in view.page.page.spots}
    ranks = []
    for one in place.words:
        told = spots[one.word].splitlines()[1]
        if one.exact:
            ranks.append(rows[one.word].ranks[0])
            assert told.endswith(f"rank {ranks[-1]}")
        else:
            assert told == "exact: impossible here"
            assert rows[one.word].ranks[0] is None
    assert ranks == [1, 2, 3, 4, 5]
    assert len(ranks) < len(place.words)


def test_an_answer_of_before_shows_no_rank_that_it_does_not_know(shown, exact):
    (place,) = exact.places
    words = tuple(replace(one, exact_rank=0) for one in place.words)
    view = shown(kind_of("exact_answers"))
    view.show_result(replace(exact, places=(replace(place, words=words),)), Document(TEXT))
    spots = {spot.words.partition("\n")[0]: spot.words for spot in view.page.page.spots}
    for one in words:
        told = spots[one.word].splitlines()[1]
        assert "rank" not in told
        assert ("impossible here" in told) is (one.exact == 0.0)


def test_a_text_outside_the_world_says_where(shown):
    view = shown(kind_of("exact_answers"))
    text = "The chef flew the [MASK] ."
    found = tiny.ask(miniature("bert-miniature"), ExactAnswersRequest(text))
    view.show_result(found, Document(text))
    assert "can't read “flew”" in words_on(view)


@pytest.mark.parametrize(
    ("name", "request_of"),
    [
        ("masked_tokens", MaskedTokensRequest),
        ("logit_lens", LogitLensRequest),
        ("tuned_lens", TunedLensRequest),
        ("joint_decoding", JointDecodingRequest),
        ("candidate_words", lambda text: CandidateWordsRequest(text, words=("soup",))),
    ],
)
def test_the_switch_lays_them_beside_a_models(shown, exact, name, request_of):
    view = shown(kind_of(name))
    view.show_result(tiny.ask(miniature("bert-miniature"), request_of(TEXT)), Document(TEXT))
    assert view.declared.wanted(view.shown()) == ()
    assert "exact" not in words_on(view)
    here = beside(view, exact)
    assert "from the exact answers" in said_in(view.declared, here)
    failed = beside(view, Failure(Blame.USER, "Not of this model.", ""))
    assert "Not of this model." in said_in(view.declared, failed)
    outside = replace(exact, places=(), outside=3, word="flew")
    assert "can't read “flew”" in said_in(view.declared, beside(view, outside))


@pytest.mark.parametrize(
    ("name", "request_of"), [("logit_lens", LogitLensRequest), ("tuned_lens", TunedLensRequest)]
)
def test_the_truth_is_a_curve_of_the_lens(shown, exact, name, request_of):
    view = shown(kind_of(name))
    view.show_result(tiny.ask(miniature("bert-miniature"), request_of(TEXT)), Document(TEXT))
    blocks = list(view.declared.blocks(beside(view, exact)))
    # Behind these are the tuned lens' own, of how well it was trained.
    charts, *_more = [block for block in blocks if isinstance(block, ChartBlock)]
    worth = {one.word: one.exact for one in exact.places[0].words}
    drawn = {line.name.removesuffix(", exact"): line for line in charts.charts[0].lines}
    lines = [line for line in charts.charts[0].lines if line.name.endswith(", exact")]
    assert lines
    for line in lines:
        assert set(line.y.tolist()) == {worth[line.name.removesuffix(", exact")]}
    assert len(drawn) < len(charts.charts[0].lines)


def test_exact_surprisal_stands_below_every_token(shown):
    text = "I liked the movie that I watched yesterday. The movie was fun."
    model = miniature("bert-miniature")
    view = shown(kind_of("surprisal"))
    view.show_result(tiny.ask(model, SurprisalRequest(text)), Document(text))
    here = replace(view.shown(), now=Document(text).with_option(BESIDE.key, True))
    (detail,) = view.declared.wanted(here)
    assert detail.request.every
    exact = tiny.ask(model, detail.request)
    here = replace(here, details={detail: exact}, complete=(detail,))
    (tokens,) = [block for block in view.declared.drawn(here) if isinstance(block, Tokens)]
    worth = {one.position: max(0.0, -math.log(one.original)) for one in exact.places}
    assert tokens.notes == {at: f"{nats:.2f}" for at, nats in worth.items()}
    assert f"{sum(worth.values()):.2f} together" in said_in(view.declared, here)
    whole = replace(view.shown().result, method=ScoringMethod.WHOLE_WORD)
    assert view.declared.wanted(replace(here, result=whole)) == ()


def test_teacher_and_student_are_both_compared(shown):
    models = {"teacher": miniature("bert-miniature"), "student": miniature("distilbert-miniature")}
    request = SoftTargetsRequest(TEXT)
    result = soft_targets.run(models["teacher"], request, Context(models=models))
    view = shown(kind_of("soft_targets"))
    view.show_result(result, Document(TEXT))
    here = replace(view.shown(), now=ON)
    details = view.declared.wanted(here)
    assert [one.model for one in details] == [result.model, result.other]
    answers = {
        detail: tiny.ask(model, detail.request)
        for detail, model in zip(details, models.values(), strict=True)
    }
    said = said_in(view.declared, replace(here, details=answers, complete=tuple(details)))
    for answer in answers.values():
        assert f"KL(exact ‖ model) {answer.divergence:.3f} nats" in said


def test_a_generator_is_compared_at_the_tokens_it_saw_masked(shown):
    text = "The chef cooked the meal in the kitchen."
    generator = miniature("electra-miniature-generator")
    judge = miniature("electra-miniature-discriminator")
    models = {"discriminator": judge, "generator": generator}
    asked = ReplacedTokensRequest(text, masks=(Mask(20, 24),))
    result = replaced_tokens.run(judge, asked, Context(models=models))
    view = shown(kind_of("replaced_tokens"))
    view.show_result(result, Document(text, masks=asked.masks))
    on = Document(text, masks=asked.masks).with_option(BESIDE.key, True)
    here = replace(view.shown(), now=on)
    (detail,) = view.declared.wanted(here)
    assert (detail.model, detail.request.masks) == (generator.stamp, (Mask(20, 24),))
    exact = tiny.ask(generator, detail.request)
    said = said_in(view.declared, replace(here, details={detail: exact}, complete=(detail,)))
    assert f"{generator.stamp.name} is {exact.divergence:.3f} nats" in said


def test_without_a_mask_nothing_is_asked_and_the_page_says_what_to_do():
    document = Document("The chef cooked the meal.")
    assert QUESTION.request_of(document) is None
    assert QUESTION.hint(document) == "Mask a word, or choose “Every token”."
    assert QUESTION.request_of(document.with_option(EVERY.key, True)).every
    assert QUESTION.request_of(Document(TEXT)).text == TEXT
