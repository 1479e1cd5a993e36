"""Losses beside the papers' formulas, written out anew."""

import numpy as np
import pytest
import torch

from explorer.learning.distilling.choices import LayerMapping, NamedLosses, TaughtBy
from explorer.learning.distilling.matching import (
    Matched,
    layer_losses,
    prediction_losses,
    sharpened,
    told_apart,
)
from explorer.learning.distilling.teachers.teacher import Scored
from explorer.learning.distilling.weights import NAMED, layer_map, weights_of
from explorer.objectives.distillation.attention_and_hidden_matching import uniform_layer_map
from tests.learning.distilling.small_plans import planned

PLACES, PIECES, BATCH, HEADS, LENGTH, WIDTH = 7, 11, 3, 2, 5, 4


def said_by(seed, layers):
    """What a model could say of a batch with padding."""
    draw = torch.Generator().manual_seed(seed)

    def drawn(*shape):
        return torch.randn(*shape, generator=draw, dtype=torch.float64)

    real = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 1, 1, 1, 0]])
    labels = torch.randint(PIECES, (PLACES,), generator=torch.Generator().manual_seed(3))
    return Scored(
        drawn(PLACES, PIECES) * 2,
        labels,
        tuple(drawn(BATCH, LENGTH, WIDTH) for _ in range(layers + 1)),
        tuple(drawn(BATCH, HEADS, LENGTH, LENGTH) for _ in range(layers)),
        real,
    )


STUDENT, TEACHER = said_by(1, 2), said_by(2, 4)
REAL = STUDENT.real.numpy().astype(bool)


def softmax(logits):
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def kl(at):
    p, q = (softmax(one.scores.numpy() / at) for one in (TEACHER, STUDENT))
    return (p * np.log(p / q)).sum(axis=-1).mean()


def crossed(at):
    p, q = (softmax(one.scores.numpy() / at) for one in (TEACHER, STUDENT))
    return -(p * np.log(q)).sum(axis=-1).mean()


def own_loss():
    q = softmax(STUDENT.scores.numpy())
    return -np.log(q[np.arange(PLACES), STUDENT.labels.numpy()]).mean()


def mean_square(student, teacher):
    return ((student.numpy()[REAL] - teacher.numpy()[REAL]) ** 2).mean()


def attention_square(layer, source):
    squares = []
    for text in range(BATCH):
        kept = np.flatnonzero(REAL[text])
        both = np.ix_(range(HEADS), kept, kept)
        squares.append(
            (
                STUDENT.attention[layer][text].numpy()[both]
                - TEACHER.attention[source][text].numpy()[both]
            )
            ** 2
        )
    return sum(one.sum() for one in squares) / sum(one.size for one in squares)


def attention_kl(layer, source):
    found = []
    for text in range(BATCH):
        kept = np.flatnonzero(REAL[text])
        for head in range(HEADS):
            for token in kept:
                p = softmax(TEACHER.attention[source][text, head, token].numpy()[kept])
                q = softmax(STUDENT.attention[layer][text, head, token].numpy()[kept])
                found.append((p * np.log(p / q)).sum())
    return np.mean(found)


def cosine():
    one, other = (each.states[-1].numpy()[REAL] for each in (STUDENT, TEACHER))
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    return 1 - ((one * other).sum(axis=-1) / lengths).mean()


def trained(weights, layers=(1, 3)):
    found = prediction_losses(STUDENT, TEACHER.scores, weights)
    found |= layer_losses(STUDENT, TEACHER, weights, Matched(layers))
    return {name: float(one) for name, one in found.items() if name.startswith("loss")}


def near(value):
    return pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("at", [1.0, 2.0, 4.0, 8.0])
@pytest.mark.parametrize("squared", [True, False])
def test_hinton(at, squared):
    plan = planned(temperature=at, alpha=0.7, squared=squared)
    factor = at**2 if squared else 1.0
    assert trained(weights_of(plan)) == {
        "loss_soft": near(0.7 * factor * kl(at)),
        "loss_mlm": near(0.3 * own_loss()),
    }


def test_distilbert():
    assert trained(NAMED[NamedLosses.DISTILBERT]) == {
        "loss_soft": near(5 * 4 * kl(2.0)),
        "loss_mlm": near(2 * own_loss()),
        "loss_cosine": near(cosine()),
    }


@pytest.mark.parametrize("named", [NamedLosses.TINYBERT, NamedLosses.TINYBERT_AT_ONCE])
def test_tinybert(named):
    assert trained(NAMED[named]) == {
        "loss_soft": near(crossed(1.0)),
        "loss_embedding": near(mean_square(STUDENT.states[0], TEACHER.states[0])),
        "loss_hidden_0": near(mean_square(STUDENT.states[1], TEACHER.states[2])),
        "loss_hidden_1": near(mean_square(STUDENT.states[2], TEACHER.states[4])),
        "loss_attention_0": near(attention_square(0, 1)),
        "loss_attention_1": near(attention_square(1, 3)),
    }


def test_mobilebert():
    assert trained(NAMED[NamedLosses.MOBILEBERT], (0, 1)) == {
        "loss_soft": near(0.5 * crossed(1.0)),
        "loss_mlm": near(0.5 * own_loss()),
        "loss_hidden_0": near(mean_square(STUDENT.states[1], TEACHER.states[1])),
        "loss_hidden_1": near(mean_square(STUDENT.states[2], TEACHER.states[2])),
        "loss_attention_0": near(attention_kl(0, 0)),
        "loss_attention_1": near(attention_kl(1, 1)),
    }


def test_states_are_projected_where_a_student_has_matrices():
    fits = [torch.randn(WIDTH, WIDTH, dtype=torch.float64) for _ in range(3)]
    matched = Matched((3, 1), [lambda states, own=own: states @ own for own in fits])
    found = layer_losses(STUDENT, TEACHER, weights_of(planned(hidden=2.0)), matched)
    assert {name: float(one) for name, one in found.items()} == {
        "loss_hidden_0": near(2 * mean_square(STUDENT.states[1] @ fits[1], TEACHER.states[4])),
        "loss_hidden_1": near(2 * mean_square(STUDENT.states[2] @ fits[2], TEACHER.states[2])),
    }


@pytest.mark.parametrize("at", [1.0, 4.0])
def test_divergence_gradient_and_the_constant_entropy_are_told_apart(at):
    scores = STUDENT.scores.clone().requires_grad_()
    found = {name: float(one) for name, one in told_apart(scores, TEACHER.scores, at).items()}
    assert found["kl"] == near(kl(at))
    assert found["kl"] + found["targets_entropy"] == near(crossed(at))
    learnt = (scores / at).log_softmax(-1)
    each = -((TEACHER.scores / at).softmax(-1) * learnt).sum(-1)
    each.sum().backward()  # of the cross-entropy: the entropy has no gradient
    assert found["soft_gradient"] == near(float(scores.grad.norm(dim=-1).mean()))
    alike = STUDENT.scores.numpy().argmax(-1) == TEACHER.scores.numpy().argmax(-1)
    assert found["agreement"] == pytest.approx(alike.mean())


def test_a_teacher_is_sharpened_until_it_is_sure():
    peaked = sharpened(TEACHER.scores, 0.99)
    assert peaked.softmax(-1).max(-1).values.numpy() == pytest.approx(0.99, abs=1e-6)
    assert (peaked.argsort(-1) == TEACHER.scores.argsort(-1)).all()
    # At the temperature that undoes it all is as before.
    at = (peaked[0].max() - peaked[0].min()) / (TEACHER.scores[0].max() - TEACHER.scores[0].min())
    before = TEACHER.scores[0].softmax(-1)
    assert torch.allclose((peaked[0] / at).softmax(-1), before, atol=1e-9)


def test_who_is_sure_already_or_knows_of_two_stays_as_it_is():
    sure = torch.tensor([[0.0, -1e4, -1e4]], dtype=torch.float64)
    torn = torch.tensor([[1.0, 1.0, -3.0]], dtype=torch.float64)
    assert sharpened(sure, 0.9).softmax(-1).tolist() == sure.softmax(-1).tolist()
    assert sharpened(torn, 0.9).softmax(-1).tolist() == torn.softmax(-1).tolist()


def test_hard_labels_have_no_soft_loss_and_exact_answers_no_layers():
    assert trained(weights_of(planned(targets=TaughtBy.LABELS))) == {"loss_mlm": near(own_loss())}
    exact = weights_of(planned(targets=TaughtBy.EXACT, hidden=1.0, attention=1.0))
    assert not exact.matches_layers
    assert exact.soft == 1.0


@pytest.mark.parametrize(("student", "teacher"), [(1, 4), (2, 4), (4, 12), (3, 3)])
def test_layers_learn_evenly_as_in_the_paper(student, teacher):
    mapped = layer_map(planned(layers=student), teacher)
    assert mapped == tuple(layer - 1 for layer in uniform_layer_map(student, teacher))


def test_layers_learn_from_the_first_the_last_or_those_typed():
    assert layer_map(planned(layers=2, layer_map=LayerMapping.FIRST), 4) == (0, 1)
    assert layer_map(planned(layers=2, layer_map=LayerMapping.LAST), 4) == (2, 3)
    assert layer_map(planned(layers=2, layer_map=LayerMapping.OWN, own_map="3, 0"), 4) == (3, 0)
