import numpy as np
import pytest

from explorer.objectives import IGNORED
from explorer.objectives.masking.span_boundary import boundaries

X = IGNORED


def plain_boundaries(labels):
    """Walk from each selected token to the ends of its run."""
    found = []
    for row, text in enumerate(labels.tolist()):
        for place, label in enumerate(text):
            if label != IGNORED:
                left, right = place, place
                while text[left] != IGNORED:
                    left -= 1
                while text[right] != IGNORED:
                    right += 1
                found.append((row, left, right, place - left - 1))
    return found


def test_boundaries_of_a_batch():
    labels = np.array([[X, 7, 8, X, X, 9, X, X], [X, X, X, 5, 6, 4, 3, X], [X] * 8])
    found = boundaries(labels)
    rows = list(zip(found.rows, found.left, found.right, found.places, strict=True))
    assert rows == [
        (0, 0, 3, 0), (0, 0, 3, 1), (0, 4, 6, 0),
        (1, 2, 7, 0), (1, 2, 7, 1), (1, 2, 7, 2), (1, 2, 7, 3),
    ]  # fmt: skip


def test_boundaries_of_random_batches():
    rng = np.random.default_rng(0)
    for _ in range(50):
        labels = np.where(rng.random((4, 30)) < 0.4, rng.integers(5, 90, (4, 30)), IGNORED)
        labels[:, [0, -1]] = IGNORED
        found = boundaries(labels)
        rows = list(zip(found.rows, found.left, found.right, found.places, strict=True))
        assert rows == plain_boundaries(labels)


def test_a_span_at_the_edge_has_no_boundary():
    with pytest.raises(ValueError, match="either side"):
        boundaries(np.array([[7, X, X]]))
