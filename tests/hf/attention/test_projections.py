"""Queries and keys of every family, against the attention that transformers computes."""

from functools import partial

import pytest

from explorer.api.family import AttentionModules, Attentions, Cancelled, Context, Predictor
from explorer.document import Mask
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.modules import find_attentions, heads_of
from explorer.hf.family.tiny import HEADS, TINY_LAYERS
from tests.hf import every_family, tiny

TEXT = "the cat sat on the mat, it was great"


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return every_family.Checkpoints(tmp_path_factory.mktemp("models"))


@pytest.mark.parametrize("family_id", every_family.IDS)
@pytest.mark.parametrize("masks", [(), (Mask(4, 7),)])
def test_softmax_of_the_scores_is_the_models_attention(checkpoints, family_id, masks):
    import torch

    for model in checkpoints.models(family_id):
        encoded = model.encode(TEXT, None, masks)
        stacks = model.port(Attentions).capture(encoded, Context(), answer=[5, 7, 3])
        found = model.port(AttentionModules).queries_and_keys(encoded, Context(), answer=[5, 7, 3])
        assert [(one.kind, one.layer) for one in found] == [
            (kind, layer)
            for kind in ("encoder", "decoder", "cross")
            if kind in stacks
            for layer in range(stacks[kind].layers)
        ]
        assert len(found) >= TINY_LAYERS
        for one in found:
            expected = torch.from_numpy(stacks[one.kind].weights[one.layer])
            assert one.queries.shape[0] == one.keys.shape[0] == one.values.shape[0] == HEADS
            torch.testing.assert_close(one.scores().softmax(-1), expected, atol=2e-5, rtol=0)
            assert float(expected.max() - expected.min()) > 0.005  # otherwise anything agrees


def test_the_values_are_what_the_heads_contribute(checkpoints):
    """Attention times values, of all heads side by side, is what goes into the output."""
    import torch

    for family_id in every_family.IDS:
        for model in checkpoints.models(family_id):
            encoded = model.encode(TEXT)
            modules = model.port(AttentionModules).modules()
            inputs = []

            def keep(_module, given, inputs=inputs):
                inputs.append(given[0])

            handles = [one.output.register_forward_pre_hook(keep) for one in modules]
            with model.port(AttentionModules).captured() as kept, torch.inference_mode():
                model.encoder(**encoded.inputs)
            for handle in handles:
                handle.remove()
            assert len(inputs) == len(kept) >= TINY_LAYERS
            for one, given in zip(kept, inputs, strict=True):
                heads = one.scores().softmax(-1) @ one.values
                together = heads.transpose(0, 1).flatten(1)
                torch.testing.assert_close(together, given[0].float(), atol=1e-4, rtol=1e-4)


def test_only_some_layers_are_kept(checkpoints):
    for family_id in ("bert", "albert", "t5"):
        (model,) = checkpoints.models(family_id)
        encoded = model.encode(TEXT)
        everything = model.port(AttentionModules).queries_and_keys(encoded, Context(), answer=[5])
        some = model.port(AttentionModules).queries_and_keys(
            encoded, Context(), layers={2}, answer=[5]
        )
        assert {one.layer for one in some} == {2}
        for one in some:
            whole = next(o for o in everything if (o.kind, o.layer) == (one.kind, 2))
            assert bool((whole.queries == one.queries).all())


def test_nothing_is_left_behind(checkpoints):
    for family_id in ("bert", "deberta"):
        for model in checkpoints.models(family_id):
            before = _hooks(model.module)
            context = Context(is_cancelled=partial(next, iter([False, False]), True))
            with pytest.raises(Cancelled):
                model.port(AttentionModules).queries_and_keys(model.encode(TEXT), context)
            assert _hooks(model.module) == before
            model.port(AttentionModules).queries_and_keys(model.encode(TEXT), Context())
            assert _hooks(model.module) == before


def _hooks(module):
    methods = ("disentangled_att_bias", "disentangled_attention_bias")
    return [
        (len(m._forward_hooks), len(m._forward_pre_hooks), [n for n in methods if n in vars(m)])
        for m in module.modules()
    ]


@pytest.mark.parametrize(
    ("groups", "inner", "expected"),
    [
        (1, 1, [(0, 1, 2, 3)]),
        (2, 1, [(0, 1), (2, 3)]),
        (1, 2, [(0, 2, 4, 6), (1, 3, 5, 7)]),
        (4, 1, [(0,), (1,), (2,), (3,)]),
    ],
)
def test_layers_that_share_a_module(groups, inner, expected):
    import torch
    from transformers import AlbertConfig, AlbertModel

    config = AlbertConfig(
        vocab_size=30,
        hidden_size=16,
        embedding_size=8,
        intermediate_size=16,
        num_attention_heads=2,
        num_hidden_layers=4,
        num_hidden_groups=groups,
        inner_group_num=inner,
    )
    torch.manual_seed(0)
    module = AlbertModel(config).eval()
    found = find_attentions(module, tiny.families().family("albert").attention_layout(module))
    assert [one.layers for one in found] == expected
    assert heads_of(found, AttentionKind.ENCODER) == (4 * inner, 2)


def test_the_v1_decoder_has_its_own_queries():
    """DeBERTa's mask decoder calls the last layer again with other queries."""
    import torch

    from tests.plugins import deberta_files

    for version in deberta_files.VERSIONS:
        model = tiny.load(deberta_files.REFERENCE / version)
        encoded = model.encode("the [MASK] sat")
        with model.port(AttentionModules).captured() as kept, torch.inference_mode():
            model.port(Predictor).states_of(**encoded.inputs)
        last = [one for one in kept if one.layer == kept[-1].layer]
        assert len(last) == 3
        assert bool((last[0].keys == last[1].keys).all())
        assert not bool((last[0].queries == last[1].queries).all())
        assert not bool((last[1].queries == last[2].queries).all())
