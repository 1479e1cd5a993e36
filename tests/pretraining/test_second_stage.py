"""TinyBERT's second stage: what it learnt from is the fine-tuned teacher, and nothing else."""

import numpy as np
import pytest
import torch

from explorer.api.family import LayerProjection
from explorer.paths import Paths
from explorer.pretraining.measures.sentiment import class_logs, unseen_reviews
from explorer.pretraining.recipes.students.tinybert_sentiment import (
    RECIPE,
    TEACHER,
    judging_teacher,
)
from explorer.world.scenes import small_world
from tests.hf.kept import miniature

MODELS = Paths.standard().bundled_models


@pytest.fixture(scope="module")
def student(quiet_loading):
    return RECIPE.make_model(None)


@pytest.fixture(scope="module")
def batches():
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(MODELS / RECIPE.base)
    return RECIPE.make_batches(tokenizer, (), 1)


def test_the_first_half_matches_layers_and_the_second_predictions(student, batches):
    """Equations 7 to 9, then equation 10 at t = 1; labels are only looked at to be counted."""
    first = RECIPE.losses(student, batches.batch(0))
    assert {name for name in first if name.startswith("loss")} == {
        *("loss_embedding", "loss_hidden_1", "loss_attention_1"),
        *("loss_hidden_2", "loss_attention_2"),
    }
    batch = batches.batch(RECIPE.schedule.steps - 1)
    found = RECIPE.losses(student, batch)
    assert [name for name in found if name.startswith("loss")] == ["loss_prediction"]
    read = {name: batch[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
    with torch.no_grad():
        taught = judging_teacher()(**read).logits.double().softmax(-1)
        learnt = student(**read).logits.double().log_softmax(-1)
    expected = -(taught * learnt).sum(-1).mean()
    assert float(found["loss_prediction"].detach()) == pytest.approx(float(expected), rel=1e-5)


def test_it_goes_on_from_general_distillation(student):
    from safetensors.torch import load_file

    before = load_file(MODELS / RECIPE.base / "model.safetensors")
    own = student.state_dict()
    same = [name for name in before if name in own]
    assert len(same) > 30
    assert all(torch.equal(before[name].float(), own[name]) for name in same)


@pytest.mark.usefixtures("quiet_loading")
def test_it_says_what_its_teacher_says_of_unseen_reviews():
    from transformers import AutoTokenizer, BertForSequenceClassification

    texts = [
        one.text
        for whole in (False, True)
        for one in unseen_reviews(small_world(), 100, 37, whole=whole)
    ]
    logs = {}
    for name in (TEACHER, RECIPE.name):
        folder = MODELS / name
        model = BertForSequenceClassification.from_pretrained(folder, dtype="float32").eval()
        logs[name] = class_logs(model, AutoTokenizer.from_pretrained(folder), texts)
    taught, learnt = logs[TEACHER], logs[RECIPE.name]
    divergence = (np.exp(taught) * (taught - learnt)).sum(-1).mean()
    assert 0.0 < divergence < 0.01
    assert (taught.argmax(-1) == learnt.argmax(-1)).mean() > 0.97


def test_its_fits_to_the_teachers_width_are_kept():
    model = miniature(RECIPE.name)
    projection = model.ports[LayerProjection]
    assert projection.width == judging_teacher().config.hidden_size
