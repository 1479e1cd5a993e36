"""A tuned model next to the one before it: attention, similarity of layers, probes."""

import dataclasses

import numpy as np
import pytest

from explorer.api.question import FIRST, SECOND, Context
from explorer.learning.runs.one_run import OneRun
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.learning.tuning.choices import LabelledTask, Tuned
from explorer.learning.tuning.former_heads import former_folder
from explorer.learning.tuning.plan import TuningPlan
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.layers.layer_similarity.question import QUESTION as SIMILARITY
from explorer.questions.layers.layer_similarity.question import LayerSimilarityRequest
from explorer.questions.layers.probe.question import ProbeRequest
from tests.hf import tiny
from tests.hf.kept import miniature

TEXT = "The chef cooked the meal in the kitchen."
PLAN = TuningPlan(examples=32, epochs=1, batch=8, length=32, tuned=Tuned.LAST, rate=0.01)


@pytest.fixture(
    scope="module",
    params=[
        (LabelledTask.SENTIMENT, True),
        (LabelledTask.SENTIMENT, False),
        (LabelledTask.ROLES, False),
    ],
)
def both(request, tmp_path_factory):
    """What was before, and the tuned model, of which the last layer changed alone.

    Once it has the heads of before, as the page opens it, else the new one.
    """
    task, is_former = request.param
    folder = tmp_path_factory.mktemp("both")
    trainings = Trainings(folder / "training", folder / "engine")
    one = trainings.made(dataclasses.replace(PLAN, task=task), "both")
    with one.lock():
        assert OneRun(one).train() is RunStatus.DONE
    frame = one.frame(4)
    return miniature("bert-miniature"), tiny.load(former_folder(frame) if is_former else frame)


def test_attention_differs_in_the_layer_that_changed(both):
    before, after = (tiny.ask(model, AttentionRequest(TEXT)) for model in both)
    was, now = (np.asarray(one.overview, float) for one in (before, after))
    assert was[:-1] == pytest.approx(now[:-1], abs=1e-3)
    assert np.abs(was[-1] - now[-1]).max() > 1e-3


def test_layers_are_alike_up_to_the_one_that_changed(both):
    models = {FIRST: both[0], SECOND: both[1]}
    found = SIMILARITY.run(both[0], LayerSimilarityRequest(), Context(models=models))
    shares = np.asarray(found.cka)
    alike = np.diagonal(shares)
    assert alike[:-1] == pytest.approx(1.0, abs=1e-5)
    assert alike[-1] < 0.9999


def test_both_are_probed(both):
    first, second = (tiny.ask(model, ProbeRequest(texts=60)) for model in both)
    assert first.layers == second.layers
    was, now = (np.asarray(one.scores.accuracy) for one in (first, second))
    assert was[:-1] == pytest.approx(now[:-1], abs=1e-6)
    assert not np.array_equal(was[-1], now[-1])
