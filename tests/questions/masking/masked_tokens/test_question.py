import pytest

from explorer.api.question import (
    Context,
    MaskPredictions,
    ModelStamp,
    Prediction,
    Token,
    Unavailable,
    UserMistake,
)
from explorer.document import Mask
from explorer.questions.masking.masked_tokens.compute import run
from explorer.questions.masking.masked_tokens.question import (
    QUESTION,
    MaskedTokensRequest,
    MaskedTokensResult,
)
from tests.hf import tiny


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny.load(tiny.save_bert(tmp_path_factory.mktemp("models") / "bert"))


def test_an_answer(model):
    result = run(model, MaskedTokensRequest("the cat sat", "a [MASK]", (Mask(4, 7),), 3), Context())
    assert result.model == model.stamp
    assert [mask.position for mask in result.masks] == [2, 6]
    assert [result.tokens[mask.position].masked for mask in result.masks] == [True, True]
    assert [mask.original is None for mask in result.masks] == [False, True]
    assert all(len(mask.predictions) == 3 for mask in result.masks)
    assert result.masks[0].original.token == "cat"


def test_several_masks_are_predicted_from_the_same_input(model):
    """Each as if it were the only question: no mask is filled for another."""
    import torch

    result = run(model, MaskedTokensRequest("[MASK] cat [MASK]", top_k=1), Context())
    ids = torch.tensor([[token.id for token in result.tokens]])
    with torch.no_grad():
        logits = model.module(ids).prediction_logits[0]
    for mask in result.masks:
        assert mask.predictions[0].id == int(logits[mask.position].argmax())


def test_the_same_question_has_the_same_answer(model):
    request = MaskedTokensRequest("the [MASK] sat on the mat", top_k=9)
    assert run(model, request, Context()) == run(model, request, Context())


def test_what_did_not_fit_is_told(model):
    text = "[MASK] " + "cat " * 30 + "[MASK]"
    result = run(model, MaskedTokensRequest(text), Context())
    assert len(result.masks) == 1
    assert (result.left_out.tokens, result.left_out.masks) == (10, 1)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (MaskedTokensRequest(""), "There is no text"),
        (MaskedTokensRequest("  \n"), "There is no text"),
        (MaskedTokensRequest("the cat"), "Nothing is masked"),
        (MaskedTokensRequest("the  cat", masks=(Mask(3, 5),)), "Nothing is masked"),
        (MaskedTokensRequest("the [MASK]", top_k=0), "At least one prediction"),
        (MaskedTokensRequest("cat " * 40 + "[MASK]"), "Every mask lies in the part"),
    ],
)
def test_questions_that_cannot_be_answered(model, request_, words):
    with pytest.raises(UserMistake, match=words) as caught:
        run(model, request_, Context())
    assert caught.value.hint


def test_no_head_no_answer(tmp_path):
    bare = tiny.load(tiny.save_bert(tmp_path / "m", "BertModel"))
    with pytest.raises(Unavailable, match="no masked language model head"):
        run(bare, MaskedTokensRequest("the [MASK]"), Context())


def test_the_table():
    shown = Prediction("##s", 9, 0.5, "s", 1)
    hidden = Prediction("cat", 7, 0.01, "cat", 31)
    result = MaskedTokensResult(
        ModelStamp("m", "bert", "0", "cpu", "float32"),
        (Token("[MASK]", 4, 0, 3, special=False, masked=True, original=7),) * 3,
        (
            MaskPredictions(0, (shown,), hidden, 1.5),
            MaskPredictions(1, (shown,), shown, 1.5),
            MaskPredictions(2, (shown,), None, 1.5),
        ),
    )
    rows = [
        dict(zip(QUESTION.table(result).columns, row, strict=True))
        for row in QUESTION.table(result).rows
    ]
    told = [(row["mask"], row["rank"], row["word"], row["is_original"]) for row in rows]
    assert told == [
        (0, 1, "s", False),
        (0, 31, "cat", True),
        (1, 1, "s", True),
        (2, 1, "s", False),
    ]
    assert rows[0] == {
        "mask": 0,
        "rank": 1,
        "word": "s",
        "token": "##s",
        "id": 9,
        "probability": 0.5,
        "is_original": False,
        "entropy": 1.5,
    }


def test_spans_are_the_same_only_piece_by_piece():
    one = Prediction("▁a", 5, 0.5)
    span = Prediction("▁a▁b", 5, 0.2, ids=(5, 6))
    assert one.is_same(Prediction("▁a", 5, 0.1, rank=9, ids=(5,)))
    assert not one.is_same(span)
    assert span.is_same(Prediction("▁a▁b", 5, 0.3, ids=(5, 6)))
    assert not span.is_same(None)


def test_the_row_of_a_file(model):
    result = run(model, MaskedTokensRequest("[MASK] cat sat [MASK]"), Context())
    told = QUESTION.summary(result)
    assert told["masks"] == 2
    for number, mask in enumerate(result.masks, start=1):
        assert told[f"mask {number}"] == mask.predictions[0].word
        assert told[f"probability {number}"] == mask.predictions[0].probability
        assert told[f"entropy {number}"] == mask.entropy
