"""A recorded pass against hooks of the test's own, transformers' attention and its predictions."""

import importlib

import numpy as np
import pytest

from explorer.api.family import (
    Attentions,
    Context,
    Discriminator,
    LayerReadout,
    Predictor,
    Query,
    StepKind,
    StepwisePass,
)
from tests.hf import tiny
from tests.hf.every_family import IDS, Checkpoints
from tests.hf.kept import bundled, miniature
from tests.plugins.auto_checkpoints import CAUSAL, MASKED, save

torch = pytest.importorskip("torch")

TEXT = "The chef cooked the meal in the [MASK] and the waiter served it ."
PREDICTING = bundled(Predictor)
UNKNOWN = {"convbert", "longformer"}
"""Kinds whose attention nobody describes."""
CLOSE = 1e-5
"""How far numbers may be apart, as a share of the largest of them or of one."""
ENTITIES = "ernie-thu-miniature"
"""Its layers are given a vector of an entity, which no module makes of the token."""


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return Checkpoints(tmp_path_factory.mktemp("models"))


def must_agree(found, own):
    own = np.asarray(own)
    most = max(1.0, float(np.abs(own).max(initial=0.0)))
    np.testing.assert_allclose(found, own, rtol=0, atol=CLOSE * most)


def recorded(model, text=TEXT, head=1):
    encoded = model.encode(text)
    place = encoded.mask_positions[0]
    return (
        model.port(StepwisePass).record(Query(encoded, (place,)), head, Context()),
        encoded,
        place,
    )


def heard(model, run):
    """What every module gave in a run, by its path and call, and what it was given."""
    given, handles = {}, []

    def listen(path):
        def hook(_module, args, output):
            calls = given.setdefault(path, [])
            put_in = args[0] if args and hasattr(args[0], "shape") else None
            calls.append((put_in, output))

        return hook

    for path, module in model.module.named_modules():
        handles.append(module.register_forward_hook(listen(path)))
    try:
        with torch.inference_mode():
            found = run()
    finally:
        for handle in handles:
            handle.remove()
    return given, found


def at_place(tensor, place, tokens):
    """Its own row, whichever way round a module has it."""
    tensor = tensor.float()
    if tensor.ndim == 3 and tensor.shape[1] == tokens:
        return tensor[0, place].numpy()
    if tensor.shape[:2] == (1, 1):  # of a head that is given one state
        return tensor[0, 0].numpy()
    if tensor.ndim == 3:  # a convolution's
        return tensor[0, :, place].numpy()
    return (tensor[place] if len(tensor) == tokens else tensor[0]).numpy()


def must_be_its_own(model, text=TEXT):
    found, encoded, asked = recorded(model, text)
    (own,) = model.port(Predictor).log_probabilities([Query(encoded, (asked,))], Context())
    told = torch.tensor(found.logits).log_softmax(-1)
    must_agree(told.exp(), own[0].exp())
    given, _ = heard(model, lambda: plain_run(model, encoded, asked))
    for step in found.steps:
        if step.module:
            _, output = given[step.module][step.call]
            must_agree(step.vector, at_place(output, found.place, len(found.tokens)))
    must_add_up(model, found)


def plain_run(model, encoded, asked):
    """The model's own predictor's run, whole, as it runs without anybody who listens."""
    port = model.port(Predictor)
    if hasattr(port, "task_of"):
        task = port.task_of(Query(encoded, (asked,)))
        return model.module(
            input_ids=torch.tensor([task.inputs]), decoder_input_ids=torch.tensor([task.target])
        )
    if "Causal" in type(port).__name__:
        inputs = {name: value[:, :asked] for name, value in encoded.inputs.items()}
        return port.head(model.encoder(**inputs)[:, -1])
    return port.head(port.states_of(**encoded.inputs)[:, asked])


def must_add_up(model, found):
    """What no module does is what its steps say, of vectors that modules gave."""
    vectors = [one.vector for one in found.steps]
    for number, step in enumerate(found.steps):
        assert all(one < number for one in step.given)
        parts = [vectors[one] for one in step.given]
        if step.kind is StepKind.SUM:
            must_agree(step.vector, np.sum(parts, axis=0))
        elif step.kind is StepKind.SCALED:
            must_agree(step.vector, parts[0] * step.factor)
        elif step.kind is StepKind.HEADS:
            attention = found.attentions[step.attention]
            must_agree(step.vector, attention.results.ravel())
        elif step.kind is StepKind.OTHER:
            assert model.stamp.family == "ernie_thu"
        if not step.given:
            assert step.kind is StepKind.TABLE
    for one in found.attentions:
        chosen = one.weights[one.head]
        must_agree(chosen.sum(), 1)
        must_agree(chosen @ one.values, one.results[one.head])
        must_agree(one.keys @ one.queries[one.head], one.products[one.head])
    ids = np.argsort(-found.logits)[:5]
    rest = found.logits[ids] - found.matrix_rows(ids.tolist()) @ found.read
    biases = [
        one.detach().float().numpy()
        for one in model.module.parameters()
        if tuple(one.shape) == found.logits.shape
    ]
    biases.append(np.zeros_like(found.logits))
    assert any(np.allclose(one[ids], rest, atol=2e-4) for one in biases)


@pytest.mark.parametrize("name", PREDICTING)
def test_steps_of_a_bundled_model_are_what_its_modules_give(name):
    must_be_its_own(miniature(name))


@pytest.mark.parametrize("family", IDS)
def test_steps_of_every_family_are_what_its_modules_give(family, checkpoints):
    for model in checkpoints.models(family):
        if Predictor in model.ports:
            must_be_its_own(model, "the cat sat on [MASK] .")


@pytest.mark.parametrize("kind", sorted({**CAUSAL, **MASKED}.keys() - UNKNOWN))
def test_steps_of_models_without_a_plugin_are_what_their_modules_give(kind, tmp_path):
    folder, _ = save(tmp_path / kind, {**CAUSAL, **MASKED}[kind])
    must_be_its_own(tiny.load(folder), "the cat sat on [MASK] .")


@pytest.mark.parametrize(
    "name", ["bert-miniature", "gpt2-miniature", "deberta-v3-miniature-generator"]
)
def test_weights_are_those_that_transformers_gives(name):
    model = miniature(name)
    found, encoded, _asked = recorded(model)
    if found.kind == "decoder":
        encoded = model.encode(TEXT.partition(" [MASK]")[0])
    stack = model.port(Attentions).capture(encoded, Context())[found.kind]
    plain = [one for one in found.attentions if one.row == str(one.layer)]
    assert plain
    for one in plain:
        own = np.asarray(stack.weights[one.layer])[:, found.place, : len(one.tokens)]
        must_agree(one.weights, own)


@pytest.mark.parametrize("name", ["bert-miniature", "gpt2-miniature", "t5-miniature"])
def test_rows_end_where_the_readout_has_their_states(name):
    model = miniature(name)
    found, encoded, asked = recorded(model)
    (states,) = model.port(LayerReadout).states([Query(encoded, (asked,))], Context())
    ends = [one.vector for one in found.steps if one.ends_row]
    must_agree(np.stack(ends), states[:, 0].numpy())


def orders(name):
    """The kinds of steps of the first layer, in order."""
    found, _, _ = recorded(miniature(name))
    return [str(one.kind) for one in found.steps if one.row == "0"]


def test_norms_come_where_each_model_has_them():
    feeding = ["matrix", "activation", "matrix", "sum"]
    assert orders("bert-miniature") == ["heads", "output", "sum", "norm", *feeding, "norm"]
    assert orders("gpt2-miniature") == ["norm", "heads", "output", "sum", "norm", *feeding]
    crossing = ["norm", "heads", "output", "sum"]
    assert orders("t5-miniature") == [*crossing, *crossing, "norm", *feeding]


def test_what_models_leave_out_or_use_again_is_seen():
    albert, _, _ = recorded(miniature("albert-miniature"))
    outputs = [one for one in albert.steps if one.kind is StepKind.OUTPUT]
    assert len({one.module for one in outputs}) == 1
    assert [one.call for one in outputs] == list(range(len(outputs)))
    deberta, _, _ = recorded(miniature("deberta-v1-miniature"))
    tables = [
        (one.row, one.module.rpartition(".")[2]) for one in deberta.steps if "table" in one.kind
    ]
    assert tables == [("emb.", "word_embeddings"), ("decoder 1", "position_embeddings")]
    assert all(one.positions is not None for one in deberta.attentions)
    t5, _, _ = recorded(miniature("t5-miniature"))
    assert [one.scale for one in t5.attentions] == [1.0] * 4
    assert [one.row for one in t5.steps if one.kind is StepKind.TABLE] == ["emb."]
    assert not any(bool(one.hidden.any()) for one in t5.attentions if one.kind == "cross")
    mobile, _, _ = recorded(miniature("mobilebert-miniature"))
    assert [one.row for one in mobile.steps if one.kind is StepKind.JOINED] == ["emb."]


def test_a_head_changes_what_is_kept_and_nothing_else():
    model = miniature("bert-miniature")
    (first, _, _), (second, _, _) = recorded(model, head=0), recorded(model, head=2)
    assert [one.head for one in second.attentions] == [2] * 4
    assert not np.allclose(first.attentions[0].keys, second.attentions[0].keys)
    must_agree(first.logits, second.logits)


def test_what_each_head_and_token_adds_is_what_the_output_matrix_makes_of_it():
    model = miniature("bert-miniature")
    found, _, _ = recorded(model)
    first = found.attentions[0]
    matrix = dict(model.module.named_modules())["bert.encoder.layer.0.attention.output.dense"]
    weight = matrix.weight.detach().numpy()
    width = first.results.shape[1]
    own = [
        np.linalg.norm(weight[:, head * width : (head + 1) * width] @ result)
        for head, result in enumerate(first.results)
    ]
    must_agree(first.added, own)
    head = first.head
    part = np.outer(first.weights[head], np.ones(width)) * first.values
    assert part.sum(0) == pytest.approx(first.results[head], abs=1e-5)
    # Of all heads together: the parts of all tokens make the output, but for its bias.
    step = next(one for one in found.steps if one.kind is StepKind.OUTPUT)
    total = np.linalg.norm(step.vector - matrix.bias.detach().numpy())
    assert total <= first.sources.sum() * (1 + 1e-5)


def test_a_discriminator_is_followed_to_its_verdict():
    model = miniature("electra-miniature-discriminator")
    encoded = model.encode("The chef cooked the garden in the kitchen .")
    own = model.port(Discriminator).logits(encoded, Context())
    found = model.port(StepwisePass).record(Query(encoded, (4,)), 0, Context())
    assert found.logits.shape == (1,)
    assert found.logits[0] == pytest.approx(float(own[4]), abs=1e-5)


def test_a_model_without_a_head_for_tokens_is_followed_to_its_last_layer():
    model = miniature("bert-labels-miniature")
    encoded = model.encode("The chef cooked the meal .")
    found = model.port(StepwisePass).record(Query(encoded, (2,)), 0, Context())
    with torch.inference_mode():
        states = model.encoder(**encoded.inputs)
    assert found.logits is None
    must_agree(found.steps[-1].vector, states[0, 2].numpy())


def test_a_token_can_be_followed_through_an_encoder_that_a_decoder_reads():
    model = miniature("t5-miniature")
    for text, place in ((TEXT, 2), ("The chef cooked the meal .", 4)):
        encoded = model.encode(text)
        asked = encoded.mask_positions[0] if encoded.mask_positions else 1
        pieces = {} if encoded.mask_positions else {asked: None}
        query = Query(encoded, (asked,), pieces)
        found = model.port(StepwisePass).record(query, 1, Context(), read=place)
        assert (found.kind, found.place, found.logits) == ("encoder", place, None)
        assert found.tokens == encoded.tokens
        assert {one.kind for one in found.attentions} == {"encoder"}
        with torch.inference_mode():
            states = model.module.encoder(input_ids=encoded.input_ids).last_hidden_state
        must_agree(found.steps[-1].vector, states[0, place].numpy())


@pytest.mark.parametrize("kind", ["llama", "qwen2"])
def test_queries_and_keys_are_kept_before_they_are_turned(kind, tmp_path):
    """Against transformers' own rotation of what the projections gave."""
    folder, _ = save(tmp_path / kind, CAUSAL[kind])
    model = tiny.load(folder)
    found, _, _ = recorded(model, "the cat sat on [MASK] .")
    rotate = importlib.import_module(f"transformers.models.{kind}.modeling_{kind}")
    plain = found.attentions[0]
    places = torch.arange(len(plain.tokens))[None]
    sample = torch.zeros(1, len(plain.tokens), plain.queries.shape[1])
    cos, sin = model.module.model.rotary_emb(sample, places)
    keys = torch.tensor(plain.keys_before)[None, None]
    turned, _ = rotate.apply_rotary_pos_emb(keys, keys, cos, sin)
    must_agree(plain.keys, turned[0, 0].numpy())
    queries = torch.tensor(plain.queries_before)[None, :, None]
    here = slice(found.place, found.place + 1)
    turned, _ = rotate.apply_rotary_pos_emb(queries, queries, cos[:, here], sin[:, here])
    must_agree(plain.queries, turned[0, :, 0].numpy())
    assert not np.allclose(plain.queries, plain.queries_before)
    assert recorded(miniature("bert-miniature"))[0].attentions[0].queries_before is None
