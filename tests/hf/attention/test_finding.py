"""Attentions that are found by letting a model run, whatever its class calls its parts."""

import numpy as np
import pytest
import torch

from explorer.api.family import (
    AttentionModules,
    Attentions,
    Context,
    HeadPlace,
    LogitParts,
    Query,
    StepwisePass,
)
from explorer.hf.attention.finding import rule_of
from explorer.hf.attention.head_weights import head_weights
from explorer.hf.attention.watching import AttendingCall
from explorer.questions.attention.query_key.question import QueryKeyRequest
from tests.hf import tiny
from tests.plugins.model_types.making import save_small

TEXT = "the cat sat on the mat"


@pytest.fixture(scope="module")
def codegen(tmp_path_factory):
    """Its one matrix gives queries, values and keys of four blocks of heads, in that order."""
    folder = tmp_path_factory.mktemp("codegen") / "codegen"
    return save_small(folder, "codegen"), tiny.load(folder)


@pytest.fixture(scope="module")
def mt5(tmp_path_factory):
    """Two stacks, with what distances add to scores, which are not scaled."""
    folder = tmp_path_factory.mktemp("mt5") / "mt5"
    return save_small(folder, "mt5"), tiny.load(folder)


def test_rows_of_a_fused_matrix_are_a_heads(codegen):
    module, model = codegen
    encoded = model.encode(TEXT)
    (one, _) = model.port(AttentionModules).modules()
    read = []
    block = module.transformer.h[0]
    handle = block.attn.register_forward_pre_hook(
        lambda _part, args, kwargs: read.append(args[0] if args else kwargs["hidden_states"]),
        with_kwargs=True,
    )
    with torch.inference_mode():
        module(input_ids=encoded.input_ids)
    handle.remove()
    found = model.port(AttentionModules).queries_and_keys(encoded, Context(), layers={0})[0]
    for head in range(one.heads):
        own = head_weights(one, head)
        for matrix, vectors in zip(
            (own.query, own.key, own.value), (*found.unturned, found.values), strict=True
        ):
            torch.testing.assert_close(read[0][0] @ matrix.T, vectors[head], atol=1e-5, rtol=1e-4)
    turned = found.queries - found.unturned[0]
    assert float(turned[:, 0].abs().max()) < 1e-6 < 1e-2 < float(turned[:, 1:].abs().max())


def test_what_each_head_adds_sums_up(codegen):
    """So the matrix behind the heads is the one that takes what each contributes."""
    module, model = codegen
    encoded = model.encode(TEXT)
    query = Query(encoded, (len(encoded.tokens) - 1,))
    found = model.port(LogitParts).split(query, (5, 9), Context())
    with torch.inference_mode():
        row = module(input_ids=encoded.input_ids[:, :-1]).logits[0, -1]
    assert sum(one.value for one in found.parts) == pytest.approx(float(row[5] - row[9]), abs=1e-4)
    silenced = [HeadPlace("decoder", layer, head) for layer in range(2) for head in range(4)]
    with torch.inference_mode(), model.port(AttentionModules).ablated(silenced):
        without = model.module(input_ids=encoded.input_ids).logits
        for block in module.transformer.h:
            block.attn.out_proj.weight.zero_()
        torch.testing.assert_close(without, module(input_ids=encoded.input_ids).logits)


def test_both_stacks_attend_as_transformers_says(mt5):
    module, model = mt5
    encoded = model.encode(TEXT)
    written = [one.id for one in encoded.tokens if not one.special][:3]
    port = model.port(AttentionModules)
    found = port.queries_and_keys(encoded, Context(), answer=written)
    begun = [module.config.decoder_start_token_id, *written]
    module.set_attn_implementation("eager")
    with torch.inference_mode():
        own = module(
            input_ids=encoded.input_ids,
            decoder_input_ids=torch.tensor([begun]),
            output_attentions=True,
        )
    told = [*own.encoder_attentions, *own.decoder_attentions, *own.cross_attentions]
    assert [one.kind.value for one in found] == ["encoder"] * 2 + ["decoder"] * 2 + ["cross"] * 2
    assert len(found) == len(told)
    for one, weights in zip(found, told, strict=True):
        torch.testing.assert_close(one.shares(), weights[0], atol=1e-5, rtol=0)
        assert one.scale == 1
    first = module.encoder.block[0].layer[0].SelfAttention
    length = len(encoded.tokens)
    torch.testing.assert_close(
        found[0].bias, first.compute_bias(length, length)[0], atol=1e-4, rtol=0
    )
    stacks = model.port(Attentions).capture(encoded, Context(), written)
    for kind, weights in zip(stacks, told[::2], strict=True):
        np.testing.assert_allclose(stacks[kind].weights[0], weights[0], atol=1e-5)
    assert StepwisePass in model.ports


@pytest.mark.parametrize(("kind", "has_sink", "cap"), [("gpt_oss", True, 0), ("gemma2", False, 50)])
def test_sinks_and_bent_scores_make_the_shares_of_transformers(kind, has_sink, cap, tmp_path):
    module, model = save_small(tmp_path / kind, kind), tiny.load(tmp_path / kind)
    encoded = model.encode(TEXT)
    module.set_attn_implementation("eager")
    with torch.inference_mode():
        own = module(input_ids=encoded.input_ids, output_attentions=True).attentions
    found = model.port(AttentionModules).queries_and_keys(encoded, Context())
    for one, weights in zip(found, own, strict=True):
        torch.testing.assert_close(one.shares(), weights[0], atol=1e-5, rtol=0)
        assert (one.sink is not None, one.cap) == (has_sink, cap)
    drawn = tiny.ask(model, QueryKeyRequest(TEXT, layer=1, head=2))
    np.testing.assert_allclose(drawn.attention, own[1][0, 2], atol=1e-5)
    query, key = drawn.strongest
    score = float(found[1].scores()[2, query, key])
    assert drawn.score(query, key)[2] == pytest.approx(score, abs=1e-4)
    place = len(encoded.tokens) - 1
    recorded = model.port(StepwisePass).record(Query(encoded, (place,)), 2, Context())
    (step,) = [one for one in recorded.attentions if one.layer == 1]
    np.testing.assert_allclose(step.weights, own[1][0, :, place - 1, :place], atol=1e-5)
    np.testing.assert_allclose(step.scores(), found[1].scores()[:, place - 1, :place], atol=1e-4)
    rest = 1 - own[1][0].sum(-1)
    if has_sink:
        np.testing.assert_allclose(drawn.sink, rest[2], atol=1e-5)
        exponents = np.exp(step.scores())
        whole = np.exp(step.sink) + exponents.sum(-1)
        np.testing.assert_allclose(np.exp(step.sink) / whole, rest[:, place - 1], atol=1e-5)


def test_what_words_add_to_scores_is_nothing_that_positions_add():
    drawn = torch.Generator().manual_seed(0)

    def call(scores):
        queries, keys = (torch.randn(2, 5, 4, generator=drawn) for _ in range(2))
        given = scores(queries @ keys.transpose(-1, -2))
        return AttendingCall(None, queries, keys, given, given.softmax(-1))

    places = torch.randn(2, 5, 5, generator=drawn)
    plain, other = (call(lambda products: products * 0.5 + 3) for _ in range(2))
    assert rule_of(plain, other, 1e-4).scale == 0.5
    assert not rule_of(plain, other, 1e-4).adds_positions
    placed = [call(lambda products: products * 0.5 + places) for _ in range(2)]
    assert rule_of(*placed, 1e-4).adds_positions
    assert rule_of(*placed, 1e-4).scale == 0.5
    worded = [
        call(lambda products: products + torch.randn(2, 1, 5, generator=drawn)) for _ in range(2)
    ]
    assert rule_of(*worded, 1e-4) is None
