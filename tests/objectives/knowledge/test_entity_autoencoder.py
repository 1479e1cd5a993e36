import numpy as np
import pytest
import torch

from explorer.objectives import IGNORED
from explorer.objectives.knowledge.entity_autoencoder import NONE, disturb, entity_loss

ENTITIES = np.full((400, 12), NONE)
ENTITIES[:, 1] = np.arange(400) % 50
ENTITIES[:, 5] = np.arange(400) % 37


def test_entities_are_replaced_and_taken_away_as_often_as_they_should():
    made = disturb(ENTITIES, np.random.default_rng(0))
    aligned = ENTITIES != NONE
    assert (made.seen[~aligned] == NONE).all()
    assert (made.seen[aligned] == NONE).mean() == pytest.approx(0.15, abs=0.04)
    assert made.wrong[aligned].mean() == pytest.approx(0.05, abs=0.025)
    assert (made.wrong == (aligned & (made.seen != ENTITIES) & (made.seen != NONE))).all()


def test_labels_point_at_the_right_entity_whatever_is_seen():
    made = disturb(ENTITIES, np.random.default_rng(0))
    aligned = ENTITIES != NONE
    assert (made.candidates[made.labels[aligned]] == ENTITIES[aligned]).all()
    assert (made.labels[~aligned] == IGNORED).all()
    empty = disturb(np.full((2, 3), NONE), np.random.default_rng(0))
    assert len(empty.candidates) == 0
    assert (empty.seen == NONE).all()


def test_the_loss_is_that_of_the_right_candidates():
    rng = np.random.default_rng(1)
    logits = rng.normal(size=(2, 3, 4))
    labels = np.array([[0, IGNORED, 3], [IGNORED, 2, IGNORED]])
    chances = np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True))
    plain = -np.mean([chances[0, 0, 0], chances[0, 2, 3], chances[1, 1, 2]])
    found = entity_loss(torch.tensor(logits), torch.tensor(labels))
    assert found.item() == pytest.approx(plain)
