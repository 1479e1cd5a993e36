"""The states of every layer, and what a model's own head reads in them, family by family."""

import pytest

from explorer.api.family import (
    Context,
    Direction,
    Discriminator,
    HiddenStates,
    LayerReadout,
    Predictor,
    Query,
)
from explorer.hf.predict.guessing import queries_of
from tests.hf import tiny
from tests.hf.every_family import IDS, Checkpoints
from tests.hf.kept import MODELS, bundled, miniature

torch = pytest.importorskip("torch")

TEXT = "The chef cooked the meal in the [MASK] and the waiter served it ."
BUNDLED = sorted({*bundled(Predictor), *bundled(Discriminator)})
PREDICTING = [
    name for name in BUNDLED if "discriminator" not in name and name != "deberta-v3-miniature"
]


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return Checkpoints(tmp_path_factory.mktemp("models"))


def rows_of(model, text=TEXT):
    """What the readout gives and the predictor gives, a pair a query."""
    predictor, readout = model.port(Predictor), model.port(LayerReadout)
    queries = queries_of(predictor, model.encode(text), Context())
    states = readout.states(queries, Context())
    own = predictor.log_probabilities(queries, Context())
    return list(zip(queries, states, own, strict=True))


def last_row_agrees(model, text=TEXT):
    found = rows_of(model, text)
    assert found
    for query, states, own in found:
        assert states.shape[1] == len(query.asked) > 0
        read = model.port(LayerReadout).log_probabilities(states[-1])
        assert float((read.exp() - own.exp()).abs().max()) < 1e-5
        assert states.isfinite().all()


@pytest.mark.parametrize("name", PREDICTING)
def test_the_last_row_of_a_bundled_model_is_its_prediction(name):
    last_row_agrees(miniature(name))


@pytest.mark.parametrize("family", IDS)
def test_the_last_row_of_every_family_is_its_prediction(family, checkpoints):
    for model in checkpoints.models(family):
        if LayerReadout in model.ports:
            last_row_agrees(model, "the cat [MASK] on the mat")
        else:
            assert model.refused[LayerReadout]


@pytest.mark.parametrize("name", [*BUNDLED])
def test_states_are_what_transformers_calls_hidden_states(name):
    model = miniature(name)
    encoded = model.encode("The chef cooked the meal .")
    (rows,) = model.port(HiddenStates).states([encoded], Context())
    stack = model.module.encoder if name.startswith("t5") else model.module.base_model
    with torch.inference_mode():
        expected = stack(**encoded.inputs, output_hidden_states=True).hidden_states
    assert len(rows) == len(expected)
    for own, theirs in zip(rows, expected, strict=True):
        torch.testing.assert_close(own, theirs[0].float(), atol=1e-5, rtol=1e-5)


def test_a_layer_of_bert_is_read_by_the_head_as_it_is():
    model = miniature("bert-miniature")
    encoded = model.encode(TEXT)
    ((_query, states, _own),) = rows_of(model)
    with torch.inference_mode():
        hidden = model.module.bert(**encoded.inputs, output_hidden_states=True).hidden_states
        for layer, state in enumerate(hidden):
            expected = model.module.cls.predictions(state[0]).log_softmax(-1)
            read = model.port(LayerReadout).log_probabilities(states[layer])
            assert torch.allclose(read, expected, atol=1e-5)


def test_a_layer_of_gpt2_is_read_through_the_final_norm():
    model = miniature("gpt2-miniature")
    text = "The chef cooked the meal ."
    encoded = model.encode(text)
    ((query, states, _own),) = rows_of(model, text)
    with torch.inference_mode():
        hidden = model.module.transformer(**encoded.inputs, output_hidden_states=True).hidden_states
        for layer, state in enumerate(hidden[:-1]):
            normed = model.module.transformer.ln_f(state[0])
            expected = model.module.lm_head(normed).log_softmax(-1)[[p - 1 for p in query.asked]]
            read = model.port(LayerReadout).log_probabilities(states[layer])
            assert torch.allclose(read, expected, atol=1e-5)


def test_a_layer_of_t5s_decoder_is_normed_and_scaled():
    model = miniature("t5-miniature")
    ((query, states, _own), *_rest) = rows_of(model)
    task = model.port(Predictor).task_of(query)
    module = model.module
    with torch.inference_mode():
        hidden = module(
            input_ids=torch.tensor([task.inputs]),
            decoder_input_ids=torch.tensor([task.target]),
            output_hidden_states=True,
        ).decoder_hidden_states
        for layer, state in enumerate(hidden[:-1]):
            normed = module.decoder.final_layer_norm(state[0, list(task.read)])
            if module.config.scale_decoder_outputs:
                normed = normed * module.model_dim**-0.5
            expected = module.lm_head(normed).log_softmax(-1)
            read = model.port(LayerReadout).log_probabilities(states[layer])
            assert torch.allclose(read, expected, atol=1e-5)


def test_debertas_decoder_passes_are_rows_of_their_own():
    model = miniature("deberta-v1-miniature")
    readout = model.port(LayerReadout)
    ((_query, states, _own),) = rows_of(model)
    layers = model.module.config.num_hidden_layers
    assert len(states) == 1 + layers + readout.passes
    assert readout.passes == 2


def test_what_is_asked_of_a_model_depends_on_how_it_reads():
    bert, gpt, t5 = (miniature(f"{name}-miniature") for name in ("bert", "gpt2", "t5"))
    encoded = bert.encode(TEXT)
    (query,) = queries_of(bert.port(Predictor), encoded, Context())
    assert query.asked == tuple(range(len(encoded.tokens)))
    encoded = gpt.encode("The chef cooked the meal .")
    (query,) = queries_of(gpt.port(Predictor), encoded, Context())
    assert query.asked == tuple(range(1, len(encoded.tokens)))
    assert t5.port(Predictor).direction is Direction.SPANS
    two = t5.encode("The [MASK] cooked the [MASK] .")
    asked = [query.asked for query in queries_of(t5.port(Predictor), two, Context())]
    assert asked == [(place,) for place in two.mask_positions]
    assert all(isinstance(query, Query) for query in queries_of(t5.port(Predictor), two, Context()))


@pytest.mark.parametrize("name", ["bert", "gpt2", "albert"])
def test_vectors_of_no_run_are_read_as_those_of_one(name):
    """The final norm is looked for in a run, and vectors may be read before there was any."""
    fresh = tiny.load(MODELS / f"{name}-miniature")
    known = miniature(f"{name}-miniature")
    encoded = known.encode("the cat sat")
    (states,) = known.port(LayerReadout).states([Query(encoded, (2,))], Context())
    own = known.port(LayerReadout).log_probabilities(states[-1])
    assert torch.allclose(fresh.port(LayerReadout).log_probabilities(states[-1]), own, atol=1e-5)
