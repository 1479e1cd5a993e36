"""Principal components, trustworthiness and cosines against other ways to the same numbers."""

import numpy as np
import pytest

from explorer.numerics.vectors.projection import (
    cosines,
    principal_components,
    standardised,
    trustworthiness,
)


@pytest.fixture(params=[(40, 12), (9, 64), (200, 64)], ids=str)
def points(request):
    rng = np.random.default_rng(7)
    return rng.normal(size=request.param) * np.linspace(3, 0.1, request.param[1]) + 5


def test_components_are_eigenvectors_of_the_covariance(points):
    found, shares = principal_components(points)
    values, vectors = np.linalg.eigh(np.cov(points, rowvar=False))
    values, axes = values[::-1], vectors[:, ::-1][:, :2]
    by_hand = (points - points.mean(0)) @ axes
    signs = np.sign((by_hand * found).sum(0))
    assert np.allclose(found, by_hand * signs, atol=1e-6)
    assert np.allclose(shares, values[:2] / values.sum(), atol=1e-9)


def test_components_and_signs_are_those_of_scikit_learn(points):
    from sklearn.decomposition import PCA

    theirs = PCA(2, svd_solver="full")
    expected = theirs.fit_transform(points)
    found, shares = principal_components(points)
    assert np.allclose(found, expected, atol=1e-6)
    assert np.allclose(shares, theirs.explained_variance_ratio_, atol=1e-9)


def test_a_mirrored_decomposition_gives_the_same_picture(points):
    found, _ = principal_components(points)
    again, _ = principal_components(points[::-1])
    assert np.allclose(found, again[::-1], atol=1e-6)


def test_few_points_have_few_axes():
    found, shares = principal_components(np.array([[1.0, 2.0], [3.0, 6.0]]))
    assert np.allclose(found[:, 1], 0)
    assert shares == pytest.approx([1.0, 0.0])
    found, shares = principal_components(np.array([[1.0, 2.0, 3.0]]))
    assert np.array_equal(found, [[0.0, 0.0]])
    assert np.array_equal(shares, [0.0, 0.0])


def by_the_formula(points, picture, k):
    """Venna and Kaski 2001, word for word."""
    n = len(points)

    def ordered(space, i):
        others = [j for j in range(n) if j != i]
        return sorted(others, key=lambda j: float(np.linalg.norm(space[i] - space[j])))

    total = 0
    for i in range(n):
        truth = ordered(points, i)
        for j in ordered(picture, i)[:k]:
            rank = truth.index(j) + 1
            if rank > k:
                total += rank - k
    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * total


@pytest.mark.parametrize("k", [1, 3, 4])
def test_trustworthiness_is_the_formula(points, k):
    picture, _ = principal_components(points)
    found = trustworthiness(points, picture, k)
    assert found == pytest.approx(by_the_formula(points, picture, k), abs=1e-12)
    assert found < 1
    assert trustworthiness(points, points, k) == 1.0


@pytest.mark.parametrize("k", [1, 3, 4])
def test_trustworthiness_is_that_of_scikit_learn(points, k):
    from sklearn import manifold

    picture, _ = principal_components(points)
    expected = manifold.trustworthiness(points, picture, n_neighbors=k)
    assert trustworthiness(points, picture, k) == pytest.approx(expected)


def test_too_few_points_have_no_trustworthiness():
    with pytest.raises(ValueError, match="5 neighbours of 10 points"):
        trustworthiness(np.eye(10), np.eye(10)[:, :2], 5)


def test_cosines_one_by_one():
    points = np.random.default_rng(3).normal(size=(6, 4))
    points[2] = 0
    found = cosines(points)
    for i, one in enumerate(points):
        for j, other in enumerate(points):
            lengths = np.linalg.norm(one) * np.linalg.norm(other)
            assert found[i, j] == pytest.approx(one @ other / lengths if lengths else 0.0)


def test_standardised_dimensions(points):
    points = np.hstack([points, np.full((len(points), 1), 4.0)])
    found = standardised(points)
    assert np.allclose(found.mean(0), 0)
    assert np.allclose(found[:, :-1].std(0), 1)
    assert np.all(found[:, -1] == 0)
