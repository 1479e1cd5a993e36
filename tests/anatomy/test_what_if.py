"""Changed numbers, against models that transformers makes with those numbers."""

from dataclasses import replace
from pathlib import Path

import pytest

from explorer.anatomy.reading import named_weights
from explorer.anatomy.tree import flat, tree_of
from explorer.anatomy.weights import parameters_of
from explorer.anatomy.what_if import (
    NOTES,
    NOTES_VALUES,
    changed,
    embedding_sum,
    outcome,
    why_not,
)
from explorer.api import Files
from explorer.engine.plugin_host import PluginHost
from explorer.operations.anatomy import reuse_of
from explorer.paths import Paths

BERT = {
    "model_type": "bert",
    "vocab_size": 30522,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
GPT = {
    "model_type": "gpt2",
    "vocab_size": 50257,
    "n_embd": 768,
    "n_layer": 12,
    "n_head": 12,
    "n_positions": 1024,
}
T5 = {
    "model_type": "t5",
    "vocab_size": 32128,
    "d_model": 512,
    "d_kv": 64,
    "d_ff": 2048,
    "num_layers": 6,
    "num_decoder_layers": 6,
    "num_heads": 8,
}
DEBERTA = BERT | {
    "model_type": "deberta-v2",
    "relative_attention": True,
    "position_biased_input": False,
    "max_relative_positions": -1,
    "pos_att_type": "p2c|c2p",
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "type_vocab_size": 0,
}
XLM = {
    "model_type": "xlm",
    "n_words": 1000,
    "emb_dim": 64,
    "n_layers": 3,
    "n_heads": 4,
    "max_position_embeddings": 128,
    "n_langs": 2,
}
SMALLER = {
    "vocabulary": 5000,
    "hidden_size": 384,
    "layers": 5,
    "heads": 8,
    "feed_forward_size": 640,
}
KEYS = {
    "bert": {
        "vocabulary": "vocab_size",
        "hidden_size": "hidden_size",
        "layers": "num_hidden_layers",
        "heads": "num_attention_heads",
        "feed_forward_size": "intermediate_size",
    },
    "gpt2": {
        "vocabulary": "vocab_size",
        "hidden_size": "n_embd",
        "layers": "n_layer",
        "heads": "n_head",
        "feed_forward_size": "n_inner",
    },
    "t5": {
        "vocabulary": "vocab_size",
        "hidden_size": "d_model",
        "layers": "num_layers",
        "heads": "num_heads",
        "feed_forward_size": "d_ff",
    },
}
KEYS["deberta"] = KEYS["bert"]
CASES = {
    "bert": (BERT, ("masked_lm", "next_sentence")),
    "gpt2": (GPT, ("next_token",)),
    "t5": (T5, ("spans",)),
    "deberta": (DEBERTA, ("masked_lm",)),
}


@pytest.fixture(scope="module")
def host():
    return PluginHost(Paths.standard().bundled_plugins, entry_points=False)


def counted(plugin, config, heads):
    files = Files(Path(), "x", config, {}, (), False, (), 0)
    module, full = plugin.skeleton(files, heads)
    blueprint = plugin.blueprint(full, heads)
    tree = tree_of(named_weights(module, plugin.used_again(heads)), reuse_of(blueprint))
    return blueprint, parameters_of(flat(tree))


@pytest.mark.parametrize("family", CASES)
def test_every_slider_is_the_model_with_that_number(host, family):
    plugin = host.family(family)
    config, heads = CASES[family]
    base, _ = counted(plugin, config, heads)
    for name, key in KEYS[family].items():
        value = SMALLER[name]
        other = dict(config) | {key: value}
        if family == "t5" and name == "layers":
            other["num_decoder_layers"] = value
        after = outcome(changed(base, {name: value}), 128, 1)
        _, sums = counted(plugin, other, heads)
        if name == "hidden_size" and family == "gpt2":
            # Its config has no inner width of its own: it follows the hidden state's.
            after = outcome(changed(base, {name: value, "feed_forward_size": 4 * value}), 128, 1)
        assert after.parameters == sums, name


@pytest.mark.parametrize("narrow", [64, 128, 768])
@pytest.mark.parametrize("layers", [1, 12])
def test_factorised_and_shared_is_albert(host, narrow, layers):
    base, _ = counted(host.family("bert"), BERT, ("masked_lm",))
    values = {"embedding_size": narrow, "sharing": "all", "layers": layers}
    after = outcome(replace(changed(base, values), variant="albert"), 128, 1)
    config = BERT | {"model_type": "albert", "embedding_size": narrow}
    config |= {"num_hidden_layers": layers, "num_hidden_groups": 1, "inner_group_num": 1}
    _, sums = counted(host.family("albert"), config, ("masked_lm",))
    assert after.parameters.unique == sums.unique


def test_sharing_a_part_saves_that_part():
    none, attention, feed_forward, every = (
        outcome(changed(NOTES, {"sharing": key}), 128, 1).parameters
        for key in ("none", "attention", "feed_forward", "all")
    )
    width, inner = 768, 3072
    one_attention = 4 * (width * width + width) + 2 * width
    one_feed_forward = 2 * width * inner + inner + width + 2 * width
    assert none.unique - attention.unique == 11 * one_attention
    assert none.unique - feed_forward.unique == 11 * one_feed_forward
    assert none.unique - every.unique == 11 * (one_attention + one_feed_forward)
    assert none.total == attention.total == feed_forward.total == every.total


def test_the_notes_example():
    """30000 x 64 + 64 x 768 = 1,969,152 in the place of 30000 x 768, 23M."""
    assert embedding_sum(NOTES) == ("30,000 x 768", 23_040_000)
    assert embedding_sum(changed(NOTES, NOTES_VALUES)) == (
        "30,000 x 64 + 64 x 768",
        1_969_152,
    )


def test_a_width_that_the_heads_cannot_share():
    assert why_not(NOTES) == ""
    assert "12 heads" in why_not(changed(NOTES, {"hidden_size": 770}))


def test_heads_change_no_parameters_but_the_attentions():
    twelve = outcome(NOTES, 128, 1)
    four = outcome(changed(NOTES, {"heads": 4}), 128, 1)
    assert four.parameters == twelve.parameters
    assert 3 * four.memory["attentions"]["float32"] == twelve.memory["attentions"]["float32"]


def test_xlm_keeps_its_languages(host):
    base, sums = counted(host.family("xlm"), XLM, ("masked_lm",))
    assert outcome(changed(base, {}), 16, 1).parameters == sums
