"""What exactly comes next at each step of a continuation."""

import math
from dataclasses import replace

import pytest

from explorer.document import Document
from explorer.exact_answers.asking import About, ExactAnswersRequest
from explorer.questions.generation.continuation.question import ContinuationRequest, exact_steps
from explorer.world.exact.readers import spelled_reader
from explorer.world.exact.truth import Truth
from tests.hf import tiny
from tests.hf.kept import miniature

pytest.importorskip("torch")

TEXT = "The chef cooked the soup. It"
NAME = "gpt2-miniature"


def test_every_step_is_the_world_s_own_next_piece_and_the_model_s():
    model = miniature(NAME)
    went_on = tiny.ask(model, ContinuationRequest("The chef cooked the", max_new_tokens=6))
    (detail,) = exact_steps(went_on, Document("The chef cooked the"))
    result = tiny.ask(model, detail.request)
    assert [place.position for place in result.places] == list(range(4, 10))
    pieces = model.tokenizer.tokenize("The chef cooked the")
    truth = Truth(model.tokenizer.tokenize)
    for place, token in zip(result.places, went_on.tokens, strict=True):
        ended = truth.probability(pieces) / truth.probability(pieces, open_end=True)
        for word in place.words:
            exact = truth.next_piece(pieces).get(word.token, 0.0) * (1.0 - ended)
            if word.token != model.tokenizer.eos_token:
                assert word.exact == pytest.approx(exact, rel=1e-9)
        (chosen,) = [word for word in place.words if word.is_original]
        assert (chosen.token, chosen.rank) == (token.token, token.rank)
        assert chosen.model == pytest.approx(token.probability, abs=1e-6)
        pieces.append(token.token)


def test_a_model_with_an_end_is_held_against_the_chance_that_the_text_ends():
    text = "The chef cooked the soup in the kitchen."
    request = ExactAnswersRequest(text, about=About.NEXT, taken=("<|endoftext|>",))
    (place,) = tiny.ask(miniature(NAME), request).places
    tokenizer = miniature(NAME).tokenizer
    reader = spelled_reader(tokenizer.tokenize)
    pieces = tokenizer.tokenize(text)
    whole, begun = reader.probability(pieces), reader.probability(pieces, open_end=True)
    assert place.original == pytest.approx(whole / begun, rel=1e-9)
    assert 0.0 < place.original < 1.0
    assert place.entropy > 0.0
    assert math.isfinite(place.divergence)


def test_where_it_leaves_the_world_it_says_so_and_keeps_what_was_before():
    request = ExactAnswersRequest(
        "The chef cooked the", about=About.NEXT, taken=("Ġmeal", "Ġthe", "Ġsoup")
    )
    result = tiny.ask(miniature(NAME), request)
    assert [place.position for place in result.places] == [4, 5]
    assert result.places[1].original == 0.0
    assert (result.outside, result.word) == (5, "the")


@pytest.mark.parametrize("name", ["bert-miniature", "t5-miniature"])
def test_who_writes_otherwise_is_told_so(name):
    result = tiny.ask(miniature(name), ExactAnswersRequest(TEXT, about=About.NEXT))
    assert "causal models" in str(result.note)


def test_what_follows_the_text_is_told_where_nothing_goes_on_from_it_yet():
    model = miniature("gpt2-miniature")
    request = ExactAnswersRequest("The chef cooked", about=About.NEXT)
    result = tiny.ask(model, request)
    (place,) = result.places
    assert place.position == len(result.tokens)
    likeliest = max(place.words, key=lambda one: one.exact)
    (same, *_) = tiny.ask(model, replace(request, taken=(likeliest.token,))).places
    told = {one.token: (one.exact, one.model) for one in same.words}
    for one in place.words:
        assert (one.exact, one.model) == pytest.approx(told[one.token])
    nothing = tiny.ask(model, replace(request, text="The zebra sat"))
    assert nothing.places == ()
    assert nothing.note
