import pytest

from explorer.learning.measured.predictions import Reading, reading_of
from explorer.learning.measured.watched import NothingToAsk, exact_blanks, watched


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
