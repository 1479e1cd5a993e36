"""Every published size, against transformers' own count on the meta device."""

from pathlib import Path

import pytest

from explorer.api.family import Files, Role
from explorer.architecture.named_weights import named_weights
from explorer.architecture.opening import reuse_of
from explorer.architecture.tree import flat, tree_of
from explorer.architecture.weights import parameters_of
from explorer.engine.plugins.host import PluginHost
from explorer.engine.plugins.manifest import read_manifest

PLUGINS = Path(__file__).parents[4] / "plugins"
GPT3 = {
    "model_type": "gpt3",
    "n_layer": 96,
    "n_embd": 12288,
    "n_head": 96,
    "n_positions": 2048,
    "vocab_size": 50257,
}
SIZES = [
    (one.id, manifest.id, one.config, one.heads)
    for folder in sorted(PLUGINS.iterdir())
    if (folder / "plugin.toml").is_file()
    for manifest in [read_manifest(folder / "plugin.toml")]
    for one in manifest.published
] + [("gpt3-175b", "gpt3", GPT3, ("next_token",))]


@pytest.fixture(scope="module")
def host():
    return PluginHost(PLUGINS, entry_points=False)


def independent_count(module) -> int:
    """Each tensor once, however many names it has."""
    return sum({id(p): p.numel() for p in module.parameters(recurse=True)}.values())


@pytest.mark.parametrize(("name", "family", "config", "heads"), SIZES, ids=[s[0] for s in SIZES])
def test_the_count_is_transformers(host, name, family, config, heads):
    plugin = host.family(family)
    module, full = plugin.skeleton(Files(Path(), name, config, {}, (), False, (), 0), heads)
    blueprint = plugin.blueprint(full, heads)
    named = tuple(named_weights(module, plugin.role_of, plugin.used_again(heads)))
    counted = parameters_of(flat(tree_of(named, reuse_of(blueprint))))
    assert [one.name for one in named if one.role is Role.OTHER] == []
    assert all(parameter.is_meta for parameter in module.parameters())
    assert counted.unique == independent_count(module)
    assert counted.unique == counted.embedding + counted.backbone + counted.head


@pytest.mark.parametrize(
    ("model_class", "values", "count"),
    [
        (
            "BertForPreTraining",
            {"num_hidden_layers": 24, "hidden_size": 1024, "num_attention_heads": 16}
            | {"intermediate_size": 4096},
            336_226_108,
        ),
        ("AlbertForMaskedLM", {}, 206_368_944),  # the class's defaults are xxlarge's
        ("ElectraForPreTraining", {}, 13_549_057),  # the class's defaults are small's
        (
            "GPT2LMHeadModel",
            {"n_layer": 96, "n_embd": 12288, "n_head": 96, "n_positions": 2048},
            174_604_259_328,
        ),
    ],
)
def test_known_totals(model_class, values, count):
    """The numbers above are what the literature's largest and smallest come to by hand."""
    import torch
    import transformers

    made = getattr(transformers, model_class)
    with torch.device("meta"):
        module = made(made.config_class(**values))
    assert independent_count(module) == count
    named = named_weights(module, lambda _name: Role.OTHER)
    assert parameters_of(flat(tree_of(named))).unique == count


def test_deberta_1_5b_is_its_encoder_and_what_the_authors_put_on_top():
    """transformers' encoder, the mask decoder's positions, and a head with a bias a piece."""
    import torch
    from transformers import DebertaV2Config, DebertaV2Model

    config = next(c for name, _, c, _ in SIZES if name == "microsoft/deberta-v2-xxlarge")
    with torch.device("meta"):
        encoder = DebertaV2Model(DebertaV2Config(**config))
    width, pieces = 1536, 128_100
    positions = 512 * width
    head = width * width + width + 2 * width + pieces
    assert independent_count(encoder) + positions + head == 1_567_828_068
