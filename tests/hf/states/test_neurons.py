"""Where feed-forward neurons are, family by family: what goes into the last matrix."""

from collections import defaultdict

import pytest

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    Component,
    Context,
    HeadPlace,
    Neurons,
    Query,
    StatePlace,
    Unavailable,
    UnitKind,
    UserMistake,
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


TEXTS = ("the cat sat on the mat", "a dog sat", "the dog and the cat")


def plain_inputs(model, encoded, layer):
    """What the neurons of a layer are, by the simplest hooks; of shared layers the right call."""
    (stack, *_) = model.ports[ActivationPatching].tapped.neurons
    seen = {tap: [] for tap in stack.rows[layer].taps}
    handles = [
        tap.module.register_forward_pre_hook(lambda _, x, tap=tap: seen[tap].append(x[0].clone()))
        for tap in seen
    ]
    try:
        with torch.inference_mode():
            model.encoder(**encoded.inputs)
    finally:
        for handle in handles:
            handle.remove()
    found = [calls[tap.call] for tap, calls in seen.items()]
    return torch.cat([one.reshape(len(encoded.tokens), -1) for one in found], dim=-1)


def must_give_activations(model):
    port = model.ports[Neurons]
    encoded = [model.encode(text) for text in TEXTS]
    layers = len(port.sizes[UnitKind.NEURON])
    for layer in {0, layers - 1}:
        found = port.activations(encoded, UnitKind.NEURON, layer, Context())
        for one, own in zip(encoded, found, strict=True):
            assert own.shape == (len(one.tokens), port.sizes[UnitKind.NEURON][layer])
            assert torch.allclose(own, plain_inputs(model, one, layer), atol=1e-4)


@pytest.mark.parametrize("family", IDS)
def test_activations_are_what_plain_hooks_see_in_every_family(family, checkpoints):
    for model in checkpoints.models(family):
        if ActivationPatching in model.ports:
            must_give_activations(model)


@pytest.mark.parametrize("kind", ["opt", "llama", "modernbert"])
def test_activations_of_models_without_a_plugin(kind, tmp_path):
    folder, _ = save(tmp_path / kind, {**MASKED, **CAUSAL}[kind])
    must_give_activations(tiny.load(folder))


@pytest.mark.parametrize("name", ["bert", "albert", "mobilebert", "gpt2", "t5"])
def test_a_neuron_switched_off_is_its_column_zeroed(name):
    """In shared layers only one call's, so that the weight is zeroed around that layer's call."""
    model = miniature(f"{name}-miniature")
    port = model.ports[Neurons]
    layer, factor = 1, 0.0
    encoded = model.encode(TEXTS[0])
    (stack, *_) = model.ports[ActivationPatching].tapped.neurons
    tap = stack.rows[layer].taps[-1]
    (active,) = port.activations([encoded], UnitKind.NEURON, layer, Context())
    own_count = active.shape[1] // len(stack.rows[layer].taps)
    number = active.shape[1] - own_count + int(active[:, -own_count:].abs().amax(0).argmax())
    with torch.inference_mode():
        plain = model.encoder(**encoded.inputs)
        with port.scaled(UnitKind.NEURON, layer, number, factor):
            off = model.encoder(**encoded.inputs)
        weight = tap.module.weight
        is_conv = type(tap.module).__name__ == "Conv1D"
        calls = [0]

        def zeroed(module, _inputs):
            own = weight.clone()
            if calls[0] == tap.call:
                rows = own if is_conv else own.T
                rows[number % own_count] = 0
            module.weight = torch.nn.Parameter(own, requires_grad=False)
            calls[0] += 1

        handle = tap.module.register_forward_pre_hook(zeroed)
        try:
            expected = model.encoder(**encoded.inputs)
        finally:
            handle.remove()
            tap.module.weight = weight
    assert torch.allclose(off, expected, atol=1e-5)
    assert not torch.allclose(off, plain, atol=1e-5)


def test_a_layer_doubled_is_half_of_the_way_again():
    """What goes through a linear module moves in proportion."""
    model = miniature("bert-miniature")
    port = model.ports[Neurons]
    encoded = model.encode(TEXTS[0])
    dense = model.module.bert.encoder.layer[2].output.dense
    given = []
    handle = dense.register_forward_hook(lambda _m, _x, y: given.append(y.clone()))
    try:
        with torch.inference_mode():
            for factor in (0.0, 1.0, 2.0):
                with port.scaled(UnitKind.NEURON, 2, 7, factor):
                    model.encoder(**encoded.inputs)
    finally:
        handle.remove()
    off, plain, twice = given
    (activations,) = port.activations([encoded], UnitKind.NEURON, 2, Context())
    share = activations[:, 7, None] * port.written(2, 7)
    assert torch.allclose(plain[0] - off[0], share, atol=1e-5)
    assert torch.allclose(twice[0] - plain[0], share, atol=1e-5)


@pytest.mark.parametrize("name", ["bert", "albert", "gpt2", "t5", "mobilebert"])
def test_what_heads_add_is_what_their_attention_gives(name):
    model = miniature(f"{name}-miniature")
    port = model.ports[Neurons]
    encoded = model.encode(TEXTS[0])
    layer = 1
    heads = port.sizes[UnitKind.HEAD][layer]
    (place,) = port.places[UnitKind.HEAD][layer]
    given = []
    handle = place.module.register_forward_hook(lambda _m, _x, y: given.append(y.clone()))
    try:
        with torch.inference_mode():
            model.encoder(**encoded.inputs)
    finally:
        handle.remove()
    bias = getattr(place.module, "bias", None)
    shares = [port.added(encoded, layer, head, Context()) for head in range(heads)]
    whole = given[place.call][0] - (0 if bias is None else bias)
    assert torch.allclose(sum(shares), whole, atol=1e-4)
    (norms,) = port.activations([encoded], UnitKind.HEAD, layer, Context())
    assert torch.allclose(norms, torch.stack([one.norm(dim=-1) for one in shares], -1), atol=1e-4)
    kind = model.ports[AttentionModules].stacks()[0][0]
    with torch.inference_mode():
        with port.scaled(UnitKind.HEAD, layer, 1, 0.0):
            off = model.encoder(**encoded.inputs)
        with model.ports[AttentionModules].ablated((HeadPlace(kind, layer, 1),)):
            assert torch.allclose(model.encoder(**encoded.inputs), off, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("bert", "encoder.layer.1.intermediate.dense"),
        ("albert", "albert_layers.0.ffn"),
        ("mobilebert", "encoder.layer.1.ffn.0.intermediate.dense"),
        ("gpt2", "h.1.mlp.c_fc"),
    ],
)
def test_what_a_neuron_looks_for_is_its_row_of_the_first_matrix(name, first):
    model = miniature(f"{name}-miniature")
    (module,) = [one for path, one in model.module.named_modules() if path.endswith(first)]
    weight = module.weight.T if name == "gpt2" else module.weight
    found = model.ports[Neurons].read(1, 5)
    assert torch.allclose(found, weight[5].float())


def test_a_gated_part_has_no_single_first_matrix(tmp_path):
    folder, _ = save(tmp_path / "llama", CAUSAL["llama"])
    assert tiny.load(folder).ports[Neurons].read(0, 0) is None


def test_no_such_neuron_is_refused():
    port = miniature("bert-miniature").ports[Neurons]
    for layer, number in ((0, 512), (9, 0), (0, -1)):
        with pytest.raises(UserMistake, match="no neuron or head"):
            port.written(layer, number)
