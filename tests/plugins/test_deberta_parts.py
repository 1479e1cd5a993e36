"""The parts of DeBERTa's scores, against transformers' own numbers in every configuration."""

import numpy as np
import pytest

from explorer.api.family import Cancelled, Context, PluginFault, UserMistake
from explorer.document import Document, Mask
from explorer.questions.attention.disentangled_attention.question import (
    ABSOLUTE,
    PARTS,
    QUESTION,
    DisentangledAttentionRequest,
    Off,
    off_of,
    summary,
)
from tests.cross_products import pairs_first
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.plugins import deberta_files
from tests.plugins.deberta_tiny import TEXT, ask, model_of, plugin

KINDS = ([], ["c2p"], ["p2c"], ["c2p", "p2c"], ["p2c", "c2p", "p2p"])


def attentions(model):
    """transformers' own, a layer each: heads x tokens x tokens."""
    import torch

    inputs = model.encode(TEXT).inputs
    with torch.inference_mode():
        output = model.module.deberta(**inputs, output_attentions=True)
    return [layer[0].numpy() for layer in output.attentions]


def agrees(model, kinds):
    """Every layer's chosen head sums up, is transformers', and has the parts it was made with."""
    own = attentions(model)
    for layer, head in ((0, 1), (2, 3)):
        result = ask(model, layer=layer, head=head)
        assert {part.name for part in result.parts} == {"c2c"} | ({"c2p", "p2c"} & set(kinds))
        total = sum(part.scores for part in result.parts)
        np.testing.assert_allclose(total, result.scores, atol=1e-4, rtol=0)
        assert result.sum_error <= result.largest_error < 1e-4
        powers = np.exp(total - total.max(axis=-1, keepdims=True))
        by_hand = powers / powers.sum(axis=-1, keepdims=True)
        np.testing.assert_allclose(by_hand, own[layer][head], atol=1e-4, rtol=0)
        np.testing.assert_allclose(result.attention, own[layer][head], atol=1e-6, rtol=0)
        assert float(np.abs(result.scores).max()) > 0.05
        shares = sum(part.shares for part in result.parts)
        assert shares.shape == (3, 4)
        np.testing.assert_allclose(shares, 1, atol=1e-5)


@pytest.mark.parametrize(
    ("kinds", "shared", "buckets", "norm", "kernel"),
    pairs_first(KINDS, (True, False), (-1, 6), ("none", "layer_norm"), (0, 3)),
)
def test_the_second_version_sums_up(kinds, shared, buckets, norm, kernel):
    config = {
        "pos_att_type": kinds,
        "share_att_key": shared,
        "position_buckets": buckets,
        "norm_rel_ebd": norm,
        "conv_kernel_size": kernel,
    }
    agrees(model_of(v1=False, **config), kinds)


@pytest.mark.parametrize(
    ("kinds", "talking", "longest"), pairs_first(KINDS, (False, True), (-1, 5))
)
def test_the_first_version_sums_up(kinds, talking, longest):
    """With distances beyond the longest one, and with heads that share their scores."""
    model = model_of(
        v1=True, pos_att_type=kinds, talking_head=talking, max_relative_positions=longest
    )
    if not talking:
        agrees(model, kinds)
        return
    result = ask(model, layer=1, head=2)
    total = sum(part.scores for part in result.parts)
    np.testing.assert_allclose(total, result.scores, atol=1e-4, rtol=0)
    powers = np.exp(result.scores - result.scores.max(axis=-1, keepdims=True))
    softmax = powers / powers.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(result.attention, softmax, atol=1e-6)


@pytest.mark.parametrize("v1", [True, False])
def test_without_relative_positions(v1):
    model = model_of(v1=v1, relative_attention=False, pos_att_type=["c2p", "p2c"])
    result = ask(model, layer=1, head=0)
    assert [part.name for part in result.parts] == ["c2c"]
    assert result.distances.size == 0
    assert result.biases == ()
    assert "no relative positions" in result.note
    np.testing.assert_allclose(result.attention, attentions(model)[1][0], atol=1e-6)


@pytest.mark.parametrize(
    "name",
    ["deberta-v1-miniature", "deberta-v2-miniature", "deberta-v3-miniature"],
)
def test_the_bundled_miniatures(name):
    model = miniature(name)
    text = "The student likes deep learning. It needs data and a computer."
    result = tiny.ask(model, DisentangledAttentionRequest(text, layer=1, head=1), Context())
    assert [part.name for part in result.parts] == list(PARTS)
    assert result.largest_error < 1e-4


@pytest.mark.parametrize("version", deberta_files.VERSIONS)
def test_the_published_layouts(version):
    model = tiny.load(deberta_files.REFERENCE / version)
    result = ask(model, layer=0, head=0)
    assert [part.name for part in result.parts] == list(PARTS)
    assert result.largest_error < 1e-4
    assert result.note == ""
    np.testing.assert_allclose(result.attention, attentions(model)[0][0], atol=1e-6)


@pytest.mark.parametrize("v1", [True, False])
@pytest.mark.parametrize("shared", [True, False])
def test_each_part_is_what_transformers_adds_for_it(v1, shared):
    """transformers' own bias, made with one kind at a time."""
    import torch

    kinds = ["c2p", "p2c"]
    model = model_of(v1=v1, pos_att_type=kinds, share_att_key=shared, position_buckets=6)
    result = ask(model, layer=1, head=2)
    attention = model.module.deberta.encoder.layer[1].attention.self
    name = "disentangled_att_bias" if v1 else "disentangled_attention_bias"
    original = getattr(attention, name)
    found = {}

    def one_at_a_time(*args):
        for kind in kinds:
            attention.pos_att_type = [kind]
            found[kind] = original(*args).reshape(4, *result.scores.shape)[2].numpy()
        attention.pos_att_type = kinds
        return original(*args)

    setattr(attention, name, one_at_a_time)
    with torch.inference_mode():
        model.encoder(**model.encode(TEXT).inputs)
    for kind in kinds:
        np.testing.assert_allclose(result.part(kind).scores, found[kind], atol=1e-5)
    assert not np.allclose(found["c2p"], found["p2c"], atol=1e-3)


@pytest.mark.parametrize("v1", [True, False])
def test_the_decoders_two_steps(v1):
    """The last layer called by hand, with the queries of each step."""
    import torch

    model = model_of(v1=v1, enhanced=True, pos_att_type=["c2p", "p2c"], position_buckets=6)
    base = model.module.deberta
    encoder = base.encoder
    inputs = model.encode(TEXT).inputs
    with torch.inference_mode():
        keys = base(**inputs, output_hidden_states=True).hidden_states[-2]
        count = keys.shape[1]
        queries = keys + base.embeddings.position_embeddings.weight[:count]
        mask = encoder.get_attention_mask(torch.ones(1, count))
        for step in (1, 2):
            queries, attention = encoder.layer[-1](
                keys,
                mask,
                query_states=queries,
                relative_pos=encoder.get_rel_pos(keys),
                rel_embeddings=encoder.get_rel_embedding(),
                output_attentions=True,
            )[:2]
            for head in (0, 3):
                result = ask(model, step=step, head=head)
                assert (result.layer, result.step, result.steps) == (2, step, 2)
                np.testing.assert_allclose(result.attention, attention[0, head], atol=1e-6)
                total = sum(part.scores for part in result.parts)
                np.testing.assert_allclose(total, result.scores, atol=1e-4)
                assert result.parts[0].shares.shape == (5, 4)
    assert not np.allclose(ask(model, step=1).attention, ask(model, step=2).attention, atol=1e-3)


@pytest.mark.parametrize("v1", [True, False])
@pytest.mark.parametrize("buckets", [-1, 6])
def test_bias_against_distance(v1, buckets):
    """transformers' own bias of a text in which every pair has the same distance."""
    import torch

    kinds = ["c2p", "p2c"]
    model = model_of(v1=v1, pos_att_type=kinds, position_buckets=buckets)
    result = ask(model, layer=1, head=2)
    count = len(result.tokens)
    assert list(result.distances) == list(range(-23, 24))
    attention = model.module.deberta.encoder.layer[1].attention.self
    name = "disentangled_att_bias" if v1 else "disentangled_attention_bias"
    original = getattr(attention, name)
    given = []
    setattr(attention, name, lambda *args: given.append(args) or original(*args))
    with torch.inference_mode():
        model.encoder(**model.encode(TEXT).inputs)
        (queries, keys, _, table_of_positions, factor) = given[0]
        for distance in (-11, -7, -3, 0, 1, 4, 10):
            at = list(result.distances).index(distance)
            # Queries minus keys in the model.
            bucket = -distance
            if buckets > 0 and not v1:
                from transformers.models.deberta_v2 import modeling_deberta_v2 as theirs

                where = torch.tensor([[-distance]])
                bucket = int(theirs.make_log_bucket_position(where, buckets, 24))
            assert int(result.buckets[at]) == -bucket
            for bias in result.biases:
                attention.pos_att_type = [bias.part]
                # p2c looks from the key: there, the sign is the other.
                sign = 1 if bias.part == "c2p" else -1
                same = torch.full((1, count, count), sign * bucket)
                scores = original(queries, keys, same, table_of_positions, factor)
                scores = scores.reshape(4, count, count).numpy()
                # Every column of c2p is the same content with the same distance, every row of p2c.
                tokens = scores[:, :, 0] if bias.part == "c2p" else scores[:, 0, :]
                np.testing.assert_allclose(bias.mean[:, at], tokens.mean(axis=1), atol=1e-5)
                np.testing.assert_allclose(bias.deviation[:, at], tokens.std(axis=1), atol=1e-5)
            attention.pos_att_type = kinds


@pytest.mark.parametrize(("buckets", "longest"), [(6, 24), (32, 128), (256, 512), (8, 9)])
def test_buckets_are_transformers_own(buckets, longest):
    import torch
    from transformers.models.deberta_v2.modeling_deberta_v2 import make_log_bucket_position

    distances = torch.arange(-longest + 1, longest)
    expected = make_log_bucket_position(distances, buckets, longest).long()
    assert bool((plugin("parts").bucketed(distances, buckets, longest) == expected).all())


def test_shares_by_hand():
    model = model_of(v1=False, pos_att_type=["c2p", "p2c"])
    result = ask(model, layer=1, head=2)
    sizes = [
        np.sqrt(np.mean((p.scores - p.scores.mean(axis=1, keepdims=True)) ** 2))
        for p in result.parts
    ]
    for part, size in zip(result.parts, sizes, strict=True):
        assert part.shares[1, 2] == pytest.approx(size / sum(sizes), abs=1e-5)


def test_parts_that_do_not_add_up_fail_loudly(monkeypatch):
    model = model_of(v1=False, pos_att_type=["c2p"])
    observing = plugin("observing")
    true = observing.parts_of

    def wrong(*args):
        parts = true(*args)
        parts["c2p"][1, 2, 3] += 3e-4
        return parts

    monkeypatch.setattr(observing, "parts_of", wrong)
    with pytest.raises(PluginFault, match="head 1 in layer 0 do not add up"):
        ask(model)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("version", deberta_files.VERSIONS)
def test_shorter_numbers(version, dtype):
    model = tiny.load(deberta_files.REFERENCE / version, dtype=dtype)
    result = ask(model, layer=0, head=0, off=(Off("p2c"),))
    assert result.scores.dtype == np.float32
    assert np.isfinite(result.attention_after).all()


def test_nothing_is_left_behind():
    model = model_of(v1=True, enhanced=True, pos_att_type=["c2p", "p2c"])

    def hooks():
        return [(len(m._forward_hooks), len(m._forward_pre_hooks)) for m in model.module.modules()]

    before = hooks()
    first = ask(model, masks=(Mask(4, 7),))
    ask(model, masks=(Mask(4, 7),), off=(Off("c2c"), Off(ABSOLUTE)))
    again = ask(model, masks=(Mask(4, 7),))
    assert hooks() == before
    np.testing.assert_array_equal(first.attention, again.attention)
    with pytest.raises(Cancelled):
        tiny.ask(model, DisentangledAttentionRequest(TEXT), Context(is_cancelled=lambda: True))
    assert hooks() == before


def test_what_is_not_there():
    model = model_of(v1=False, pos_att_type=["c2p", "p2c"])
    for fields, said in (
        ({"layer": 3}, "There is no head 0 in layer 3"),
        ({"head": 4}, "There is no head 4"),
        ({"step": 1}, "without an enhanced mask decoder"),
        ({"off": (Off("c2p", 3),)}, "no c2p to switch off in layer 3"),
    ):
        with pytest.raises(UserMistake, match=said):
            ask(model, **fields)
    with pytest.raises(UserMistake, match="no text"):
        tiny.ask(model, DisentangledAttentionRequest(" "), Context())


def test_rows_and_summary():
    model = model_of(v1=False, pos_att_type=["c2p"])
    result = ask(model, layer=1, head=2, off=(Off("c2p"),))
    assert result.changes is None
    rows = QUESTION.table(result)
    assert rows.columns == (
        *("query", "query_token", "key", "key_token"),
        *("c2c", "c2p", "score", "attention", "attention_off"),
    )
    count = len(result.tokens)
    assert len(rows.rows) == count * count
    cells = dict(zip(rows.columns, rows.rows[2 * count + 3], strict=True))
    assert (cells["query"], cells["key"]) == (2, 3)
    assert cells["score"] == pytest.approx(cells["c2c"] + cells["c2p"], abs=1e-5)
    assert cells["attention"] == pytest.approx(float(result.attention[2, 3]))
    row = summary(result)
    assert row["c2p_share"] == pytest.approx(float(result.part("c2p").shares[1, 2]))
    assert "alone (pos_att_type)" in result.note


def test_a_long_texts_table_keeps_the_strongest():
    import dataclasses

    model = model_of(v1=False, pos_att_type=["c2p"])
    result = ask(model)
    count = 150
    rng = np.random.default_rng(0)
    wide = rng.random((count, count)).astype(np.float32)
    longer = dataclasses.replace(
        result,
        tokens=(result.tokens * count)[:count],
        parts=(dataclasses.replace(result.parts[0], scores=wide),),
        scores=wide,
        attention=wide,
    )
    rows = QUESTION.table(longer).rows
    assert len(rows) == 20_000
    kept = {(row[0], row[2]) for row in rows}
    assert np.unravel_index(wide.argmax(), wide.shape) in kept
    assert np.unravel_index(wide.argmin(), wide.shape) not in kept


def test_the_options_are_read():
    written = [["c2p", None, None], ["p2c", 1, 2], ["c2p", None, None], ["x", 1, 1], ["c2c", "a"]]
    assert off_of(written) == (Off("c2p"), Off("p2c", 1, 2))
    document = Document(TEXT).with_option("disentangled_attention.layer", 2)
    document = document.with_option("disentangled_attention.off", written[:1])
    asked = DisentangledAttentionRequest.of(document)
    assert (asked.layer, asked.head, asked.off) == (2, 0, (Off("c2p"),))
    assert (
        DisentangledAttentionRequest.of(
            Document(TEXT).with_option("disentangled_attention.layer", "x")
        ).layer
        == 0
    )
