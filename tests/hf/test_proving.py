"""What a plugin says of attention is tried when a model is loaded, whichever plugin it is.

Real folders of plugins are dropped in: one that tells the truth, and some that do not.
"""

import numpy as np
import pytest

from explorer.api.family import (
    AttentionModules,
    Attentions,
    Context,
    HiddenStates,
    LoadOptions,
    Unavailable,
)
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.conformance import check_plugin
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.attention.query_key.question import QueryKeyRequest
from tests.hf import tiny
from tests.plugins.auto_checkpoints import MASKED, save

CPU = LoadOptions(device="cpu")
PLUGIN = '''"""A family that states its attention."""

from explorer.hf import AttentionLayout, ClassChoice, TransformersFamily

FAMILY = TransformersFamily(
    id="told",
    title="Told",
    model_types=("{kind}",),
    heads_known=(),
    classes=(ClassChoice("{stem}Model", frozenset()),),
    prefix="{kind}",
    optional=("pooler", "lm_head", "cls"),
    attention=AttentionLayout({layout}),
)


def tiny(folder):
    from tests.hf import tiny

    tiny.save_bert(folder)
'''
SWAPPED = 'projections=("key", "query", "value")'
MPNET = 'inside="attn", projections=("q", "k", "v"), output="attn.o"'
BIASED = f'{MPNET}, bias_argument="position_bias"'
TOLD = {
    "as it is": ("bert", "Bert", "", ""),
    "queries and keys swapped": ("bert", "Bert", SWAPPED, "a share is off by"),
    "another scale": ("bert", "Bert", "scale=lambda module, width: 1.0", "a share is off by"),
    "with its positions' bias": ("mpnet", "MPNet", BIASED, ""),
    "without its positions' bias": ("mpnet", "MPNet", MPNET, "a share is off by"),
    "too few layers": ("bert", "Bert", 'layers_key="type_vocab_size"', "looks for 2 layers"),
}


def plugin(folder, kind, stem, layout):
    own = folder / "told"
    own.mkdir(parents=True)
    (own / "plugin.toml").write_text(
        f'id = "told"\ntitle = "Told"\nversion = "1.0"\napi = 1\nmodel_types = ["{kind}"]\n',
        "utf-8",
    )
    (own / "__init__.py").write_text(
        PLUGIN.format(kind=kind, stem=stem, layout=layout), encoding="utf-8"
    )
    return own


def loaded(tmp_path, told):
    kind, stem, layout, _ = TOLD[told]
    plugin(tmp_path / "user", kind, stem, layout)
    host = PluginHost(tmp_path / "none", tmp_path / "user", entry_points=False)
    runner = Runner(host, Catalogue(host, tmp_path / "bundled", tmp_path / "hub"))
    folder = tmp_path / "model"
    if kind == "bert":
        tiny.save_bert(folder, num_hidden_layers=3)
    else:
        folder, _ = save(folder, MASKED[kind])
    card = runner.load("A", str(folder), CPU, Context())
    return runner, card


@pytest.mark.parametrize("told", TOLD)
def test_queries_and_keys_are_told_of_where_they_make_the_attention(tmp_path, told):
    runner, card = loaded(tmp_path, told)
    why = TOLD[told][-1]
    model = runner.models["A"]
    request = QueryKeyRequest("the cat sat on the mat")
    # What transformers gives itself stays, as long as it is told of how many layers.
    assert (Attentions in model.ports) is (told != "too few layers")
    assert (AttentionModules in model.ports) is (HiddenStates in model.ports) is (not why)
    if not why:
        assert "query_key" in card.operations
        assert runner.ask(request, {"model": "A"}, Context()).model == model.stamp
        return
    assert "query_key" not in card.operations
    assert why in str(card.unavailable["query_key"])
    with pytest.raises(Unavailable, match=why):
        runner.ask(request, {"model": "A"}, Context())


def test_it_says_by_how_much_it_is_off(tmp_path):
    """Against the layout that is right: the largest difference of the two softmaxes."""
    import torch

    runner, card = loaded(tmp_path, "queries and keys swapped")
    model = runner.models["A"]
    encoded = model.encode("the cat sat on the mat")
    module = model.module
    with torch.no_grad():
        states = module(**encoded.inputs, output_hidden_states=True).hidden_states
        far = 0.0
        for state, layer in zip(states, module.encoder.layer, strict=False):
            own = layer.attention.self
            heads = module.config.num_attention_heads
            queries, keys = (
                part(state[0]).unflatten(-1, (heads, -1)).transpose(0, 1).double()
                for part in (own.query, own.key)
            )
            scores = queries @ keys.transpose(1, 2) / np.sqrt(queries.shape[-1])
            far = max(
                far, float((scores.softmax(-1) - scores.transpose(1, 2).softmax(-1)).abs().max())
            )
    told = str(card.unavailable["query_key"])
    assert float(told.rstrip(".").rpartition(" ")[2]) == pytest.approx(far, rel=0.06)


def test_the_check_of_plugins_tells_of_it(tmp_path):
    right = plugin(tmp_path / "a", *TOLD["as it is"][:3])
    wrong = plugin(tmp_path / "b", *TOLD["queries and keys swapped"][:3])
    own = Paths.standard().bundled_plugins
    found = {
        folder: [one for one in check_plugin(folder, own, questions=("tokens",)) if one.failed]
        for folder in (right, wrong)
    }
    off = {folder: [one for one in some if "off by" in str(one)] for folder, some in found.items()}
    assert not off[right]
    assert off[wrong]
