"""The probe's regression against Newton's method written here, and against scikit-learn."""

import numpy as np
import pytest

from explorer.api.question import Cancelled
from explorer.questions.layers.probe import regression


def data(seed, count=240, width=12, classes=4, noise=1.5):
    """Correlated features, and labels that they tell with noise."""
    draw = np.random.default_rng(seed)
    features = draw.normal(size=(count, width)) @ draw.normal(size=(width, width))
    features = (features - features.mean(0)) / features.std(0)
    truth = features @ draw.normal(size=(width, classes))
    labels = (truth + noise * draw.gumbel(size=truth.shape)).argmax(1)
    return features, labels.astype(np.int64), classes


def newton(features, labels, classes):
    """The same penalised loss, minimised with its full Hessian."""
    inputs = np.c_[features, np.ones(len(features))]
    width = inputs.shape[1]
    penalty = np.tile(np.r_[np.ones(width - 1), 0.0], classes)
    weights = np.zeros(width * classes)
    wanted = np.eye(classes)[labels]
    for _ in range(60):
        scores = inputs @ weights.reshape(classes, width).T
        chances = np.exp(scores - scores.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        slope = ((chances - wanted).T @ inputs).ravel() + penalty * weights
        hessian = np.diag(penalty + 1e-10)
        for one in range(classes):
            for other in range(classes):
                share = chances[:, one] * ((one == other) - chances[:, other])
                block = (inputs * share[:, None]).T @ inputs
                hessian[one * width : (one + 1) * width, other * width : (other + 1) * width] += (
                    block
                )
        weights = weights - np.linalg.lstsq(hessian, slope, rcond=None)[0]
        if np.abs(slope).max() < 1e-9:
            break
    return weights.reshape(classes, width).T


@pytest.mark.parametrize("seed", range(4))
def test_it_is_what_newtons_method_finds(seed):
    features, labels, classes = data(seed)
    found = regression.probabilities(features, regression.fit(features, labels, classes))
    expected = regression.probabilities(features, newton(features, labels, classes))
    assert np.abs(found - expected).max() < 1e-6
    assert ((found.argmax(1) == labels).mean() - (expected.argmax(1) == labels).mean()) == (
        pytest.approx(0, abs=0.002)
    )


@pytest.mark.parametrize("seed", range(3))
def test_states_that_are_nearly_parted_take_few_steps(seed, monkeypatch):
    """Where the penalty decides, steps that know no curvature creep for hundreds."""
    features, labels, classes = data(seed, count=600, width=40, classes=8, noise=0.3)
    steps = []
    found = regression.fit(features, labels, classes, lambda: steps.append(1))
    assert len(steps) <= 80
    expected = regression.probabilities(features, newton(features, labels, classes))
    assert np.abs(regression.probabilities(features, found) - expected).max() < 1e-6
    steps.clear()
    monkeypatch.setattr(regression, "TOLERANCE", 2e-5)
    found = regression.fit(features, labels, classes, lambda: steps.append(1))
    assert np.abs(regression.probabilities(features, found) - expected).max() < 1e-3
    assert len(steps) <= 50


@pytest.mark.parametrize("seed", range(4))
def test_accuracy_is_scikit_learns(seed):
    from sklearn.linear_model import LogisticRegression

    features, labels, classes = data(seed, count=600)
    theirs = LogisticRegression(max_iter=5000, tol=1e-8).fit(features[:450], labels[:450])
    ours = regression.fit(features[:450], labels[:450], classes)
    said = regression.scores(features[450:], ours).argmax(1)
    assert (said == labels[450:]).mean() == pytest.approx(
        theirs.score(features[450:], labels[450:]), abs=0.002
    )


def test_labels_that_are_parted_stay_finite_and_twice_is_the_same():
    features, labels, classes = data(1, noise=0.0)
    once, twice = (regression.fit(features, labels, classes) for _ in range(2))
    assert np.isfinite(once).all()
    assert np.array_equal(once, twice)
    assert (regression.scores(features, once).argmax(1) == labels).mean() > 0.95


def test_where_it_begins_does_not_matter():
    features, labels, classes = data(2)
    cold = regression.fit(features, labels, classes)
    other = regression.fit(features[::-1][:200], labels[::-1][:200], classes)
    warm = regression.fit(features, labels, classes, begin=other)
    found = [regression.probabilities(features, one) for one in (cold, warm)]
    assert np.abs(found[0] - found[1]).max() < 1e-6


def test_it_can_be_stopped_between_steps():
    features, labels, classes = data(3)
    asked = []

    def check():
        asked.append(1)
        if len(asked) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        regression.fit(features, labels, classes, check)


@pytest.mark.parametrize("least", [1e-6, 1.0, -1e-3])
def test_inverses_are_those_of_elimination_where_rounding_left_no_positive_matrix_too(least):
    random = np.random.default_rng(5)
    turned, _ = np.linalg.qr(random.normal(size=(40, 40)))
    symmetric = (turned * np.geomspace(1.0, 50.0, 40)) @ turned.T
    symmetric += (least - 1.0) * np.outer(turned[:, 0], turned[:, 0])
    found = regression._inverse_of((symmetric + symmetric.T) / 2)
    np.testing.assert_allclose(found, np.linalg.inv(symmetric), rtol=1e-6, atol=1e-8 / abs(least))
