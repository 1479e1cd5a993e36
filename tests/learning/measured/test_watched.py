import math

import pytest

from explorer.learning.measured.predictions import Reading, reading_of
from explorer.learning.measured.watched import (
    LONGEST,
    NothingToAsk,
    beside_exact,
    exact_blanks,
    watched,
)
from explorer.learning.plan.choices import Corpus, Objective
from tests.learning.tiny_plans import begun


def test_answers_equal_those_of_transformers_pipeline(bert, tokenizer):
    from transformers import pipeline

    asked = "The [MASK] cooked the soup. She was tired."
    (found,) = watched(bert, tokenizer, asked)
    expected = pipeline("fill-mask", model=bert, tokenizer=tokenizer, device="cpu")(asked, top_k=5)
    assert [piece for piece, _ in found] == [one["token_str"] for one in expected]
    assert [p for _, p in found] == pytest.approx([one["score"] for one in expected], rel=1e-4)


def test_all_blanks_are_hidden_at_once(bert, tokenizer):
    import torch

    found = watched(bert, tokenizer, "The [MASK] cooked the [MASK].", 3)
    inputs = tokenizer("The [MASK] cooked the [MASK].", return_tensors="pt")
    shares = bert(**inputs).logits.softmax(dim=-1)[0]
    places = (inputs["input_ids"][0] == tokenizer.mask_token_id).nonzero()[:, 0]
    assert len(found) == len(places) == 2
    for answers, place in zip(found, places, strict=True):
        best = torch.topk(shares[place], 3)
        assert [p for _, p in answers] == pytest.approx(best.values.tolist(), rel=1e-5)


def test_a_model_that_reads_from_the_left_sees_nothing_behind(gpt, tokenizer):
    import torch

    assert reading_of(gpt) is Reading.LEFT
    (found,) = watched(gpt, tokenizer, "The chef [MASK] the soup.", 4)
    assert [found] == watched(gpt, tokenizer, "The chef [MASK] something else.", 4)
    tokens = torch.tensor([tokenizer.convert_tokens_to_ids(["the", "chef"])])
    best = gpt(input_ids=tokens).logits[0, -1].softmax(dim=-1).topk(4)
    assert [p for _, p in found] == pytest.approx(best.values.tolist(), rel=1e-5)
    assert watched(gpt, tokenizer, "[MASK] cooked.") == []


def test_a_text_without_a_blank_is_refused(bert, tokenizer):
    with pytest.raises(NothingToAsk):
        watched(bert, tokenizer, "The chef cooked the soup.")


def test_the_exact_answer_stands_beside(truth, tokenizer):
    asked = "Anna cooked the soup. Then [MASK] served it."
    (found,) = exact_blanks(truth, tokenizer, asked, Reading.BOTH_SIDES)
    assert [piece for piece, _ in found.answers] == ["she", "anna"]
    assert dict(found.answers) == pytest.approx({"she": 2 / 3, "anna": 1 / 3})
    assert not found.is_beginning
    (found,) = exact_blanks(truth, tokenizer, "the [MASK] cooked", Reading.BOTH_SIDES)
    assert found.is_beginning
    assert {piece for piece, _ in found.answers[:2]} == {"chef", "chefs"}
    (found,) = exact_blanks(truth, tokenizer, "the [MASK] flew", Reading.BOTH_SIDES)
    assert found.answers == ()
    assert not found.is_beginning
    (found,) = exact_blanks(truth, tokenizer, "the chef [MASK] flew", Reading.LEFT)
    assert found.is_beginning
    assert dict(found.answers)["cooked"] > 0.1
    assert exact_blanks(truth, tokenizer, "[MASK] flew", Reading.LEFT) == []
    long = " ".join(["the [MASK] flew"] * LONGEST)
    assert exact_blanks(truth, tokenizer, long, Reading.BOTH_SIDES) == []


@pytest.mark.parametrize("family", ["bert", "gpt", "t5"])
def test_excess_is_the_divergence_of_what_the_model_says_there(
    family, truth, tokenizer, request, quiet_loading
):
    """By a second computation: the model's own softmax against the exact answer, word by word."""
    import torch

    if family == "t5":
        run = begun(objective=Objective.DROPPED, corpus=Corpus.SMALL, selected=0.3, documents=0)
        model, tokenizer = run.model.eval(), run.tokenizer
        truth = run.recipe.text.truth(tokenizer.tokenize)
    else:
        model = request.getfixturevalue(family)
    asked = "Anna cooked the soup. Then [MASK] served it."
    reading = reading_of(model)
    blanks = exact_blanks(truth, tokenizer, asked, reading)
    (found,) = beside_exact(model, tokenizer, blanks, 1000)
    ids = tokenizer.convert_tokens_to_ids
    if family == "bert":
        inputs = tokenizer(asked, return_tensors="pt")
        at = (inputs["input_ids"][0] == tokenizer.mask_token_id).nonzero()[0, 0]
        shares = model(**inputs).logits[0, at].double().softmax(-1)
    elif family == "gpt":
        before = torch.tensor([ids(tokenizer.tokenize("Anna cooked the soup. Then"))])
        shares = model(input_ids=before).logits[0, -1].double().softmax(-1)
    else:
        text = "anna cooked the soup . then <extra_id_0> served it ."
        first, second = ids(["<extra_id_0>", "<extra_id_1>"])
        read = torch.tensor([[*ids(text.split()), tokenizer.eos_token_id]])
        shares = torch.zeros(len(tokenizer), dtype=torch.float64)
        for piece in sorted(set(range(len(tokenizer))) - set(tokenizer.all_special_ids)):
            written = torch.tensor([[model.config.decoder_start_token_id, first, piece]])
            with torch.no_grad():
                told = model(input_ids=read, decoder_input_ids=written).logits[0].double()
            told = told.softmax(-1)
            shares[piece] = told[1, piece] * told[2, second]
        shares /= shares.sum()
    exact = dict(blanks[0].answers)
    own = {piece: float(shares[ids(piece)].detach()) for piece in exact}
    assert {word: share for word, _exact, share, _rank in found.words} == pytest.approx(
        own, rel=1e-4
    )
    assert {word: share for word, share, _own, _rank in found.words} == exact
    ranks = {word: rank for word, _exact, _own, rank in found.words}
    assert ranks == {word: 1 + int((shares > own[word]).sum()) for word in exact}
    expected = sum(p * (math.log(p) - math.log(own[piece])) for piece, p in exact.items())
    assert found.excess == pytest.approx(expected, rel=1e-4)
    assert found.is_beginning is (family == "gpt")


def test_where_no_text_of_the_world_fits_there_is_no_excess(bert, truth, tokenizer):
    blanks = exact_blanks(truth, tokenizer, "the [MASK] flew", Reading.BOTH_SIDES)
    (found,) = beside_exact(bert, tokenizer, blanks)
    assert (found.words, found.excess) == ((), None)
