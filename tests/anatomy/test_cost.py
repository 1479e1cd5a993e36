"""Work and memory, against what torch counts while a model runs."""

import pytest
import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

from explorer.anatomy.cost import memory_of, work_of
from explorer.anatomy.formulas import weights_of
from explorer.anatomy.reading import named_weights
from explorer.anatomy.tree import flat, tree_of
from explorer.engine.plugin_host import PluginHost
from explorer.operations.anatomy import reuse_of
from explorer.paths import Paths

LENGTH = 12
BERT = {
    "vocab_size": 40,
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "max_position_embeddings": 32,
}
GPT = {
    "vocab_size": 40,
    "n_embd": 16,
    "n_layer": 3,
    "n_head": 4,
    "n_positions": 32,
    "bos_token_id": 0,
    "eos_token_id": 0,
}
T5 = {
    "vocab_size": 40,
    "d_model": 16,
    "d_kv": 5,
    "d_ff": 24,
    "num_layers": 2,
    "num_decoder_layers": 3,
    "num_heads": 4,
}
DEBERTA = BERT | {
    "relative_attention": True,
    "pos_att_type": ["c2p", "p2c"],
    "position_biased_input": False,
    "type_vocab_size": 0,
    "max_relative_positions": -1,
}
MOBILE = BERT | {
    "embedding_size": 8,
    "intra_bottleneck_size": 8,
    "num_feedforward_networks": 3,
    "true_hidden_size": 8,
}
MODELS = {
    "bert": ("bert", "BertForMaskedLM", BERT, ("masked_lm",)),
    "albert": ("albert", "AlbertForMaskedLM", BERT | {"embedding_size": 8}, ("masked_lm",)),
    "electra": ("electra", "ElectraForMaskedLM", BERT | {"embedding_size": 8}, ("masked_lm",)),
    "gpt2": ("gpt2", "GPT2LMHeadModel", GPT, ("next_token",)),
    "gpt1": ("gpt1", "OpenAIGPTLMHeadModel", GPT, ("next_token",)),
    "t5": ("t5", "T5ForConditionalGeneration", T5, ("spans",)),
    "t5-gated": (
        "t5",
        "T5ForConditionalGeneration",
        T5 | {"feed_forward_proj": "gated-gelu"},
        ("spans",),
    ),
    "mobilebert": ("mobilebert", "MobileBertForMaskedLM", MOBILE, ("masked_lm",)),
    "deberta-v1": ("deberta", "DebertaModel", DEBERTA, ()),
    "deberta-v3": (
        "deberta",
        "DebertaV2Model",
        DEBERTA | {"position_buckets": 8, "share_att_key": True, "norm_rel_ebd": "layer_norm"},
        (),
    ),
}


@pytest.fixture(scope="module")
def host():
    return PluginHost(Paths.standard().bundled_plugins, entry_points=False)


@pytest.fixture(params=MODELS, ids=list(MODELS))
def case(request, host):
    family, model_class, values, heads = MODELS[request.param]
    plugin = host.family(family)
    made = getattr(transformers, model_class)
    config = made.config_class(**values)
    torch.manual_seed(0)
    module = made._from_config(config, attn_implementation="eager").eval()
    full = config.to_dict()
    blueprint = plugin.blueprint(full, heads)
    weights = flat(tree_of(named_weights(module), reuse_of(blueprint)))
    return module, blueprint, weights


def inputs_of(module):
    ids = torch.randint(5, 30, (1, LENGTH), generator=torch.Generator().manual_seed(0))
    inputs = {"input_ids": ids}
    if module.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = ids
    return inputs


def test_the_work_is_what_torch_does(case):
    module, blueprint, weights = case
    for parameter in module.parameters():
        parameter.requires_grad_(requires_grad=True)
    with FlopCounterMode(display=False) as counter:
        module(**inputs_of(module))
    done = counter.get_total_flops() // 2
    told = sum(work.multiply_adds for work in work_of(weights, blueprint, LENGTH)) * LENGTH
    # What DeBERTa does once a text is divided by the length and rounded down, in every layer.
    rounding = blueprint.layers * LENGTH if blueprint.layout == "deberta" else 0
    assert 0 <= done - told <= rounding


def test_the_results_are_what_the_modules_give(case):
    module, blueprint, weights = case
    leaves = (torch.nn.Linear, torch.nn.Embedding, torch.nn.LayerNorm)
    given: list[int] = []

    def hook(inner, arguments, output):
        name = type(inner).__name__
        known = isinstance(inner, leaves) or "Norm" in name or name == "Conv1D"
        # Of each layer, what is made of the tokens: distances and biases of positions are not.
        # T5 gives a number for every pair of tokens, which belongs to no token.
        if known and LENGTH in output.shape[:2] and output.shape[:2] != (LENGTH, LENGTH):
            given.append(output.numel())

    for inner in module.modules():
        inner.register_forward_hook(hook)
    with torch.no_grad():
        module(**inputs_of(module))
    memory = memory_of(weights, blueprint, LENGTH, 1)
    if blueprint.layout == "deberta":
        # Its table of distances gives rows that are no tokens', and as many as fit by chance.
        assert memory["activations"]["int8"] <= sum(given)
    elif blueprint.layout != "mobilebert":
        # MobileBERT multiplies with its output matrix without calling the module that holds it.
        assert memory["activations"]["int8"] == sum(given)


def test_attentions_are_the_arrays_a_model_returns(case):
    module, blueprint, weights = case
    with torch.no_grad():
        output = module(**inputs_of(module), output_attentions=True, output_hidden_states=True)
    arrays = [
        array
        for name in ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions")
        for array in getattr(output, name, None) or ()
    ]
    memory = memory_of(weights, blueprint, LENGTH, 1)
    assert memory["attentions"]["float32"] == sum(array.numel() * 4 for array in arrays)
    states = [
        array
        for name in ("hidden_states", "encoder_hidden_states", "decoder_hidden_states")
        for array in getattr(output, name, None) or ()
    ]
    assert memory["hidden_states"]["float16"] == sum(array.numel() * 2 for array in states)


def test_memory_grows_as_it_does(host):
    blueprint = host.family("bert").blueprint(BERT, ("masked_lm",))
    weights = weights_of(blueprint)
    one, two = (memory_of(weights, blueprint, n, b) for n, b in ((10, 1), (20, 3)))
    assert two["attentions"]["int8"] == 12 * one["attentions"]["int8"]
    assert two["hidden_states"]["int8"] == 6 * one["hidden_states"]["int8"]
    assert two["weights"] == one["weights"]
    assert one["weights"]["float32"] == 4 * one["weights"]["int8"]
