"""States of one run put into another, family by family: everything, nothing, and what adds up."""

import pytest

from explorer.api.family import (
    ActivationPatching,
    Cancelled,
    Component,
    Context,
    Direction,
    Predictor,
    Query,
    StatePlace,
    UserMistake,
)
from explorer.hf.predict.fillings import MaskQuery, Reader
from tests.hf import tiny
from tests.hf.every_family import IDS, Checkpoints
from tests.hf.kept import bundled, miniature
from tests.plugins.auto_checkpoints import CAUSAL, MASKED, save

torch = pytest.importorskip("torch")

FLOWER = "I will plant the flower , so I dug the ground . I used a [MASK] ."
HOUSE = "I will build the house , so I dug the ground . I used a [MASK] ."
PREDICTING = bundled(Predictor)
OWN_TEXTS = {
    "bert-korean-miniature": (
        "나는 꽃을 심을 것이다. 그래서 땅을 팠다. 땅을 무엇으로 팠니? [MASK] 팠다.",
        "나는 집을 지을 것이다. 그래서 땅을 팠다. 땅을 무엇으로 팠니? [MASK] 팠다.",
    ),
    "gpt2-prompts-miniature": ("baker -> oven. chef -> [MASK]", "baker -> bread. chef -> [MASK]"),
    "ernie-thu-miniature": (
        "Anna planted the rose with a [MASK] .",
        "Anna baked the pie with a [MASK] .",
    ),
}
"""Of miniatures that know no texts of the world: between others it makes no difference, or the
words, which they know only in pieces, make texts of different lengths.
"""
BESIDE = {"ernie_thu": "1"}
"""The layer behind which states of tokens are not all there is: the first token's entity, which
counts in every text, has read that token where both are mixed, and later layers read it.
"""


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return Checkpoints(tmp_path_factory.mktemp("models"))


def between(model, clean=FLOWER, corrupt=HOUSE, context=None):
    """Runs on the second text into which states of the first are put."""
    into, source = model.encode(corrupt), model.encode(clean)
    (place,) = source.mask_positions
    port = model.port(ActivationPatching)
    return port.between(Query(into, (place,)), Query(source, (place,)), context or Context())


def measure_of(runs):
    """The difference of the two pieces that the texts disagree about most."""
    apart = runs.source - runs.into
    first, second = int(apart.argmax()), int(apart.argmin())
    return lambda rows: rows[..., first] - rows[..., second]


def effects(runs, patches):
    """How much of that difference each patch restores."""
    measure = measure_of(runs)
    corrupt, clean = measure(runs.into), measure(runs.source)
    return ((measure(runs.log_probabilities(patches)) - corrupt) / (clean - corrupt)).tolist()


def every_place(port):
    """Every state there is, as one patch."""
    return tuple(
        StatePlace(one.component, one.kind, row)
        for one in port.stacks()
        for row in range(len(one.rows))
    )


def swapped(model, text="the cat sat on [MASK] ."):
    """Runs on a text one of whose pieces is another, whatever pieces there are."""
    encoded = model.encode(text)
    (place,) = encoded.mask_positions
    *others, first = [n for n, one in enumerate(encoded.tokens) if not one.special and n < place]
    ids = [encoded.tokens[n].id for n in others]
    other = next(one for one in ids if one != encoded.tokens[first].id)
    into = Query(encoded, (place,), {first: other})
    return model.port(ActivationPatching).between(into, Query(encoded, (place,)), Context())


def must_add_up(model, runs):
    port = model.port(ActivationPatching)
    nothing, everything = effects(runs, [(), every_place(port)])
    assert nothing == pytest.approx(0.0, abs=1e-5)
    assert everything == pytest.approx(1.0, abs=1e-5)
    stacks = {(one.component, one.kind): one for one in port.stacks()}
    for (component, kind), stack in stacks.items():
        if component is Component.HEAD:
            # All heads of a layer are what its attention is made of.
            layers = [name.rpartition(".")[0] for name in stack.rows]
            groups = [
                tuple(
                    StatePlace(component, kind, row)
                    for row, own in enumerate(layers)
                    if own == layer
                )
                for layer in dict.fromkeys(layers)
            ]
            attention = stacks[Component.ATTENTION, kind]
            whole = [
                (StatePlace(Component.ATTENTION, kind, row),) for row in range(len(attention.rows))
            ]
            assert effects(runs, groups) == pytest.approx(effects(runs, whole), abs=1e-4)
    if len({kind for _, kind in stacks}) == 1:
        stream = next(one for one in port.stacks() if one.component is Component.RESIDUAL)
        plain = [row for row, name in enumerate(stream.rows) if "decoder" not in name]
        rows = [(StatePlace(stream.component, stream.kind, row),) for row in plain]
        beside = BESIDE.get(model.stamp.family)
        for row, found in zip(plain, effects(runs, rows), strict=True):
            least = 1e-3 if stream.rows[row] == beside else 1e-5
            assert found == pytest.approx(1.0, abs=least), stream.rows[row]


@pytest.mark.parametrize("name", PREDICTING)
def test_everything_restores_all_and_nothing_none_in_a_bundled_model(name):
    model = miniature(name)
    must_add_up(model, between(model, *OWN_TEXTS.get(name, ())))


@pytest.mark.parametrize("family", IDS)
def test_everything_restores_all_in_every_family(family, checkpoints):
    for model in checkpoints.models(family):
        if ActivationPatching not in model.ports:
            assert model.refused[ActivationPatching]
            continue
        must_add_up(model, swapped(model))


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL])
def test_models_without_a_plugin_are_proved(kind, tmp_path):
    folder, _ = save(tmp_path / kind, {**MASKED, **CAUSAL}[kind])
    model = tiny.load(folder)
    components = [one.component for one in model.port(ActivationPatching).stacks()]
    assert Component.RESIDUAL in components
    if kind in {"modernbert", "llama", "mistral", "qwen2", "gpt_neox", "xlm-roberta"}:
        assert {Component.ATTENTION, Component.FEED_FORWARD} <= set(components)
    must_add_up(model, swapped(model))


def plain_row(model, encoded):
    """What the predictor says at the mask."""
    reader = Reader(model, encoded, Context())
    return reader.read([MaskQuery((None,), (0,))])[0][0]


@pytest.mark.parametrize("name", ["bert", "gpt2", "t5", "deberta-v1", "albert"])
def test_runs_without_patches_are_the_models_own_predictions(name):
    model = miniature(f"{name}-miniature")
    runs = between(model)
    assert torch.allclose(runs.into, plain_row(model, model.encode(HOUSE)), atol=1e-4)
    assert torch.allclose(runs.source, plain_row(model, model.encode(FLOWER)), atol=1e-4)


def test_a_patch_is_what_a_plain_hook_does():
    """One state of one layer, put back by three lines of torch."""
    model = miniature("bert-miniature")
    runs = between(model)
    layers = model.module.bert.encoder.layer
    clean, corrupt = model.encode(FLOWER), model.encode(HOUSE)
    (place,) = clean.mask_positions
    with torch.inference_mode():
        states = model.module.bert(**clean.inputs, output_hidden_states=True).hidden_states

        def put(_module, _inputs, output):
            changed = (output[0] if isinstance(output, tuple) else output).clone()
            changed[0, 3] = states[2][0, 3]
            return (changed, *output[1:]) if isinstance(output, tuple) else changed

        handle = layers[1].register_forward_hook(put)
        try:
            expected = model.module(**corrupt.inputs).prediction_logits[0, place].log_softmax(-1)
        finally:
            handle.remove()
    places = [
        (StatePlace(Component.RESIDUAL, "encoder", 2, (3,)),),
        (StatePlace(Component.RESIDUAL, "encoder", 4, (3,)),),
    ]
    own, late = runs.log_probabilities(places)
    assert torch.allclose(own, expected, atol=1e-4)
    # Nothing reads another place's state behind the last layer.
    assert torch.allclose(late, runs.into, atol=1e-4)


def test_patches_of_one_batch_do_not_touch_each_other():
    model = miniature("albert-miniature")
    runs = between(model)
    stacks = model.port(ActivationPatching).stacks()
    patches = [
        (StatePlace(one.component, one.kind, row, (position,)),)
        for one in stacks
        for row in (0, len(one.rows) - 1)
        for position in (2, 3, 7)
    ]
    together = runs.log_probabilities(patches)
    for patch, row in zip(patches, together, strict=True):
        assert torch.allclose(runs.log_probabilities([patch])[0], row, atol=1e-4)


@pytest.mark.parametrize("name", PREDICTING)
def test_first_order_is_the_slope_of_a_small_step(name):
    """Against differences: of the last states, where a step goes straight into the head."""
    model = miniature(name)
    runs = between(model, *OWN_TEXTS.get(name, ()))
    measure = measure_of(runs)
    found = runs.first_order(measure)
    for stack in model.port(ActivationPatching).stacks():
        rows = found[stack.component, stack.kind]
        assert rows.shape == (len(stack.rows), len(runs.tokens(stack.kind)))
        assert rows.isfinite().all()
        assert rows.abs().max() > 0
    heads = [
        one for one in model.port(ActivationPatching).stacks() if one.component is Component.HEAD
    ]
    for one in heads:
        # The projection behind the heads is linear: their sum is the attention's.
        attention = found[Component.ATTENTION, one.kind]
        shape = (len(attention), -1, attention.shape[1])
        summed = found[Component.HEAD, one.kind].reshape(shape).sum(1)
        assert torch.allclose(summed, attention, atol=1e-3)


def test_first_order_agrees_with_numbers():
    """gradient x difference against the measure a hundredth of the way along."""
    model = miniature("bert-miniature")
    runs = between(model)
    measure = measure_of(runs)
    found = runs.first_order(measure)[Component.RESIDUAL, "encoder"]
    clean, corrupt = model.encode(FLOWER), model.encode(HOUSE)
    (place,) = clean.mask_positions
    with torch.inference_mode():
        one = model.module.bert(**clean.inputs, output_hidden_states=True).hidden_states
        two = model.module.bert(**corrupt.inputs, output_hidden_states=True).hidden_states
        step = 0.001
        for row, position in ((1, 3), (2, 3), (3, place)):

            def along(_module, _inputs, output, row=row, position=position):
                states = (output[0] if isinstance(output, tuple) else output).clone()
                states[0, position] += step * (one[row] - two[row])[0, position]
                return (states, *output[1:]) if isinstance(output, tuple) else states

            layer = model.module.bert.encoder.layer[row - 1]
            handle = layer.register_forward_hook(along)
            try:
                logits = model.module(**corrupt.inputs).prediction_logits[0, place].log_softmax(-1)
            finally:
                handle.remove()
            slope = float(measure(logits) - measure(runs.into)) / step
            assert slope == pytest.approx(float(found[row, position]), rel=0.03, abs=0.02)


def test_texts_of_different_lengths_are_refused():
    model = miniature("bert-miniature")
    with pytest.raises(UserMistake, match="One text is"):
        between(model, FLOWER, "I used a [MASK] .")


def test_patching_stops_when_it_is_cancelled():
    model = miniature("bert-miniature")
    asked = 0

    def is_cancelled():
        nonlocal asked
        asked += 1
        return asked > 12

    runs = between(model, context=Context(is_cancelled=is_cancelled))
    stream = model.port(ActivationPatching).stacks()[0]
    patches = [(StatePlace(stream.component, stream.kind, 1, (p,)),) for p in range(8)]
    with pytest.raises(Cancelled):
        [runs.log_probabilities(patches) for _ in range(20)]


def test_a_causal_model_is_run_up_to_the_asked_place():
    model = miniature("gpt2-miniature")
    runs = between(model)
    assert model.port(Predictor).direction is Direction.CAUSAL
    (place,) = model.encode(FLOWER).mask_positions
    assert len(runs.tokens("decoder")) == place
