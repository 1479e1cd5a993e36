"""Work and memory, counted without numbers, against models that run with them."""

import pytest
import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

from explorer.api.family import Files
from explorer.architecture.cost import memory_of, work_of
from explorer.architecture.named_weights import named_weights
from explorer.architecture.opening import reuse_of
from explorer.architecture.tree import flat, tree_of
from explorer.architecture.weights import parameters_of
from explorer.engine.plugins.host import PluginHost
from explorer.hf.family.counting import count_pass, without_numbers
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
XLM = {"vocab_size": 40, "emb_dim": 16, "n_layers": 3, "n_heads": 4, "n_langs": 2}
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
    "xlm": ("xlm", "XLMWithLMHeadModel", XLM, ("masked_lm",)),
    "xlm-causal": ("xlm", "XLMWithLMHeadModel", XLM | {"causal": True}, ("masked_lm",)),
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
    blueprint = plugin.blueprint(config.to_dict(), heads)
    named = tuple(named_weights(module, plugin.role_of))
    counted = count_pass(plugin.run_once, without_numbers(module), LENGTH)
    return module, blueprint, named, counted


def memory(case, length=LENGTH, batch=1):
    _, blueprint, named, counted = case
    parameters = parameters_of(flat(tree_of(named, reuse_of(blueprint))))
    return memory_of(parameters, blueprint, length, batch, counted.results)


def inputs_of(module):
    ids = torch.randint(5, 30, (1, LENGTH), generator=torch.Generator().manual_seed(0))
    inputs = {"input_ids": ids}
    if module.config.is_encoder_decoder:
        inputs["decoder_input_ids"] = ids
    if module.config.model_type == "xlm":
        inputs["langs"] = torch.zeros_like(ids)
    return inputs


def test_the_work_is_what_torch_does(case):
    module, _, named, counted = case
    with FlopCounterMode(display=False) as counter:
        module(**inputs_of(module))
    done = counter.get_total_flops() // 2
    assert sum(counted.multiply_adds.values()) == done
    told = sum(work.multiply_adds for work in work_of(named, counted)) * LENGTH
    assert abs(told - done) <= LENGTH * 6
    assert all(one.device.type == "cpu" for one in module.parameters())


@pytest.mark.parametrize("length", [12, 128])
def test_the_work_is_what_paper_and_pencil_give(host, length):
    """A BERT's and a GPT's, by hand: n tokens, width H, inner width F, V pieces, L layers."""
    width, inner, pieces, layers = 16, 24, 40, 3
    layer = length * (4 * width * width + 2 * width * inner) + 2 * length * length * width
    head = length * (width * width + width * pieces)
    assert _whole(host, "bert", BERT, ("masked_lm",), length) == layers * layer + head
    layer = length * (4 * width * width + 8 * width * width) + 2 * length * length * width
    both = layers * layer + length * width * pieces
    assert _whole(host, "gpt2", GPT, ("next_token",), length) == both


def _whole(host, family, config, heads, length):
    plugin = host.family(family)
    module, _ = plugin.skeleton(_files(config), heads)
    return sum(count_pass(plugin.run_once, module, length).multiply_adds.values())


def _files(config):
    from pathlib import Path

    return Files(Path(), "x", config, {}, (), False, (), 0)


@pytest.mark.parametrize("length", [12, 600])
def test_debertas_mask_decoder_is_two_layers_more(host, length):
    """The encoder's layers, then the last of them twice, its distances and all."""
    config = DEBERTA | {
        "model_type": "deberta-v2",
        "position_buckets": 8,
        "pos_att_type": "c2p|p2c",
    }
    config |= {"share_att_key": True, "norm_rel_ebd": "layer_norm"}
    plain, decoded = (
        _whole(host, "deberta", config, heads, length) for heads in ((), ("masked_lm",))
    )
    width, pieces = 16, 40
    assert decoded - plain == 2 * plain // 3 + length * (width * width + width * pieces)


def test_the_results_are_what_the_modules_give(case):
    module = case[0]
    leaves = (torch.nn.Linear, torch.nn.Embedding, torch.nn.LayerNorm)
    given: list[int] = []

    def hook(inner, arguments, output):
        name = type(inner).__name__
        if isinstance(inner, leaves) or "Norm" in name or name == "Conv1D":
            given.append(output.numel())

    for inner in module.modules():
        inner.register_forward_hook(hook)
    with torch.no_grad():
        output = module(**inputs_of(module))
    if module.config.model_type == "mobilebert":
        # It multiplies with its output matrix without calling the module that holds it.
        given.append(output.logits.numel())
    assert memory(case)["activations"]["int8"] == sum(given)


def test_attentions_are_the_arrays_a_model_returns(case):
    module = case[0]
    with torch.no_grad():
        output = module(**inputs_of(module), output_attentions=True, output_hidden_states=True)
    arrays = [
        array
        for name in ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions")
        for array in getattr(output, name, None) or ()
    ]
    assert memory(case)["attentions"]["float32"] == sum(array.numel() * 4 for array in arrays)
    states = [
        array
        for name in ("hidden_states", "encoder_hidden_states", "decoder_hidden_states")
        for array in getattr(output, name, None) or ()
    ]
    assert memory(case)["hidden_states"]["float16"] == sum(array.numel() * 2 for array in states)


def test_memory_grows_as_it_does(case):
    one, two = (memory(case, n, b) for n, b in ((10, 1), (20, 3)))
    assert two["attentions"]["int8"] == 12 * one["attentions"]["int8"]
    assert two["hidden_states"]["int8"] == 6 * one["hidden_states"]["int8"]
    assert two["activations"]["int8"] == 3 * one["activations"]["int8"]
    assert two["weights"] == one["weights"]
    assert one["weights"]["float32"] == 4 * one["weights"]["int8"]
