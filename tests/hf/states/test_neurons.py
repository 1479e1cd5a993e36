"""Where feed-forward neurons are, family by family: what goes into the last matrix."""

from collections import defaultdict

import pytest

from explorer.api.family import (
    ActivationPatching,
    Component,
    Context,
    Query,
    StatePlace,
    Unavailable,
)
from tests.hf import tiny
from tests.hf.every_family import IDS, Checkpoints
from tests.hf.kept import miniature
from tests.plugins.auto_checkpoints import CAUSAL, MASKED, save

torch = pytest.importorskip("torch")

LAST = {
    "distilbert": "transformer.layer.*.ffn.lin2",
    "xlm": "ffns.*.lin2",
    "gpt1": "h.*.mlp.c_proj",
    "gpt2": "h.*.mlp.c_proj",
    "albert": "albert_layer_groups.*.albert_layers.*.ffn_output",
    "mobilebert": "output.dense",
    "t5": "block.*.layer.*.DenseReluDense.wo",
}
"""The modules whose inputs neurons are; of all other families BERT's."""
OWN = {
    "modernbert": "layers.*.mlp.Wo",
    "llama": "layers.*.mlp.down_proj",
    "mistral": "layers.*.mlp.down_proj",
    "qwen2": "layers.*.mlp.down_proj",
    "gpt_neox": "layers.*.mlp.dense_4h_to_h",
    "opt": "layers.*.fc2",
}
"""Of models without a plugin; of all others BERT's."""
BERTS = "encoder.layer.*.output.dense"


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return Checkpoints(tmp_path_factory.mktemp("models"))


def path_of(model, module):
    """A module's path with stars for numbers."""
    (path,) = [path for path, one in model.module.named_modules() if one is module]
    return ".".join("*" if one.isdigit() else one for one in path.split("."))


def run(model):
    """Read a text once, both stacks of a model that has two."""
    encoded = model.encode("the cat sat on the mat")
    more = {}
    if getattr(model.module.config, "is_encoder_decoder", False):
        more["decoder_input_ids"] = encoded.inputs["input_ids"][:, :3]
    with torch.inference_mode():
        (model.module if more else model.encoder)(**encoded.inputs, **more)


def times_weight(module, given):
    """Input times weight plus bias, as each kind of linear module keeps them."""
    weight = module.weight if type(module).__name__ == "Conv1D" else module.weight.T
    bias = getattr(module, "bias", None)
    return given @ weight + (0 if bias is None else bias)


def must_make_the_feed_forward_part(model, end):
    tapped = model.ports[ActivationPatching].tapped
    given, gave = defaultdict(list), defaultdict(list)
    parts = {s.kind: s for s in tapped.stacks if s.component is Component.FEED_FORWARD}
    handles = []
    for stack in tapped.neurons:
        assert stack.component is Component.NEURON
        for module in {tap.module for row in stack.rows for tap in row.taps}:
            assert path_of(model, module).endswith(end)
            handle = module.register_forward_pre_hook(lambda m, x: given[m].append(x[0].clone()))
            handles.append(handle)
    for stack in parts.values():
        for module in {tap.module for row in stack.rows for tap in row.taps}:
            handle = module.register_forward_hook(lambda m, _, y: gave[m].append(y.clone()))
            handles.append(handle)
    try:
        run(model)
    finally:
        for handle in handles:
            handle.remove()
    assert tapped.neurons
    compared = 0
    for stack in tapped.neurons:
        part = parts.get(stack.kind)
        for number, row in enumerate(stack.rows):
            assert tapped.row(Component.NEURON, stack.kind.value, number) == row
            for place, tap in enumerate(row.taps):
                assert tap.is_input
                if tap.call >= len(given[tap.module]):
                    assert "decoder " in row.name  # a pass that only a prediction makes
                    continue
                assert given[tap.module][tap.call].shape[-1] > 0
                if part is None:
                    continue
                added = part.rows[number].taps[place]
                with torch.inference_mode():
                    made = times_weight(tap.module, given[tap.module][tap.call])
                whole = gave[added.module][added.call].reshape(made.shape)
                assert torch.allclose(made, whole, atol=1e-4), row.name
                compared += 1
    assert compared or not parts


@pytest.mark.parametrize("family", IDS)
def test_neurons_make_the_feed_forward_part_in_every_family(family, checkpoints):
    found = [one for one in checkpoints.models(family) if ActivationPatching in one.ports]
    assert found
    for model in found:
        must_make_the_feed_forward_part(model, LAST.get(family, BERTS))


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL])
def test_neurons_of_models_without_a_plugin_are_found(kind, tmp_path):
    folder, _ = save(tmp_path / kind, {**MASKED, **CAUSAL}[kind])
    must_make_the_feed_forward_part(tiny.load(folder), OWN.get(kind, BERTS))


@pytest.mark.parametrize(
    ("name", "networks"),
    [("bert", 1), ("albert", 1), ("mobilebert", 4), ("gpt2", 1), ("ernie-thu", 1)],
)
def test_rows_are_layers_and_taps_networks(name, networks):
    model = miniature(f"{name}-miniature")
    config = model.module.config
    (stack,) = model.ports[ActivationPatching].tapped.neurons
    plain = [row for row in stack.rows if row.name.isdigit()]
    assert len(plain) == config.num_hidden_layers
    width = getattr(config, "intermediate_size", None) or 4 * config.hidden_size
    for row in stack.rows:
        assert len(row.taps) == networks
        for tap in row.taps:
            shape = tap.module.weight.shape
            assert (shape[0] if type(tap.module).__name__ == "Conv1D" else shape[1]) == width


def test_calls_of_a_shared_layer_are_its_layers():
    (stack,) = miniature("albert-miniature").ports[ActivationPatching].tapped.neurons
    assert len({tap.module for row in stack.rows for tap in row.taps}) == 1
    assert [row.taps[0].call for row in stack.rows] == list(range(len(stack.rows)))


def test_neurons_are_not_put_back():
    model = miniature("bert-miniature")
    port = model.ports[ActivationPatching]
    assert Component.NEURON not in {one.component for one in port.stacks()}
    encoded = model.encode("I used a [MASK] .")
    (place,) = encoded.mask_positions
    runs = port.between(Query(encoded, (place,)), Query(encoded, (place,)), Context())
    with pytest.raises(Unavailable, match="no such states"):
        runs.log_probabilities([(StatePlace(Component.NEURON, "encoder", 0),)])
