"""Queries and keys of one head, against the attention that transformers computes."""

import dataclasses

import numpy as np
import pytest

from explorer.api.question import Attentions, Context, UserMistake
from explorer.document import Mask
from explorer.questions.attention.query_key.question import QUESTION, QueryKeyRequest, summary
from tests.hf import every_family, tiny

TEXT = "the cat sat on the mat, it was great"


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return every_family.Checkpoints(tmp_path_factory.mktemp("models"))


def ask(model, **fields):
    return tiny.ask(model, QueryKeyRequest(TEXT, **fields), Context())


@pytest.mark.parametrize("family_id", every_family.IDS)
def test_products_add_up_to_the_attention(checkpoints, family_id):
    for model in checkpoints.models(family_id):
        stacks = model.port(Attentions).capture(model.encode(TEXT, None, (Mask(8, 11),)), Context())
        for kind, stack in stacks.items():
            result = ask(model, kind=kind, layer=1, head=2, masks=(Mask(8, 11),))
            assert result.stacks[0][0] == next(iter(stacks))
            assert (kind, stack.layers, stack.heads) in result.stacks
            assert (result.query_tokens, result.key_tokens) == (stack.queries, stack.keys)
            own = stack.weights[1][2]
            np.testing.assert_allclose(result.attention, own, atol=1e-5)
            rows, columns = own.shape
            scores = np.full(own.shape, -np.inf)
            for query in range(rows):
                for key in range(columns):
                    if result.is_hidden(query, key):
                        continue
                    products = result.products(query, key)
                    assert products.shape == result.queries[query].shape
                    content, position, score = result.score(query, key)
                    assert content == pytest.approx(products.sum() * result.scale, abs=1e-5)
                    assert score == pytest.approx(content + position)
                    scores[query, key] = score
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            np.testing.assert_allclose(powers / powers.sum(axis=1, keepdims=True), own, atol=2e-5)
            assert not result.queries.flags.writeable
            positions = family_id == "deberta" or (family_id == "t5" and kind != "cross")
            assert (result.bias is not None) == positions


def test_rows_and_summary(checkpoints):
    (model,) = checkpoints.models("gpt2")
    result = ask(model, layer=2, head=1)
    count = len(result.query_tokens)
    rows = QUESTION.table(result)
    assert len(rows.rows) == count * (count + 1) // 2  # no token sees a later one
    for row in rows.rows[::7]:
        cells = dict(zip(rows.columns, row, strict=True))
        assert cells["score"] == pytest.approx(
            result.score(cells["query"], cells["key"])[2], abs=1e-5
        )
        assert cells["attention"] == pytest.approx(
            float(result.attention[cells["query"], cells["key"]])
        )
    row = summary(result)
    others = result.attention - 2 * np.eye(count)
    assert row["attention"] == pytest.approx(float(others.max()))


def test_a_long_texts_table_keeps_the_strongest(checkpoints):
    (model,) = checkpoints.models("bert")
    result = ask(model)
    count = 160
    rng = np.random.default_rng(0)
    longer = dataclasses.replace(
        result,
        query_tokens=(result.query_tokens * count)[:count],
        key_tokens=(result.key_tokens * count)[:count],
        queries=rng.random((count, 8), np.float32),
        keys=rng.random((count, 8), np.float32),
        attention=rng.random((count, count), np.float32),
    )
    rows = QUESTION.table(longer).rows
    assert len(rows) == 20_000
    assert min(row[-1] for row in rows) >= np.sort(longer.attention, axis=None)[-20_000]


def test_what_is_not_there(checkpoints):
    (model,) = checkpoints.models("bert")
    with pytest.raises(UserMistake, match="There is no head 4 in layer 0"):
        ask(model, head=4)
    with pytest.raises(UserMistake, match="There is no head 0 in layer 3"):
        ask(model, layer=3)
    with pytest.raises(UserMistake, match="no text"):
        tiny.ask(model, QueryKeyRequest(" "), Context())
    assert ask(model, kind="cross").kind == "encoder"  # the only one it has
