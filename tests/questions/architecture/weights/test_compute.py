"""Weights that are drawn, against the tensors themselves and transformers' own forward."""

import copy

import numpy as np
import pytest
import torch

from explorer.api.question import (
    AttentionModules,
    Context,
    EmbeddingMatrices,
    HiddenStates,
    Unavailable,
    UserMistake,
)
from explorer.hf.attention.head_weights import head_weights
from explorer.questions.architecture.weights.question import (
    Drawn,
    WeightsRequest,
    WordSource,
)
from tests.hf import every_family, tiny

TEXT = "the cat sat on the mat, it was great"


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return every_family.Checkpoints(tmp_path_factory.mktemp("models"))


def ask(model, drawn, **fields):
    return tiny.ask(model, WeightsRequest(TEXT, drawn, **fields), Context())


def matrix(result, name):
    return next(one for one in result.matrices if one.name == name)


def curve(result, name, panel=None):
    return next(one for one in result.curves if one.name == name and panel in (None, one.panel))


@pytest.mark.parametrize("family_id", every_family.IDS)
def test_a_heads_matrices_are_those_that_the_model_multiplies_with(checkpoints, family_id):
    """What is cut out of the weights gives the queries, keys and values of the model's own run."""
    for model in checkpoints.models(family_id):
        port = model.port(AttentionModules)
        read: dict = {}

        def keep(module, args, kwargs, read=read):
            read.setdefault(module, (args, kwargs))

        handles = [
            one.module.register_forward_pre_hook(keep, with_kwargs=True) for one in port.modules()
        ]
        found = port.queries_and_keys(model.encode(TEXT), Context(), layers={0})
        for handle in handles:
            handle.remove()
        for one in port.modules():
            if 0 not in one.layers or one.kind == "cross":
                continue
            made = next(each for each in found if each.kind == one.kind)
            args, kwargs = read[one.module]
            states = (args[0] if args else kwargs["hidden_states"])[0].float()
            for head in (0, one.heads - 1):
                own = head_weights(one, head)
                value = states if own.value.shape[1] == states.shape[1] else None
                if value is None:
                    continue  # MobileBERT's keys are of its bottleneck
                # Biases are what is left: the same at every token.
                rest = made.values[head] - value @ own.value.T
                assert float(rest.std(dim=0).max()) < 1e-4, (family_id, one.kind)


@pytest.mark.parametrize("family_id", every_family.IDS)
def test_spectra_are_those_of_the_whole_products(checkpoints, family_id):
    for model in checkpoints.models(family_id):
        result = ask(model, Drawn.HEAD, layer=1, head=2)
        one = next(
            each
            for each in model.port(AttentionModules).modules()
            if 1 in each.layers and each.kind == result.kind
        )
        own = head_weights(one, 2)
        for name, whole in (
            ("query", own.query),
            ("output", own.output),
            ("qk", own.query.T @ own.key if own.query.shape[1] else None),
            ("ov", own.value.T @ own.output),
        ):
            expected = np.linalg.svd(whole.numpy(), compute_uv=False)
            values = curve(result, name).values
            np.testing.assert_allclose(values, expected[: len(values)], rtol=1e-3, atol=1e-5)
            np.testing.assert_allclose(expected[len(values) :], 0, atol=1e-5)
        drawn = matrix(result, "value")
        np.testing.assert_array_equal(drawn.values, own.value.numpy()[:, : drawn.shape[1]])
        assert not drawn.values.flags.writeable


def test_gpt2s_head_is_cut_out_of_its_one_matrix(checkpoints):
    (model,) = checkpoints.models("gpt2")
    block = model.module.base_model.h[2].attn
    width = block.c_attn.weight.shape[0]
    size = width // 4
    drawn = ask(model, Drawn.HEAD, layer=2, head=3)
    for n, name in enumerate(("query", "key", "value")):
        own = block.c_attn.weight[:, n * width + 3 * size : n * width + 4 * size].T
        np.testing.assert_array_equal(matrix(drawn, name).values, own.detach().numpy())
    own = block.c_proj.weight[3 * size : 4 * size]
    np.testing.assert_array_equal(matrix(drawn, "output").values, own.detach().numpy())


def test_circuits_of_bert_by_hand(checkpoints):
    (model,) = checkpoints.models("bert")
    result = ask(model, Drawn.CIRCUITS, layer=1, head=2)
    bert = model.module
    table = bert.bert.embeddings.word_embeddings.weight.detach()
    ids = list(dict.fromkeys(one.id for one in model.encode(TEXT).tokens if not one.special))
    layer = bert.bert.encoder.layer[1].attention
    rows = slice(2 * 8, 3 * 8)
    words = table[ids]
    looks = (words @ layer.self.query.weight[rows].T) @ (words @ layer.self.key.weight[rows].T).T
    expected = (looks / 8**0.5).detach().numpy()
    np.testing.assert_allclose(matrix(result, "qk").values, expected, rtol=1e-4, atol=1e-5)
    adds = words @ layer.self.value.weight[rows].T @ layer.output.dense.weight[:, rows].T
    transform = bert.cls.predictions.transform.dense.weight
    scores = (adds @ transform.T @ table.T).detach().numpy()
    np.testing.assert_allclose(matrix(result, "ov").values, scores[:, ids], rtol=1e-3, atol=1e-4)
    assert result.vocabulary == len(table)
    for row, written in zip(scores, result.written, strict=True):
        assert written.scores[0] == pytest.approx(row.max(), rel=1e-3)
    assert result.written[0].rank == int((scores[0] > scores[0][ids[0]]).sum()) + 1


@pytest.mark.parametrize("family_id", ["gpt1", "gpt2", "xlm", "roberta", "distilbert"])
def test_what_a_head_writes_is_the_table_times_what_it_adds(checkpoints, family_id):
    (model,) = checkpoints.models(family_id)
    result = ask(model, Drawn.CIRCUITS, layer=0, head=1)
    one = next(each for each in model.port(AttentionModules).modules() if 0 in each.layers)
    own = head_weights(one, 1)
    tables = model.port(EmbeddingMatrices)
    read = tables.rows("input", 0, tables.shape("input")[0])
    token = next(
        each
        for each in model.encode(TEXT).tokens
        if not each.special and each.text.removesuffix("</w>").isalpha()
    )
    adds = read[token.id] @ own.value.numpy().T @ own.output.numpy()
    if result.notes:  # a transform before the table
        named = dict(model.module.named_parameters())
        name = {"roberta": "lm_head.dense.weight", "distilbert": "vocab_transform.weight"}
        adds = named[name[family_id]].detach().numpy() @ adds
    scores = tables.rows(tables.sides[-1], 0, len(read)) @ adds
    word = next(
        each for each in result.written if each.rank == (scores > scores[token.id]).sum() + 1
    )
    assert word.scores[0] == pytest.approx(scores.max(), rel=1e-3)


@pytest.mark.parametrize("family_id", every_family.IDS)
def test_every_family_draws_or_says_why(checkpoints, family_id):
    for model in checkpoints.models(family_id):
        for drawn in Drawn:
            result = ask(model, drawn)
            assert result.matrices or result.curves or result.notes, (family_id, drawn)
        encoder = model.port(AttentionModules).modules()[0].kind == "encoder"
        circuits = ask(model, Drawn.CIRCUITS)
        if family_id == "t5" and encoder:
            assert "choose the decoder" in str(circuits.notes)
            written = ask(model, Drawn.CIRCUITS, kind="decoder").written
            assert bool(written) == ("decoder" in {s[0] for s in circuits.stacks})


def test_positions_and_their_cosines(checkpoints):
    (model,) = checkpoints.models("bert")
    result = ask(model, Drawn.POSITIONS)
    table = model.module.bert.embeddings.position_embeddings.weight.detach().numpy()
    np.testing.assert_array_equal(matrix(result, "positions").values, table)
    found = curve(result, "positions")
    for n, distance in enumerate(found.at.astype(int)):
        cosines = [
            table[i]
            @ table[i + distance]
            / np.linalg.norm(table[i])
            / np.linalg.norm(table[i + distance])
            for i in range(len(table) - distance)
        ]
        assert found.values[n] == pytest.approx(np.mean(cosines), abs=1e-5)
        assert found.high[n] - found.values[n] == pytest.approx(np.std(cosines), abs=1e-5)
    segments = model.module.bert.embeddings.token_type_embeddings.weight
    np.testing.assert_array_equal(matrix(result, "segments").values, segments.detach().numpy())


def test_roberta_counts_its_positions_from_behind_padding(checkpoints):
    (model,) = checkpoints.models("roberta")
    result = ask(model, Drawn.POSITIONS)
    table = model.module.base_model.embeddings.position_embeddings
    first = table.padding_idx + 1
    drawn = matrix(result, "positions")
    np.testing.assert_array_equal(drawn.values, table.weight[first:].detach().numpy())
    assert f"below {first}" in str(result.notes)


def test_t5_has_a_number_for_each_distance(checkpoints):
    for model in checkpoints.models("t5"):
        result = ask(model, Drawn.POSITIONS)
        layer = model.module.get_encoder().block[0].layer[0].SelfAttention
        drawn = matrix(result, "bias")
        far = drawn.shape[1] // 2
        size = far + 1
        bias = layer.compute_bias(size, size)[0].detach().numpy()
        for n, distance in enumerate(int(one) for one in drawn.columns):
            row, at = (0, distance) if distance >= 0 else (-distance, 0)
            np.testing.assert_allclose(drawn.values[:, n], bias[:, row, at], atol=1e-6)


def test_norms_by_layer(checkpoints):
    (model,) = checkpoints.models("bert")
    result = ask(model, Drawn.NORMS)
    for name, path in (
        ("query", "attention.self.query"),
        ("output", "attention.output.dense"),
        ("feed_forward_in", "intermediate.dense"),
        ("feed_forward_out", "output.dense"),
    ):
        weights = [
            layer.get_submodule(path).weight.detach() for layer in model.module.bert.encoder.layer
        ]
        expected = [float(torch.linalg.norm(one)) for one in weights]
        np.testing.assert_allclose(curve(result, name, "norm").values, expected, rtol=1e-5)
        root = [float(one.square().mean().sqrt()) for one in weights]
        np.testing.assert_allclose(curve(result, name, "size").values, root, rtol=1e-5)
    assert result.initial == model.config.initializer_range


def test_albert_has_the_same_in_every_layer(checkpoints):
    model = checkpoints.models("albert")[0]
    result = ask(model, Drawn.NORMS)
    own = curve(result, "feed_forward_in", "norm").values
    assert len(own) == model.config.num_hidden_layers
    assert "share one set" in str(result.notes)


@pytest.mark.parametrize("family_id", ["gpt2", "bert", "t5", "xlm"])
def test_the_stream_before_the_final_norm(checkpoints, family_id):
    model = checkpoints.models(family_id)[0]
    result = ask(model, Drawn.RESIDUAL)
    states = model.port(HiddenStates).states([model.encode(TEXT)], Context())[0]
    own = curve(result, "checkpoint")
    assert len(own.values) == len(states)
    lengths = states.norm(dim=-1)
    np.testing.assert_allclose(own.values[:-1], lengths.mean(dim=1)[:-1], rtol=1e-4)
    np.testing.assert_allclose(own.high[:-1], lengths.max(dim=1).values[:-1], rtol=1e-4)
    if family_id == "gpt2":
        last = {}
        block = model.module.base_model.h[-1]
        handle = block.register_forward_hook(lambda _m, _i, given: last.update(given=given))
        with torch.no_grad():
            model.module(**model.encode(TEXT).inputs)
        handle.remove()
        given = last["given"][0] if isinstance(last["given"], tuple) else last["given"]
        expected = given.reshape(-1, given.shape[-1]).norm(dim=-1).mean()
        assert own.values[-1] == pytest.approx(float(expected), rel=1e-4)
        assert own.values[-1] != pytest.approx(float(lengths[-1].mean()), rel=1e-2)
    if family_id == "bert":
        assert own.values[-1] == pytest.approx(float(lengths[-1].mean()), rel=1e-4)
        assert "norm follows each sum" in str(result.notes)


def test_random_weights_grow_more_without_the_scaling(checkpoints):
    (model,) = checkpoints.models("gpt2")
    before, attention = torch.random.get_rng_state(), model.config._attn_implementation
    result = ask(model, Drawn.RESIDUAL)
    assert model.config._attn_implementation == attention
    assert torch.equal(before, torch.random.get_rng_state())
    scaling = result.scaling
    assert scaling.stated == pytest.approx((2 * model.config.n_layer) ** -0.5)
    assert scaling.measured == pytest.approx(scaling.stated, rel=0.1)
    torch.manual_seed(scaling.seed)
    fresh = type(model.module.base_model)(copy.deepcopy(model.config)).eval()
    encoded = model.encode(TEXT)
    for name in ("scaled", "unscaled"):
        if name == "unscaled":
            with torch.no_grad():
                for block in fresh.h:
                    for linear in (block.attn.c_proj, block.mlp.c_proj):
                        linear.weight.div_(scaling.stated)
        streams: list = []

        def keep(_module, _inputs, given, streams=streams):
            streams.append(given[0] if isinstance(given, tuple) else given)

        handles = [block.register_forward_hook(keep) for block in fresh.h]
        with torch.no_grad():
            fresh(**encoded.inputs)
        for handle in handles:
            handle.remove()
        lengths = [float(one.reshape(-1, one.shape[-1]).norm(dim=-1).mean()) for one in streams]
        np.testing.assert_allclose(curve(result, name).values[1:], lengths, rtol=1e-4)
    assert curve(result, "unscaled").values[-1] > curve(result, "scaled").values[-1]
    again = ask(model, Drawn.RESIDUAL)
    np.testing.assert_array_equal(curve(again, "scaled").values, curve(result, "scaled").values)


def test_gpt1_is_not_scaled(checkpoints):
    (model,) = checkpoints.models("gpt1")
    result = ask(model, Drawn.RESIDUAL)
    assert result.scaling is None
    assert not result.of_panel("initial")


def test_what_is_not_there(checkpoints):
    (model,) = checkpoints.models("bert")
    with pytest.raises(UserMistake, match="There is no head 4 in layer 0"):
        ask(model, Drawn.HEAD, head=4)
    for drawn in (Drawn.CIRCUITS, Drawn.RESIDUAL):
        with pytest.raises(UserMistake, match="no text"):
            tiny.ask(model, WeightsRequest(" ", drawn), Context())
    linear = next(iter(model.port(AttentionModules).modules())).module.query
    kept = linear.weight
    try:
        linear.weight = torch.nn.Parameter(kept.detach().to(torch.int8), requires_grad=False)
        with pytest.raises(Unavailable, match="rounded to a few bits"):
            ask(model, Drawn.HEAD)
    finally:
        linear.weight = kept
    common = tiny.ask(model, WeightsRequest("", Drawn.CIRCUITS, words=WordSource.COMMON), Context())
    assert 2 <= len(common.written) <= 24
    assert len({one.word for one in common.written}) == len(common.written)


def test_large_matrices_are_drawn_in_part():
    from explorer.questions.architecture.weights.matrices import drawn_matrix

    whole = np.arange(700 * 900, dtype=np.float32).reshape(700, 900)
    drawn = drawn_matrix("positions", whole)
    assert drawn.values.shape == (128, 256)
    assert drawn.shape == (700, 900)
    assert not drawn.is_whole
    assert (drawn.rows[0], drawn.rows[-1], drawn.columns[-1]) == ("0", "699", "899")
    for row, name in enumerate(drawn.rows):
        at = [int(one) for one in drawn.columns]
        np.testing.assert_array_equal(drawn.values[row], whole[int(name)][at])
