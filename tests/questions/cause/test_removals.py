"""Occlusion, deletion and Shapley values against brute force, and the curves against both."""

import itertools

import numpy as np
import pytest

from explorer.api.question import Context, Predictor, Query
from explorer.attribution.baselines import baseline_vectors, kept_places, standing_of
from explorer.attribution.explained import explained_word
from explorer.attribution.kinds import Baseline
from explorer.attribution.methods.removals.deletion import deletion
from explorer.attribution.methods.removals.occlusion import occlusion
from explorer.attribution.methods.removals.shapley import exact_shapley, shapley
from explorer.attribution.removals import values_of
from explorer.questions.cause.faithfulness import (
    comprehensiveness,
    curves_of,
    sufficiency,
)
from tests.hf.kept import miniature

torch = pytest.importorskip("torch")

TEXT = "The chef cooked the [MASK] ."


class Short:
    """A short text, with the log-probability of "soup" read through the predictor alone."""

    def __init__(self, name="bert-miniature", text=TEXT):
        self.model = miniature(name)
        self.encoded = self.model.encode(text)
        (place,) = self.encoded.mask_positions
        self.word = self.model.tokenizer.convert_tokens_to_ids("soup")
        self.explained = explained_word(self.model, self.encoded, place, self.word, Context())
        self.own = self.explained.own()
        kept = kept_places(self.explained)
        standing = standing_of(self.model, Baseline.MASK)
        self.baseline = baseline_vectors(self.explained, self.own, standing, kept)
        self.units = tuple((n,) for n in range(len(self.own)) if n not in kept)
        self.parts = self.explained, self.own, self.baseline, self.units

    def masked(self, units):
        """With real masks in place of some units."""
        pieces = {place: None for unit in units for place in self.units[unit]}
        query = Query(self.encoded, self.encoded.mask_positions, pieces)
        (row,) = self.model.port(Predictor).log_probabilities([query], Context())
        return float(row[0, self.word])


@pytest.fixture(scope="module")
def short():
    return Short()


def test_only_what_was_typed_is_scored(short):
    assert [short.encoded.tokens[n].text for (n,) in short.units] == [
        "the",
        "chef",
        "cooked",
        "the",
        ".",
    ]


def test_occlusion_is_the_loss_under_a_real_mask(short):
    whole = short.masked(())
    expected = [whole - short.masked((unit,)) for unit in range(len(short.units))]
    assert occlusion(*short.parts) == pytest.approx(expected, abs=1e-5)


def test_deletion_is_the_loss_in_a_shorter_text(short):
    words = TEXT.split()
    whole = short.masked(())
    expected = []
    for gone in (0, 1, 2, 3, 5):
        text = " ".join(word for n, word in enumerate(words) if n != gone)
        encoded = short.model.encode(text)
        query = Query(encoded, encoded.mask_positions)
        (row,) = short.model.port(Predictor).log_probabilities([query], Context())
        expected.append(whole - float(row[0, short.word]))
    assert deletion(short.explained, short.own, short.units) == pytest.approx(expected, abs=1e-5)


def test_deletion_keeps_the_texts_of_a_pair_apart():
    model = miniature("bert-miniature")
    encoded = model.encode("The chef cooked the [MASK] .", "It was good .")
    word = model.tokenizer.convert_tokens_to_ids("soup")
    (place,) = encoded.mask_positions
    explained = explained_word(model, encoded, place, word, Context())
    at = [n for n, token in enumerate(encoded.tokens) if token.text in {"chef", "good"}]
    found = deletion(explained, explained.own(), [(n,) for n in at])
    whole = float(explained.values(explained.own()[None])[0])
    for lost, (text, pair) in zip(
        found,
        [
            ("The cooked the [MASK] .", "It was good ."),
            ("The chef cooked the [MASK] .", "It was ."),
        ],
        strict=True,
    ):
        other = model.encode(text, pair)
        query = Query(other, other.mask_positions)
        (row,) = model.port(Predictor).log_probabilities([query], Context())
        assert lost == pytest.approx(whole - float(row[0, word]), abs=1e-5)


def brute_shapley(short):
    """By the definition: over every order of the units, read through real masks."""
    count = len(short.units)
    value = {
        frozenset(there): short.masked(set(range(count)) - set(there))
        for size in range(count + 1)
        for there in itertools.combinations(range(count), size)
    }
    added = np.zeros(count)
    orders = list(itertools.permutations(range(count)))
    for order in orders:
        for step, unit in enumerate(order):
            before = frozenset(order[:step])
            added[unit] += value[before | {unit}] - value[before]
    return added / len(orders)


def test_shapley_values_are_the_mean_over_every_order(short):
    expected = brute_shapley(short)
    assert exact_shapley(*short.parts) == pytest.approx(expected, abs=1e-5)
    found, errors = shapley(*short.parts, samples=25, seed=0)
    assert found == pytest.approx(expected, abs=1e-5)
    assert not errors.any()


def test_sampled_values_add_up_and_lie_within_their_errors():
    text = "The chef cooked the [MASK] and the chef cooked the soup ."
    long = Short(text=text)
    assert len(long.units) == 11
    samples = 30
    found, errors = shapley(*long.parts, samples=samples, seed=1)
    first, last = long.explained.values(torch.stack([long.baseline, long.own])).tolist()
    assert found.sum() == pytest.approx(last - first, abs=1e-4)
    assert (errors > 0).all()
    expected = exact_shapley(*long.parts)
    assert (np.abs(found - expected) < 4 * errors).all()
    again, _ = shapley(*long.parts, samples=samples, seed=1)
    assert np.array_equal(found, again)
    other, _ = shapley(*long.parts, samples=samples, seed=2)
    assert not np.array_equal(found, other)


def test_words_that_are_taken_together_go_together(short):
    units = (short.units[0] + short.units[1], *short.units[2:])
    (both, *_rest) = occlusion(short.explained, short.own, short.baseline, units)
    assert both == pytest.approx(short.masked(()) - short.masked((0, 1)), abs=1e-5)


def test_curves_go_by_the_scores(short):
    scores = occlusion(*short.parts)
    curves = curves_of(*short.parts, scores)
    order = np.argsort(-scores)
    for taken in range(len(short.units) + 1):
        gone, rest = order[:taken].tolist(), order[taken:].tolist()
        assert curves.deletion[taken] == pytest.approx(short.masked(gone), abs=1e-5)
        assert curves.insertion[taken] == pytest.approx(short.masked(rest), abs=1e-5)
    # Of five units, 1 to 20 % are one of them, and 50 % are three.
    steps = [1, 1, 1, 1, 3]
    assert comprehensiveness(curves.deletion) == pytest.approx(
        np.mean([curves.deletion[0] - curves.deletion[k] for k in steps])
    )
    assert sufficiency(curves.insertion) == pytest.approx(
        np.mean([curves.insertion[-1] - curves.insertion[k] for k in steps])
    )


def test_a_cancel_stops_between_copies(short):
    from dataclasses import replace

    from explorer.api.question import Cancelled

    stopped = replace(short.explained, context=Context(is_cancelled=lambda: True))
    present = np.ones((1, len(short.units)), bool)
    with pytest.raises(Cancelled):
        values_of(stopped, short.own, short.baseline, short.units, present)
