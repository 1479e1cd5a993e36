"""Training a lens: it begins as the logit lens, learns, and leaves the model as it was."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context
from explorer.questions.layers.reading import as_it_is, read_layers
from explorer.questions.layers.tuned_lens import kept, lens
from explorer.questions.layers.tuned_lens.lens import Lens
from explorer.questions.layers.tuned_lens.places import states_at_places
from explorer.questions.layers.tuned_lens.texts import LensTexts
from explorer.questions.layers.tuned_lens.training import LensTrainingPlan, measured, train
from explorer.world.corpus import held_out_documents, training_documents
from explorer.world.language.spelling import typed_texts
from tests.hf.kept import miniature

torch = pytest.importorskip("torch")

SHIPPED = ("bert-miniature", "roberta-miniature", "electra-miniature-generator", "gpt2-miniature")
FEW = LensTrainingPlan(steps=12, batch=64)


@pytest.fixture(scope="module")
def texts():
    return LensTexts(
        "",
        tuple(typed_texts(training_documents(120, seed=5))),
        tuple(typed_texts(held_out_documents(40, seed=6))),
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_shipped_reads_fresh_texts_better_than_the_logit_lens(name):
    model = miniature(name)
    found = kept.find(model.stamp, "", None)
    assert found is not None
    fresh = tuple(typed_texts(held_out_documents(60, seed=977)))
    states = states_at_places(model, fresh, 3, "", Context())
    tuned = measured(model, states, found.through, Context())
    logit = measured(model, states, as_it_is, Context())
    assert tuned.divergences[-1] == logit.divergences[-1] == 0.0
    for better, worse in zip(tuned.divergences[:-1], logit.divergences[:-1], strict=True):
        assert better < worse
    # What the file says of other held-out texts is about the same, and the logit lens' too.
    assert tuned.divergences[:-1] == pytest.approx(found.training.tuned[:-1], rel=0.5)
    assert logit.divergences[:-1] == pytest.approx(found.training.logit[:-1], rel=0.5)


@pytest.mark.parametrize("name", ["bert-miniature", "gpt2-miniature", "t5-miniature"])
def test_a_few_steps_lower_the_loss_whichever_way_a_model_reads(name, texts):
    model = miniature(name)
    some = replace(texts, training=texts.training[:60], held_out=texts.held_out[:15])
    training = train(model, some, Context(), FEW).training
    assert len(training.losses) == FEW.steps
    assert np.mean(training.losses[-3:]) < np.mean(training.losses[:3])
    assert sum(training.tuned) < sum(training.logit)


def test_the_same_seed_gives_the_same_lens_and_another_seed_another(texts):
    model = miniature("bert-miniature")
    first, again = (train(model, texts, Context(), FEW) for _ in range(2))
    other = train(model, texts, Context(), replace(FEW, seed=1))
    assert torch.equal(first.weights, again.weights)
    assert first.training == again.training
    assert not torch.equal(first.weights, other.weights)


def test_training_begins_as_the_logit_lens(texts):
    model = miniature("bert-miniature")
    start = train(model, texts, Context(), replace(FEW, steps=0))
    assert start.training.tuned == start.training.logit
    encoded = model.encode("The chef cooked the [MASK] in the kitchen .")
    tuned, _ = read_layers(model, encoded, (), 5, Context(), start.through)
    logit, _ = read_layers(model, encoded, (), 5, Context())
    assert np.array_equal(tuned.ids, logit.ids)
    assert np.array_equal(tuned.probabilities, logit.probabilities)
    assert np.array_equal(tuned.divergences, logit.divergences)


def test_the_map_is_residual(texts):
    model = miniature("bert-miniature")
    trained = train(model, texts, Context(), FEW)
    states = torch.randn(3, trained.biases.shape[1])
    by_hand = states + (trained.weights[1] @ states.T).T + trained.biases[1]
    assert torch.allclose(trained.through(states, 1), by_hand, atol=1e-5)


@pytest.mark.parametrize("at", ["reading texts", "training the tuned lens"])
def test_a_cancel_stops_it_where_it_is(texts, at):
    seen = []
    cancelled = Context(
        is_cancelled=lambda: seen.count(at) >= 2,
        progress=lambda stage, _done, _total: seen.append(stage),
    )
    with pytest.raises(Cancelled):
        train(miniature("bert-miniature"), texts, cancelled, FEW)
    assert seen[-1] == at
    assert "measuring on other texts" not in seen


def test_a_file_keeps_a_lens_as_it_is(texts, tmp_path):
    trained = train(miniature("bert-miniature"), texts, Context(), replace(FEW, steps=2))
    path = tmp_path / "lenses" / "one.safetensors"
    lens.write(trained, "f" * 32, "abc", path)
    again = lens.read(path, "f" * 32)
    assert isinstance(again, Lens)
    assert torch.equal(again.weights, trained.weights)
    assert torch.equal(again.biases, trained.biases)
    assert again.training == trained.training
    assert list(path.parent.iterdir()) == [path]
