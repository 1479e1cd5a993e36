"""What a plugin says of attention is tried when a model is loaded, whichever plugin it is.

Real folders of plugins are dropped in: one that tells the truth, and some that do not.
"""

import numpy as np
import pytest

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    Attentions,
    Component,
    Context,
    HiddenStates,
    LayerTrace,
    LoadOptions,
    Neurons,
    Predictor,
    Unavailable,
    UnitKind,
    Weights,
)
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.conformance import check_plugin
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.architecture.architecture.question import ArchitectureRequest
from explorer.questions.attention.query_key.question import QueryKeyRequest
from explorer.questions.cause.patching.question import PatchingRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
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
        f'id = "told"\ntitle = "Told"\nversion = "1.0"\napi = 2\nmodel_types = ["{kind}"]\n',
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
    assert (AttentionModules in model.ports) is (LayerTrace in model.ports) is (not why)
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


WRONG = '''"""BERT, of which its plugin says something wrong."""

from dataclasses import replace

from explorer.api.family import Role
from explorer.hf import (
    BERT_ATTENTION,
    BERT_MASKED_LM,
    BERT_NAMES,
    BERT_STREAM,
    ClassChoice,
    TransformersFamily,
)


class Told(TransformersFamily):
{body}


FAMILY = Told(
    id="told",
    title="Told",
    model_types=("bert",),
    heads_known=(BERT_MASKED_LM,),
    classes=(ClassChoice("BertForMaskedLM", frozenset({{"masked_lm"}})),),
    prefix="bert",
    masked_lm_path="cls.predictions",
    optional=("pooler", "cls.seq_relationship"),
    attention=replace(BERT_ATTENTION, {attention}),
    streams=(replace(BERT_STREAM, {stream}),),
    roles=({roles}*BERT_NAMES,),
)


def tiny(folder):
    from tests.hf import tiny

    tiny.save_bert(folder)
'''
BLUEPRINT = """
    def blueprint(self, config, heads=()):
        return replace(super().blueprint(config, heads), {wrong})
"""
HEAD = """
    def masked_lm_head(self, module):
        return lambda hidden: module.cls.predictions(hidden) * 1.01
"""
QUERY = '("attention.self.query", Role.ATTENTION_OUTPUT), '
NO_SUM = "is added nowhere: the nearest sum is off by"
FALSE = {
    "layers": ({"body": BLUEPRINT.format(wrong="layers=99")}, Weights, "says 99 for layers"),
    "token types": (
        {"body": BLUEPRINT.format(wrong="token_types=7")},
        Weights,
        "says 7 for token_types, and the model has 2",
    ),
    "before": (
        {"body": BLUEPRINT.format(wrong="causal=True")},
        Weights,
        "says 1 for causal, and the model has 0",
    ),
    "role": ({"roles": QUERY}, Weights, "is “Attention: output”, and it is “Attention: query”"),
    "values": (
        {"attention": 'projections=("query", "key", "query")'},
        AttentionModules,
        "not their attention times the values",
    ),
    "head": ({"body": HEAD}, Predictor, "A probability is off by"),
    "layer": (
        {"stream": 'layers="encoder.layer.*.attention"'},
        ActivationPatching,
        "What its plugin says leaves row 0 is off by",
    ),
    "feed-forward": (
        {"stream": 'feed_forward=("encoder.layer.*.attention.output.dense",)'},
        None,
        NO_SUM,
    ),
    "all of the layer": ({"stream": 'feed_forward=("encoder.layer.*.output",)'}, None, NO_SUM),
    "before it narrows": (
        {"stream": 'feed_forward=("encoder.layer.*.intermediate",)'},
        None,
        NO_SUM,
    ),
    "neurons": ({"stream": 'neurons=("encoder.layer.*.intermediate.dense",)'}, None, ""),
    "right": ({}, None, ""),
}


def false_plugin(folder, what):
    own = plugin(folder, "bert", "Bert", "")
    told = {"body": "    pass", "attention": "", "stream": "", "roles": "", **FALSE[what][0]}
    (own / "__init__.py").write_text(WRONG.format(**told), encoding="utf-8")
    return own


@pytest.mark.parametrize("what", FALSE)
def test_what_is_not_so_is_refused_with_the_number_and_the_rest_answers(tmp_path, what):
    false_plugin(tmp_path / "user", what)
    host = PluginHost(tmp_path / "none", tmp_path / "user", entry_points=False)
    runner = Runner(host, Catalogue(host, tmp_path / "bundled", tmp_path / "hub"))
    folder = tiny.save_bert(tmp_path / "model")
    runner.load("A", str(folder), CPU, Context())
    model = runner.models["A"]
    _, port, why = FALSE[what]
    every = {Weights, AttentionModules, Predictor, ActivationPatching, HiddenStates, Attentions}
    # A head that does not predict as the class does reads no layers either.
    lost = {Predictor: {Predictor, ActivationPatching}}.get(port, {port} - {None})
    assert every - model.ports.keys() == lost
    if port is not None:
        assert why in str(model.refused[port])
    components = (
        {one.component for one in model.ports[ActivationPatching].stacks()} if not port else ()
    )
    text = "the cat [MASK] on the mat"
    request = PatchingRequest(text, swap=("cat=dog",), component="feed_forward")
    if why == NO_SUM:
        assert components == {Component.RESIDUAL}
        with pytest.raises(Unavailable, match=f"only the residual stream .* {NO_SUM}"):
            runner.ask(request, {"model": "A"}, Context())
    elif not why:
        assert Component.FEED_FORWARD in components
    if port is Weights:
        with pytest.raises(Unavailable, match="Its plugin"):
            runner.ask(ArchitectureRequest(), {"model": "A"}, Context())
    if port is not Predictor:
        assert runner.ask(MaskedTokensRequest(text), {"model": "A"}, Context()).masks


@pytest.mark.parametrize("what", ["neurons", "right"])
def test_neurons_that_feed_something_else_are_offered_no_longer(tmp_path, what):
    false_plugin(tmp_path / "user", what)
    host = PluginHost(tmp_path / "none", tmp_path / "user", entry_points=False)
    runner = Runner(host, Catalogue(host, tmp_path / "bundled", tmp_path / "hub"))
    runner.load("A", str(tiny.save_bert(tmp_path / "model")), CPU, Context())
    sizes = runner.models["A"].ports[Neurons].sizes
    assert UnitKind.HEAD in sizes
    assert (UnitKind.NEURON in sizes) == (what == "right")


def test_one_run_of_its_layers_and_one_of_a_prediction_prove_a_model(tmp_path):
    """What loading takes more than before: two short runs of the layers, whatever is claimed."""
    from explorer.hf.proving.gate import keep_proved

    model = tiny.load(tiny.save_bert(tmp_path / "model"))
    runs = []
    layer = model.module.bert.encoder.layer[0]
    layer.register_forward_hook(lambda *_: runs.append(1))
    found = keep_proved(model)
    assert len(found) >= 9
    assert not any(one.margin.wrong for one in found)
    assert len(runs) == 2


def test_the_check_of_plugins_tells_of_it(tmp_path):
    right = plugin(tmp_path / "a", *TOLD["as it is"][:3])
    wrong = plugin(tmp_path / "b", *TOLD["queries and keys swapped"][:3])
    own = Paths.standard().bundled_plugins
    check = "queries and keys make its attention"
    found = {
        folder: [
            one for one in check_plugin(folder, own, questions=("tokens",)) if one.check == check
        ]
        for folder in (right, wrong)
    }
    assert [(one.failed, one.message[:6]) for one in found[right]] == [(False, "off by")]
    assert [one.failed for one in found[wrong]] == [True]
    assert "a share is off by" in found[wrong][0].message
