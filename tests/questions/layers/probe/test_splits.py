"""Which words train a probe and which test it."""

import numpy as np
import pytest

from explorer.questions.layers.probe.question import SEEDS
from explorer.questions.layers.probe.splits import control_labels, splits_of
from explorer.questions.layers.probe.texts import world_texts


@pytest.fixture(scope="module")
def words():
    texts = world_texts("part_of_speech", 150, lambda: None)
    found = [word for one in texts for word in one.words]
    owners = np.array([n for n, one in enumerate(texts) for _ in one.words])
    return found, owners


def test_no_sentence_is_on_both_sides(words):
    found, owners = words
    repeated = 0
    for split in splits_of(found, owners, range(SEEDS)):
        trained = {found[n].sentence for n in split.train}
        assert trained.isdisjoint(found[n].sentence for n in split.test)
        assert set(owners[split.train]).isdisjoint(owners[split.test])
        assert len(set(owners[split.train])) == 150 - round(0.25 * 150)
        repeated += len(found) - len(split.train) - len(split.test)
    assert repeated > 0, "no text shares a sentence with another: the test shows nothing"


def test_withheld_words_are_tested_on_and_never_trained_on(words):
    found, owners = words
    for split in splits_of(found, owners, range(SEEDS)):
        hidden = split.withholding(found)
        trained = {found[n].type for n in hidden.train}
        tested = {found[n].type for n in hidden.test}
        assert tested
        assert trained.isdisjoint(tested)
        assert set(hidden.train) <= set(split.train)
        assert set(hidden.test) <= set(split.test)


def test_the_same_seed_splits_alike_and_another_does_not(words):
    found, owners = words
    one, again, other = (splits_of(found, owners, [seed])[0] for seed in (3, 3, 4))
    assert np.array_equal(one.test, again.test)
    assert not np.array_equal(one.test, other.test)


def test_a_control_gives_a_word_one_label_as_often_as_there_are_such():
    types = [f"w{n % 4000}" for n in range(8000)]
    labels = np.array([0] * 6000 + [1] * 1600 + [2] * 400)
    drawn = control_labels(types, labels, 0)
    assert np.array_equal(drawn[:4000], drawn[4000:])
    assert np.bincount(drawn) / 8000 == pytest.approx([0.75, 0.2, 0.05], abs=0.02)
    assert np.array_equal(drawn, control_labels(types, labels, 0))
    assert not np.array_equal(drawn, control_labels(types, labels, 1))
