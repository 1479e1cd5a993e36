"""Virtual adversarial training, against a plain computation and finite differences."""

import math

import numpy as np
import pytest
import torch

from explorer.objectives.adversarial.scale_invariant import (
    BEGINS,
    misleading,
    normalised,
    random_change,
    symmetric_divergence,
    virtual_adversarial_loss,
)

RNG = np.random.default_rng(3)
WEIGHTS = RNG.normal(0, 1, (6, 4))
INPUTS = RNG.normal(5, 3, (5, 6))


def scores(embeddings):
    return torch.tanh(embeddings) @ torch.tensor(WEIGHTS)


def plain_divergence(some, others):
    """Both sums, one number after the other."""
    total = 0.0
    for first, second in zip(some, others, strict=True):
        p, q = ([math.exp(z) for z in row] for row in (first, second))
        p, q = ([one / math.fsum(row) for one in row] for row in (p, q))
        total += math.fsum(
            a * math.log(a / b) + b * math.log(b / a) for a, b in zip(p, q, strict=True)
        )
    return total / len(some)


def plain_scores(embeddings):
    return np.tanh(embeddings) @ WEIGHTS


def test_the_divergence_equals_a_plain_computation():
    some, others = RNG.normal(0, 2, (5, 4)), RNG.normal(0, 2, (5, 4))
    found = symmetric_divergence(torch.tensor(some), torch.tensor(others)).item()
    assert found == pytest.approx(plain_divergence(some, others))
    assert symmetric_divergence(torch.tensor(some), torch.tensor(some)).item() == 0.0


def test_normalised_embeddings_have_one_scale():
    found = normalised(torch.tensor(INPUTS)).numpy()
    expected = (INPUTS - INPUTS.mean(1, keepdims=True)) / INPUTS.std(1, keepdims=True)
    assert found == pytest.approx(expected, abs=1e-6)
    assert normalised(torch.tensor(7.0 * INPUTS)).numpy() == pytest.approx(found, abs=1e-6)


def test_the_change_goes_along_the_gradient_of_the_divergence():
    """Found again by finite differences of the plain computation."""
    inputs = normalised(torch.tensor(INPUTS))
    begun = random_change(inputs, torch.Generator().manual_seed(1))
    answer = scores(inputs)
    change = misleading(scores, inputs, answer, begun, step=0.5)
    clean, near = plain_scores(inputs.numpy()), (inputs + begun).numpy()
    gradient = np.zeros_like(near)
    for place in np.ndindex(*near.shape):
        ends = []
        for way in (1e-6, -1e-6):
            moved = near.copy()
            moved[place] += way
            ends.append(plain_divergence(plain_scores(moved), clean))
        gradient[place] = (ends[0] - ends[1]) / 2e-6
    direction = gradient / np.abs(gradient).max(axis=1, keepdims=True)
    assert (change - begun).numpy() == pytest.approx(0.5 * direction, abs=1e-3)


def test_the_change_misleads_more_than_another_of_its_size():
    inputs = normalised(torch.tensor(INPUTS))
    answer = scores(inputs)
    begun = random_change(inputs, torch.Generator().manual_seed(1), spread=1e-3)
    found = misleading(scores, inputs, answer, begun, step=0.05)
    worst = virtual_adversarial_loss(scores, inputs, answer, found).item()
    for seed in range(5):
        other = torch.randn(found.shape, generator=torch.Generator().manual_seed(seed)).double()
        other *= found.norm(dim=-1, keepdim=True) / other.norm(dim=-1, keepdim=True)
        assert virtual_adversarial_loss(scores, inputs, answer, other).item() < worst


def test_a_random_change_is_small_and_repeats():
    inputs = torch.zeros(200, 6, dtype=torch.float64)
    some, again = (random_change(inputs, torch.Generator().manual_seed(2)) for _ in range(2))
    assert torch.equal(some, again)
    assert some.abs().max().item() <= 2 * BEGINS
    assert some.std().item() == pytest.approx(BEGINS, rel=0.15)


def test_the_loss_teaches_through_both_answers():
    inputs = normalised(torch.tensor(INPUTS))
    weights = torch.tensor(WEIGHTS, requires_grad=True)
    change = random_change(inputs, torch.Generator().manual_seed(1), spread=0.3)
    loss = virtual_adversarial_loss(lambda x: x @ weights, inputs, inputs @ weights, change)
    (found,) = torch.autograd.grad(loss, weights)
    at = (2, 1)
    ends = []
    for way in (1e-6, -1e-6):
        moved = WEIGHTS.copy()
        moved[at] += way
        ends.append(plain_divergence((inputs + change).numpy() @ moved, inputs.numpy() @ moved))
    assert found[at].item() == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-4)
