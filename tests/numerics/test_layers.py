import math

import numpy as np
import pytest

from explorer.numerics import layers

RANDOM = np.random.default_rng(2)
TAUGHT = RANDOM.normal(size=(2, 3, 3)).astype(np.float32)
LEARNT = RANDOM.normal(size=(2, 3, 3)).astype(np.float32)


@pytest.mark.parametrize(
    ("student", "teacher", "expected"),
    [(2, 4, (2, 4)), (4, 12, (3, 6, 9, 12)), (4, 4, (1, 2, 3, 4)), (5, 12, (2, 5, 7, 10, 12))],
)
def test_the_uniform_map_ends_at_the_last_layer(student, teacher, expected):
    assert layers.uniform_map(student, teacher) == expected


def test_a_student_deeper_than_its_teacher_is_mapped_all_the_same():
    assert layers.uniform_map(4, 2) == (1, 1, 2, 2)
    assert layers.last_map(4, 2) == (1, 1, 1, 2)


def test_the_last_layers_and_the_users_own():
    assert layers.layer_map(layers.LAST, 2, 12) == (11, 12)
    assert layers.layer_map(layers.UNIFORM, 2, 4, (1, 1)) == (2, 4)
    assert layers.layer_map(layers.OWN, 3, 6, (1, 6)) == (1, 6, 6)
    assert layers.layer_map(layers.OWN, 2, 4, (0, 9)) == (2, 4)
    assert layers.layer_map(layers.OWN, 2, 4, (4, 1, 3)) == (4, 1)


def test_attention_losses_are_plain_sums():
    mse, divergence = 0.0, 0.0
    for head in range(2):
        for query in range(3):
            taught, learnt = TAUGHT[head, query].tolist(), LEARNT[head, query].tolist()
            mse += sum((a - b) ** 2 for a, b in zip(learnt, taught, strict=True)) / 9
            p = [math.exp(a) / sum(map(math.exp, taught)) for a in taught]
            q = [math.exp(a) / sum(map(math.exp, learnt)) for a in learnt]
            divergence += sum(a * math.log(a / b) for a, b in zip(p, q, strict=True))
    assert layers.attention_mse(LEARNT, TAUGHT) == pytest.approx(mse / 2, rel=1e-6)
    assert layers.attention_transfer(LEARNT, TAUGHT) == pytest.approx(divergence / 6, rel=1e-6)


def test_a_place_that_neither_sees_adds_nothing():
    hidden = np.zeros_like(LEARNT)
    hidden[:, 0, -1] = -np.inf
    seen = np.isfinite(hidden)
    expected = ((LEARNT - TAUGHT)[seen] ** 2).sum() / LEARNT.size
    assert layers.attention_mse(LEARNT + hidden, TAUGHT + hidden) == pytest.approx(expected)
    told = layers.attention_transfer(LEARNT + hidden, TAUGHT + hidden)
    assert 0 < told < np.inf


def test_torch_agrees():
    torch = pytest.importorskip("torch")
    from explorer.objectives.distillation import attention_and_hidden_matching, feature_map_transfer

    real = torch.ones(1, 3)
    learnt, taught = torch.tensor(LEARNT)[None], torch.tensor(TAUGHT)[None]
    trained = float(attention_and_hidden_matching.attention_loss(learnt, taught, real))
    assert layers.attention_mse(LEARNT, TAUGHT) == pytest.approx(trained, rel=1e-5)
    trained = float(feature_map_transfer.attention_transfer(learnt, taught, real))
    assert layers.attention_transfer(LEARNT, TAUGHT) == pytest.approx(trained, rel=1e-5)
