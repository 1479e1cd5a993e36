"""The students' recipes, with the bundled teachers and fresh students."""

import itertools
import json
import math

import numpy as np
import pytest
import torch

from explorer.learning.batches.chunked import StagedBatches
from explorer.learning.training import CheckpointError, TrainingRun
from explorer.objectives import IGNORED
from explorer.pretraining.distillation.students import load_teacher, teacher_folder
from explorer.pretraining.measures import comparison
from explorer.pretraining.publish import publish
from explorer.pretraining.recipes import load_recipe
from explorer.pretraining.recipes.students import distilbert, mobilebert, tinybert

STUDENTS = {"distilbert": distilbert, "tinybert": tinybert, "mobilebert": mobilebert}
NAMES = list(STUDENTS)


@pytest.fixture(scope="module")
def bundled():
    return distilbert.RECIPE.make_tokenizer([])


@pytest.fixture(scope="module", params=NAMES)
def start(request, bundled, texts):
    """A recipe, the student as it starts, and a batch."""
    recipe = STUDENTS[request.param].RECIPE
    torch.manual_seed(1)
    model = recipe.make_model(bundled)
    batches = recipe.make_batches(bundled, texts[:400], seed=1)
    return recipe, model.eval(), batches.batch(0)


def softmax(logits):
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def numbers(tensor):
    return tensor.detach().double().numpy()


def without_labels(batch, *names):
    return {name: batch[name] for name in ("input_ids", "attention_mask", *names)}


def test_teacher_and_student_share_the_vocabulary(start, bundled):
    recipe, model, _ = start
    assert recipe.make_tokenizer([]).get_vocab() == bundled.get_vocab()
    assert model.config.vocab_size == recipe.teacher.config.vocab_size == len(bundled)


def test_the_teacher_does_not_learn(start):
    recipe, model, batch = start
    before = [p.clone() for p in recipe.teacher.parameters()]
    recipe.losses(model, batch)["loss" if "stage" not in batch else _first_loss(recipe)].backward()
    assert all(p.grad is None for p in recipe.teacher.parameters())
    for one, other in zip(before, recipe.teacher.parameters(), strict=True):
        assert torch.equal(one, other)
    model.zero_grad()


def _first_loss(recipe):
    return "loss_embedding" if recipe is tinybert.RECIPE else "loss_feature_map_1"


def test_a_few_steps_lower_the_loss(bundled, texts, start):
    recipe, _, _ = start
    torch.manual_seed(2)
    run = TrainingRun(recipe, recipe.make_model(bundled), None, 24, 1)
    batches = recipe.make_batches(bundled, texts[:200], seed=1)
    # The same batch each time: what is learned is not what a batch happens to hold.
    batch = {
        name: value[:8] if isinstance(value, torch.Tensor) else value
        for name, value in batches.batch(0).items()
    }
    run.batches = type("Same", (), {"batch": lambda self, step: batch})()
    totals = []
    for _ in range(24):
        measured = run.advance()
        totals.append(sum(v for name, v in measured.items() if name.startswith("loss")))
    assert totals[-1] < 0.9 * totals[0]


def test_distilbert_starts_as_its_teacher_with_layers_left_out(bundled):
    recipe = distilbert.RECIPE
    model, teacher = recipe.make_model(bundled).eval(), recipe.teacher
    tokens = bundled("The chef cooked the [MASK].", return_tensors="pt")["input_ids"]
    with torch.no_grad():
        own = model.distilbert(tokens, output_hidden_states=True).hidden_states
        taught = teacher.bert(tokens, output_hidden_states=True).hidden_states
        assert torch.allclose(own[0], taught[0], atol=1e-5)
        assert torch.allclose(own[1], taught[1], atol=1e-4)
        second = teacher.bert.encoder.layer[2](own[1])
        assert torch.allclose(own[2], second, atol=1e-4)
        head = distilbert.masked_scores(model, taught[-1])
        assert torch.allclose(head, teacher.cls.predictions(taught[-1]), atol=1e-3)


def test_distilbert_loses_what_the_paper_says(bundled, texts):
    recipe = distilbert.RECIPE
    torch.manual_seed(1)
    model = recipe.make_model(bundled).eval()
    batch = recipe.make_batches(bundled, texts[:200], seed=1).batch(0)
    assert not batch["token_type_ids"].any()
    found = recipe.losses(model, batch)
    with torch.no_grad():
        own = model(**without_labels(batch), output_hidden_states=True)
        taught = recipe.teacher(**without_labels(batch), output_hidden_states=True)
    at = numbers(batch["labels"]) != IGNORED
    labels = batch["labels"].numpy()[at]
    z, t = numbers(own.logits)[at], numbers(taught.prediction_logits)[at]
    p, q = softmax(t / 2), softmax(z / 2)
    soft = 4 * (p * (np.log(p) - np.log(q))).sum(axis=1).mean()
    mlm = -np.log(softmax(z))[np.arange(len(labels)), labels].mean()
    real = batch["attention_mask"].numpy() == 1
    a, b = numbers(own.hidden_states[-1])[real], numbers(taught.hidden_states[-1])[real]
    lengths = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    cosine = 1 - ((a * b).sum(axis=1) / lengths).mean()
    assert found["soft"].item() == pytest.approx(soft, rel=1e-3)
    assert found["mlm"].item() == pytest.approx(mlm, rel=1e-3)
    assert found["cosine"].item() == pytest.approx(cosine, rel=1e-3)
    assert found["loss"].item() == pytest.approx(5 * soft + 2 * mlm + cosine, rel=1e-3)


def test_tinybert_matches_layers_2_and_4_of_its_teacher(bundled, texts):
    recipe = tinybert.RECIPE
    torch.manual_seed(1)
    model = recipe.make_model(bundled).eval()
    batch = recipe.make_batches(bundled, texts[:200], seed=1).batch(0)
    assert batch["stage"] == 0
    found = recipe.losses(model, batch)
    inputs = without_labels(batch, "token_type_ids")
    with torch.no_grad():
        own = model.bert(**inputs, output_hidden_states=True).hidden_states
        taught = recipe.teacher.bert(**inputs, output_hidden_states=True).hidden_states
    real = batch["attention_mask"].numpy() == 1
    for name, layer, source in (("embedding", 0, 0), ("hidden_1", 1, 2), ("hidden_2", 2, 4)):
        fit = model.fit_denses[layer]
        projected = numbers(own[layer]) @ numbers(fit.weight).T + numbers(fit.bias)
        square = ((projected - numbers(taught[source])) ** 2)[real].mean()
        assert found[f"loss_{name}"].item() == pytest.approx(square, rel=1e-3)
    assert set(found) == {
        "loss_embedding", "loss_hidden_1", "loss_attention_1", "loss_hidden_2", "loss_attention_2",
    }  # fmt: skip


def test_tinybert_then_learns_both_heads_predictions(bundled, texts):
    recipe = tinybert.RECIPE
    torch.manual_seed(1)
    model = recipe.make_model(bundled).eval()
    batch = recipe.make_batches(bundled, texts[:200], seed=1).batch(0)
    found = recipe.losses(model, {**batch, "stage": 1})
    inputs = without_labels(batch, "token_type_ids")
    with torch.no_grad():
        own, taught = model(**inputs), recipe.teacher(**inputs)
    at = batch["labels"].numpy() != IGNORED
    p = softmax(numbers(taught.prediction_logits)[at])
    q = softmax(numbers(own.prediction_logits)[at])
    assert found["loss_prediction"].item() == pytest.approx(
        -(p * np.log(q)).sum(axis=1).mean(), rel=1e-3
    )
    paired = batch["next_sentence_label"].numpy() != IGNORED
    p = softmax(numbers(taught.seq_relationship_logits)[paired])
    q = softmax(numbers(own.seq_relationship_logits)[paired])
    assert found["loss_order"].item() == pytest.approx(
        -(p * np.log(q)).sum(axis=1).mean(), rel=1e-3
    )
    learned = [name for name in found if name.startswith("loss")]
    assert sorted(learned) == ["loss_order", "loss_prediction"], "labels are shown, not learned"


def test_mobilebert_is_as_wide_as_its_teacher_between_blocks_only(bundled, texts):
    recipe = mobilebert.RECIPE
    own, taught = recipe.make_model(bundled).config, recipe.teacher.config
    same = ("hidden_size", "num_hidden_layers", "num_attention_heads", "embedding_size")
    assert [getattr(own, name) for name in same] == [getattr(taught, name) for name in same]
    assert own.embedding_size == own.hidden_size // 4
    assert own.intra_bottleneck_size < own.hidden_size < taught.intra_bottleneck_size


def test_mobilebert_transfers_every_layer_then_predictions(bundled, texts):
    recipe = mobilebert.RECIPE
    torch.manual_seed(1)
    model = recipe.make_model(bundled).eval()
    batch = recipe.make_batches(bundled, texts[:200], seed=1).batch(0)
    inputs = without_labels(batch, "token_type_ids")
    with torch.no_grad():
        own = model(**inputs, output_hidden_states=True)
        taught = recipe.teacher(**inputs, output_hidden_states=True)
    real = batch["attention_mask"].numpy() == 1
    found = recipe.losses(model, batch)
    for layer in range(1, 5):
        square = (numbers(own.hidden_states[layer]) - numbers(taught.hidden_states[layer])) ** 2
        name = f"loss_feature_map_{layer}"
        assert found[name].item() == pytest.approx(square[real].mean(), rel=1e-3)
        assert found[f"loss_attention_{layer}"].item() > 0.0
    found = recipe.losses(model, {**batch, "stage": 1})
    at = batch["labels"].numpy() != IGNORED
    p = softmax(numbers(taught.prediction_logits)[at])
    q = softmax(numbers(own.prediction_logits)[at])
    soft = -(p * np.log(q)).sum(axis=1).mean()
    mlm = -np.log(q)[np.arange(at.sum()), batch["labels"].numpy()[at]].mean()
    paired = batch["next_sentence_label"].numpy() != IGNORED
    order = softmax(numbers(own.seq_relationship_logits)[paired])
    labels = batch["next_sentence_label"].numpy()[paired]
    nsp = -np.log(order)[np.arange(len(labels)), labels].mean()
    assert found["loss"].item() == pytest.approx(0.5 * mlm + 0.5 * soft + nsp, rel=1e-3)


def test_mobilebert_starts_with_its_teachers_embeddings_and_head(bundled):
    recipe = mobilebert.RECIPE
    model = recipe.make_model(bundled)
    own, taught = model.state_dict(), recipe.teacher.state_dict()
    copied = [
        name for name in own
        if name.startswith("cls.")
        or (name.startswith("mobilebert.embeddings.") and "LayerNorm" not in name)
    ]  # fmt: skip
    assert len(copied) > 8
    for name in copied:
        assert torch.equal(own[name], taught[name]), name


def test_stages_change_at_a_step():
    class Numbers:
        def batch(self, step):
            return {"step": step}

    batches = StagedBatches(Numbers(), 2)
    assert [batches.batch(step)["stage"] for step in range(4)] == [0, 0, 1, 1]
    assert batches.batch(3)["step"] == 3


@pytest.mark.parametrize("name", NAMES)
def test_the_rival_has_the_students_size_and_nothing_of_the_teacher(name, bundled, texts):
    student, rival = load_recipe(name), load_recipe(f"{name}-alone")
    assert rival.schedule is student.schedule
    assert rival.folder == student.name != rival.name
    torch.manual_seed(1)
    model = rival.make_model(bundled)
    own = student.make_model(bundled)
    assert [p.shape for p in model.parameters()] == [p.shape for p in own.parameters()]
    batch = rival.make_batches(bundled, texts[:200], seed=1).batch(0)
    losses = rival.losses(model, batch)
    assert losses["loss_mlm"].item() == pytest.approx(math.log(len(bundled)), abs=1.5)
    again = student.make_batches(bundled, texts[:200], seed=1).batch(0)
    for key, value in batch.items():
        assert torch.equal(torch.as_tensor(value), torch.as_tensor(again[key]))


def test_of_the_rival_only_figures_are_kept(bundled, texts, tmp_path, monkeypatch):
    monkeypatch.setattr(comparison, "UNSEEN", 4)
    rival = load_recipe("tinybert-alone")
    torch.manual_seed(1)
    model = rival.make_model(bundled)
    run = TrainingRun(rival, model, rival.make_batches(bundled, texts[:200], 1), 1, 1)
    out = tmp_path / "student"
    publish(run, bundled, out)
    assert [file.name for file in out.iterdir()] == [comparison.FILE]
    kept = json.loads((out / comparison.FILE).read_text("utf-8"))["models"]["alone"]
    assert all(row["kl_t1"] > 1.0 for row in kept.values())


def test_no_teacher_is_said_in_one_line():
    with pytest.raises(CheckpointError, match="Train it before its students"):
        teacher_folder("nobody-miniature")


def test_a_teacher_is_loaded_once():
    one, other = itertools.repeat("bert-miniature", 2)
    assert load_teacher(one) is load_teacher(other)
