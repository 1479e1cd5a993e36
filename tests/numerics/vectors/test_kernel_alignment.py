"""CKA against its formula, against an independent one, and on what is known of it."""

import numpy as np
import pytest

from explorer.numerics.vectors import kernel_alignment as cka
from explorer.numerics.vectors.kernel_alignment import CentredStates

RANDOM = np.random.default_rng(11)
WIDE = RANDOM.normal(size=(9, 6)).astype(np.float32)
NARROW = RANDOM.normal(size=(9, 4)).astype(np.float32)


def linear_cka(left, right):
    return cka.alignment(CentredStates(left), CentredStates(right))


def test_cka_is_the_formula_of_the_paper():
    x = WIDE.astype(float) - WIDE.astype(float).mean(axis=0)
    y = NARROW.astype(float) - NARROW.astype(float).mean(axis=0)
    expected = np.linalg.norm(y.T @ x) ** 2
    expected /= np.linalg.norm(x.T @ x) * np.linalg.norm(y.T @ y)
    assert linear_cka(WIDE, NARROW) == pytest.approx(expected, rel=1e-9)


def test_cka_does_not_see_a_rotation_a_shift_or_a_scale():
    rotation, _ = np.linalg.qr(RANDOM.normal(size=(6, 6)))
    assert linear_cka(WIDE, 2.5 * WIDE @ rotation + 1.0) == pytest.approx(1.0)
    assert linear_cka(WIDE, np.ones((9, 2))) == 0.0


def centring(n):
    return np.eye(n) - np.ones((n, n)) / n


def by_centring_matrix(x, y):
    """``tr(K H L H) / sqrt(tr(K H K H) tr(L H L H))`` of matrices that are not centred."""
    h = centring(len(x))
    k, m = x @ x.T, y @ y.T
    shared = np.trace(k @ h @ m @ h)
    return shared / np.sqrt(np.trace(k @ h @ k @ h) * np.trace(m @ h @ m @ h))


def hsic_by_sums(x, y):
    """Song et al. 2012, equation 5, of matrices that are not centred."""
    n = len(x)
    k, m = x @ x.T, y @ y.T
    np.fill_diagonal(k, 0.0)
    np.fill_diagonal(m, 0.0)
    ones = np.ones(n)
    found = np.trace(k @ m) + (ones @ k @ ones) * (ones @ m @ ones) / ((n - 1) * (n - 2))
    return (found - 2 / (n - 2) * (ones @ k @ m @ ones)) / (n * (n - 3))


@pytest.mark.parametrize(
    ("n", "left", "right"), [(40, 7, 12), (12, 30, 50), (cka.SMALL + 9, 8, 30)]
)
def test_both_forms_are_the_formula_with_a_centring_matrix(n, left, right):
    x = RANDOM.normal(size=(n, left)) + 3.0
    y = RANDOM.normal(size=(n, right)) @ np.diag(np.linspace(0.1, 5.0, right)) - 1.0
    y[:, :4] += x[:, :4]
    a, b = CentredStates(x), CentredStates(y)
    assert cka.alignment(a, b) == pytest.approx(by_centring_matrix(x, y), abs=1e-9)
    assert cka.unbiased_hsic(a, b) == pytest.approx(hsic_by_sums(x, y), rel=1e-9)
    expected = hsic_by_sums(x, y) / np.sqrt(hsic_by_sums(x, x) * hsic_by_sums(y, y))
    assert cka.unbiased_alignment(a, b) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("n", [10, 200])
def test_rotated_scaled_and_shifted_states_are_the_same(n):
    x = RANDOM.normal(size=(n, 32))
    rotation, _ = np.linalg.qr(RANDOM.normal(size=(32, 32)))
    for scale in (1e-3, 1.0, 1e4):
        a, b = CentredStates(x), CentredStates(scale * x @ rotation + 7.0)
        assert cka.alignment(a, b) == pytest.approx(1.0, abs=1e-6)
        assert cka.unbiased_alignment(a, b) == pytest.approx(1.0, abs=1e-6)


def test_unbiased_is_zero_for_unrelated_states_where_biased_is_not():
    biased, unbiased = [], []
    for seed in range(20):
        random = np.random.default_rng(seed)
        a, b = (CentredStates(random.normal(size=(200, 16))) for _ in range(2))
        biased.append(cka.alignment(a, b))
        unbiased.append(cka.unbiased_alignment(a, b))
    assert abs(np.mean(unbiased)) < 0.02
    assert np.mean(biased) > 0.05
    assert all(high > low for high, low in zip(biased, unbiased, strict=True))


def test_few_samples_of_wide_states_look_alike_only_to_the_biased_one():
    a, b = (CentredStates(RANDOM.normal(size=(20, 400))) for _ in range(2))
    assert cka.alignment(a, b) > 0.9
    assert abs(cka.unbiased_alignment(a, b)) < 0.2


def test_too_few_samples_and_a_layer_that_is_always_the_same():
    with pytest.raises(ValueError, match="needs 4"):
        cka.unbiased_hsic(CentredStates(WIDE[:3]), CentredStates(NARROW[:3]))
    assert cka.unbiased_alignment(CentredStates(WIDE), CentredStates(np.ones((9, 2)))) == 0.0
