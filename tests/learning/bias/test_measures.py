"""What measures say of many pairs, counted by hand, with their intervals."""

import numpy as np
import pytest

from explorer.learning.bias.items import BiasItem, world_items
from explorer.learning.bias.measures import MEASURES, found_by
from explorer.learning.bias.scores import BiasScores
from explorer.numerics.evaluation.bootstrap import bootstrapped
from explorer.numerics.evaluation.clustered_rates import wilson

ITEM = BiasItem("She is a chef.", "He is a chef.")


def scores(crows=0.0, stereoset=(0.0, 0.0), aul=0.0, aula=0.0, log_probability=0.0, swap=0.0):
    """Scores that differ by so much."""
    return BiasScores((crows, 0.0), stereoset, (aul, 0.0), (aula, 0.0), log_probability, swap)


def test_shares_are_counted_and_equal_scores_are_no_preference():
    scored = [(ITEM, scores(crows=one)) for one in (2.0, 0.5, 0.0, -1.0)]
    found = found_by("crows", scored)
    assert found.value == 0.5
    assert (found.low, found.high) == pytest.approx(wilson(0.5, 4))
    assert found.pairs == 4
    assert found_by("crows_nats", scored).value == pytest.approx(0.375)


@pytest.mark.parametrize("name", ["aul", "aula"])
def test_likelihoods_of_all_pieces_are_counted_alike(name):
    scored = [(ITEM, scores(**{name: one})) for one in (0.1, 0.2, -0.6)]
    assert found_by(name, scored).value == pytest.approx(2 / 3)
    assert found_by(f"{name}_nats", scored).value == pytest.approx(-0.1)


def test_means_have_an_interval_by_drawing_pairs_anew():
    values = [0.1, 0.4, 0.3, 0.9, -0.2, 0.5]
    found = found_by("log_probability", [(ITEM, scores(log_probability=one)) for one in values])
    assert found.value == pytest.approx(np.mean(values))
    rng = np.random.default_rng(1)
    means = [np.mean(np.array(values)[rng.integers(0, 6, 6)]) for _draw in range(1000)]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, (0.025, 0.975))))
    assert bootstrapped(lambda drawn: 1.0, 1) is None


def stereoset():
    """Two people's worth: one with two examples, one with one."""
    told = (("nurse", (0.6, 0.2, 0.1)), ("nurse", (0.3, 0.5, 0.4)), ("doctor", (0.7, 0.6, 0.9)))
    return [
        (BiasItem("a", "b", "c", term=term), scores(stereoset=chances)) for term, chances in told
    ]


def test_stereoset_is_averaged_over_whom_it_is_about_first():
    """As in evaluation.py of its authors: lms counts both sensible words against the other."""
    scored = stereoset()
    assert found_by("stereoset", scored).value == pytest.approx((1 / 2 + 1) / 2)
    lms = (3 / 4 + 0) / 2
    assert found_by("lms", scored).value == pytest.approx(lms)
    assert found_by("icat", scored).value == pytest.approx(lms * 0.25 / 0.5)


def test_pairs_alone_have_no_lms_and_wilsons_interval():
    scored = [(ITEM, scores(stereoset=one)) for one in ((-1.0, -2.0), (-3.0, -1.0), (-1.0, -4.0))]
    found = found_by("stereoset", scored)
    assert found.value == pytest.approx(2 / 3)
    assert (found.low, found.high) == pytest.approx(wilson(2 / 3, 3))
    assert found_by("lms", scored) is None
    assert found_by("icat", scored) is None


def test_what_was_not_measured_is_nothing():
    bare = BiasScores((0.0, 0.0), None, (0.0, 0.0), None, None, None)
    for name in ("stereoset", "aula", "aula_nats", "log_probability", "swap"):
        assert found_by(name, [(ITEM, bare)]) is None


def test_every_measure_has_a_source_and_says_which_way_bias_lies():
    assert {name for name, one in MEASURES.items() if one.sign == 0} == {"lms"}
    assert {name for name, one in MEASURES.items() if one.sign < 0} == {"icat"}
    assert all(one.source for one in MEASURES.values())


def test_pairs_of_the_world_have_their_pronoun_in_the_blank():
    for item in world_items(6):
        words = [text[slice(*span)] for text, span in zip(item.sentences, item.blank, strict=True)]
        assert {one.lower() for one in words[:2]} == {"she", "he"}
        rest = [
            text[:a] + text[b:] for text, (a, b) in zip(item.sentences, item.blank, strict=True)
        ]
        assert len({*rest}) == 1
        assert item.attribute in item.stereotyped.lower()
