import math
from pathlib import Path

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, Unavailable, UserMistake
from explorer.document import Document, Mask
from explorer.questions.masking.span_boundary.compute import run
from explorer.questions.masking.span_boundary.question import (
    QUESTION,
    SpanBoundaryRequest,
    summary,
)
from explorer.serialise import from_json, to_json
from tests.hf import tiny
from tests.hf.kept import miniature

MODELS = Path(__file__).resolve().parents[4] / "resources" / "models"
TEXT = "The chef cooked the meal in the kitchen."
SPAN = (Mask(9, 24),)


@pytest.fixture(scope="module")
def model():
    return miniature("spanbert-miniature")


@pytest.fixture(scope="module")
def weights():
    """The head's tensors as they lie in the file."""
    from safetensors.numpy import load_file

    stored = load_file(MODELS / "spanbert-miniature" / "model.safetensors")
    return {name: value.astype(np.float64) for name, value in stored.items()}


def ask(model, text=TEXT, masks=SPAN, **options):
    request = SpanBoundaryRequest(text, masks, **options)
    request.check()
    return run(model, request, Context())


def gelu(x):
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def norm(x, weight, bias, epsilon):
    return (x - x.mean()) / math.sqrt(x.var() + epsilon) * weight + bias


def by_hand(model, weights, states, left, right, place):
    """The formulas of SpanBERT's section 3.2, one token at a time, in float64."""
    w = {name.removeprefix("sbo."): v for name, v in weights.items() if name.startswith("sbo.")}
    epsilon = model.config.layer_norm_eps
    h0 = np.concatenate([states[left], states[right], w["position_embeddings.weight"][place]])
    h1 = gelu(w["dense1.weight"] @ h0 + w["dense1.bias"])
    h1 = norm(h1, w["layer_norm1.weight"], w["layer_norm1.bias"], epsilon)
    h2 = gelu(w["dense2.weight"] @ h1 + w["dense2.bias"])
    h2 = norm(h2, w["layer_norm2.weight"], w["layer_norm2.bias"], epsilon)
    logits = weights["bert.embeddings.word_embeddings.weight"] @ h2 + w.get("bias", 0.0)
    exp = np.exp(logits - logits.max())
    return exp / exp.sum()


def states_of(model, tokens):
    import torch

    with torch.no_grad():
        states = model.module.bert(torch.tensor([[token.id for token in tokens]]))
    return states.last_hidden_state[0].double().numpy()


def test_every_number_is_the_paper_s_formula(model, weights):
    result = ask(model, top_k=6)
    (span,) = result.spans
    states = states_of(model, result.tokens)
    assert [result.tokens[i].text for i in (span.left, span.right)] == ["chef", "in"]
    assert [token.place for token in span.tokens] == [1, 2, 3]
    for token in span.tokens:
        expected = by_hand(model, weights, states, span.left, span.right, token.place - 1)
        assert token.boundary_entropy == pytest.approx(
            float(-(expected * np.log(expected)).sum()), abs=1e-3
        )
        best = set(np.argsort(-expected)[:6])
        assert best <= {one.id for one in token.words}
        for one in token.words:
            assert one.boundary == pytest.approx(expected[one.id], rel=2e-3)
            if one.id in best:
                assert one.boundary_rank == 1 + int((expected > expected[one.id]).sum())


def test_beside_it_stands_the_masked_lm_head(model):
    import torch

    result = ask(model, top_k=3)
    ids = torch.tensor([[token.id for token in result.tokens]])
    with torch.no_grad():
        rows = model.module(ids).logits[0].double().softmax(-1).numpy()
    for token in result.spans[0].tokens:
        row = rows[token.position]
        assert set(np.argsort(-row)[:3]) <= {one.id for one in token.words}
        for one in token.words:
            assert one.masked_lm == pytest.approx(row[one.id], rel=1e-3)
    originals = [one.token for t in result.spans[0].tokens for one in t.words if one.is_original]
    assert originals == ["cooked", "the", "meal"]


def test_masks_apart_are_spans_of_their_own(model):
    result = ask(model, "The [MASK] cooked the [MASK] [MASK].", ())
    assert [len(span.tokens) for span in result.spans] == [1, 2]
    assert not any(one.is_original for span in result.spans for t in span.tokens for one in t.words)


def test_a_span_longer_than_the_head_has_places_says_so(model):
    result = ask(model, "The " + "[MASK] " * 30 + "end.", ())
    (span,) = result.spans
    assert span.tokens == ()
    assert f"has 30 tokens; the head tells {result.longest} places apart" in span.problem


def test_what_cannot_be_answered(model, tmp_path):
    with pytest.raises(UserMistake, match="no text"):
        ask(model, " ")
    with pytest.raises(UserMistake, match="Nothing is masked"):
        ask(model, TEXT, ())
    with pytest.raises(UserMistake, match="can't be 0"):
        ask(model, top_k=0)
    bert = tiny.load(tiny.save_bert(tmp_path / "m"))
    with pytest.raises(Unavailable, match="Only SpanBERT was trained"):
        ask(bert)
    with pytest.raises(Cancelled):
        run(model, SpanBoundaryRequest(TEXT, SPAN), Context(is_cancelled=lambda: True))


def test_the_question_the_table_and_json(model):
    assert SpanBoundaryRequest.of(
        Document("a", masks=(Mask(0, 1),), top_k=50)
    ) == SpanBoundaryRequest("a", (Mask(0, 1),), 5)
    result = ask(model, top_k=2)
    made = QUESTION.table(result)
    rows = [dict(zip(made.columns, row, strict=True)) for row in made.rows]
    assert {row["place"] for row in rows} == {1, 2, 3}
    assert rows[0]["boundary"] == result.spans[0].tokens[0].words[0].boundary
    told = summary(result)
    words = [next(one for one in t.words if one.boundary_rank == 1) for t in result.spans[0].tokens]
    assert told["boundary"] == " ".join(one.word for one in words)
    meal = next(one for one in result.spans[0].tokens[2].words if one.is_original)
    assert told["boundary p(meal)"] == meal.boundary
    assert from_json(QUESTION.result, to_json(result)) == result
