"""A fine-tuned body with the heads that the model had before."""

import dataclasses

import pytest
import torch
from safetensors.torch import load_file

from explorer.api.family import Context, Predictor, Query
from explorer.learning.runs.one_run import OneRun
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.learning.tuning.choices import LabelledTask, ReadLayer, Tuned
from explorer.learning.tuning.former_heads import former_folder
from explorer.learning.tuning.plan import TuningPlan
from explorer.paths import own_resources
from tests.hf import tiny
from tests.hf.kept import miniature

PLAN = TuningPlan(examples=16, epochs=1, batch=8, length=32, rate=0.01)
SENTENCE = "the chef cooked the soup in the kitchen ."


def tuned(folder, **changed):
    """A finished run of the plan with some fields changed: its model's folder."""
    trainings = Trainings(folder / "training", folder / "engine")
    one = trainings.made(dataclasses.replace(PLAN, **changed), "tuned")
    with one.lock():
        assert OneRun(one).train() is RunStatus.DONE
    return one.frame(2)


def said(model):
    """What a model predicts in the place of the third token, which is hidden."""
    query = Query(model.encode(SENTENCE), (2,), {2: None})
    return model.port(Predictor).log_probabilities([query], Context())[0]


def test_predictions_are_those_of_the_tuned_body_through_the_former_head(tmp_path):
    from transformers import AutoTokenizer, BertForPreTraining, BertForSequenceClassification

    frame = tuned(tmp_path)
    before = own_resources() / "models" / "bert-miniature"
    plain = BertForPreTraining.from_pretrained(before, dtype=torch.float32).eval()
    body = BertForSequenceClassification.from_pretrained(frame, dtype=torch.float32).bert
    plain.bert.load_state_dict(body.state_dict())
    tokenizer = AutoTokenizer.from_pretrained(before)
    pieces = tokenizer(SENTENCE, return_tensors="pt")
    pieces["input_ids"][0, 2] = tokenizer.mask_token_id
    with torch.no_grad():
        rows = plain(**pieces).prediction_logits[0].log_softmax(-1)
    expected = rows[2:3]
    own = said(tiny.load(former_folder(frame)))
    assert torch.allclose(own, expected, atol=1e-5)
    assert not torch.allclose(own, said(miniature("bert-miniature")), atol=1e-2)


def test_who_kept_its_body_predicts_as_before(tmp_path):
    own = said(tiny.load(former_folder(tuned(tmp_path, tuned=Tuned.FEATURES))))
    assert torch.allclose(own, said(miniature("bert-miniature")), atol=1e-6)


@pytest.mark.parametrize(
    ("base", "changed"),
    [
        ("albert-miniature", {}),
        ("roberta-miniature", {"tuned": Tuned.LORA}),
        ("distilbert-miniature", {}),
        ("mobilebert-miniature", {}),
        ("electra-miniature-generator", {}),
        ("gpt2-miniature", {}),
        ("gpt1-miniature", {"tuned": Tuned.LORA}),
        ("t5-miniature", {}),
        ("deberta-v1-miniature", {}),
        ("deberta-v2-miniature", {"task": LabelledTask.ROLES}),
        ("xlm-miniature", {}),
        ("bert-miniature", {"task": LabelledTask.ANSWERS}),
        ("bert-miniature", {"task": LabelledTask.ENDINGS}),
    ],
)
def test_every_family_predicts_with_the_head_that_it_had(base, changed, tmp_path):
    frame = tuned(tmp_path, base=base, **changed)
    before, after = miniature(base), tiny.load(former_folder(frame))
    assert {one.name for one in after.heads if one.present} == {
        one.name for one in before.heads if one.present
    }
    assert not set(after.report.missing) - set(before.report.missing)
    was, now = said(before), said(after)
    assert now.shape == was.shape
    assert torch.isfinite(now).all()
    assert not torch.allclose(now, was, atol=1e-4), "its body has changed"
    whole = load_file(frame / "model.safetensors")
    mine = load_file(former_folder(frame) / "model.safetensors")
    ends = {name.partition(".")[2]: one for name, one in whole.items()} | whole
    moved = [name for name in mine if (end := _end(name, ends)) and _is(mine[name], ends[end])]
    assert len(moved) > 10


def _end(name, ends):
    """What a tensor is called in the tuned model, with its body's name or without."""
    return next((one for one in (name, name.partition(".")[2]) if one in ends), "")


def _is(one, other):
    return one.shape == other.shape and torch.equal(one, other)


def test_a_head_that_reads_a_lower_layer_leaves_none_that_could_read_it(tmp_path):
    frame = tuned(tmp_path, layer=ReadLayer.FIRST)
    assert not former_folder(frame).exists()
