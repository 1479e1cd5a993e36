import dataclasses
import json

import numpy as np
import pytest
import torch

from explorer.paths import Paths
from explorer.pretraining.learning_curves import (
    MASKED,
    WAYS,
    ComparedElectra,
    MaskedElectra,
    compare,
    linear_reading,
    pair_states,
)
from explorer.world.corpus import held_out_documents


def small(kind):
    """A recipe with small batches."""
    schedule = dataclasses.replace(ComparedElectra.schedule, examples=8)
    return type("Small", (kind,), {"schedule": schedule})


def test_a_linear_reader_reads_what_is_linear_and_guesses_what_is_not_there():
    rng = np.random.default_rng(0)
    states = rng.normal(size=(600, 5))
    labels = states @ np.array([1.0, -2.0, 0.0, 0.5, 0.0]) + 0.3 > 0.0
    assert linear_reading(states[:400], labels[:400], states[400:], labels[400:]) > 0.9
    noise = rng.random(600) < 0.5
    assert linear_reading(states[:400], noise[:400], states[400:], noise[400:]) < 0.62


def test_the_reader_sees_the_mean_state_of_each_pair(tokenizer):
    class Embedding(torch.nn.Module):
        def forward(self, tokens, token_type_ids):
            from types import SimpleNamespace

            both = torch.stack((tokens.float(), token_type_ids.float()), dim=-1)
            return SimpleNamespace(last_hidden_state=both)

    states, labels = pair_states(Embedding(), tokenizer, held_out_documents(60), seed=4)
    assert states.shape == (len(labels), 2)
    assert 0.2 < labels.mean() < 0.8
    assert ((states[:, 1] > 0.0) & (states[:, 1] < 1.0)).all(), "both segments are read"


def test_ways_are_compared_from_one_start_with_one_masking(texts, capsys):
    recipes = {
        "shared": small(ComparedElectra)("shared"),
        "separate": small(ComparedElectra)("separate"),
        MASKED: small(MaskedElectra)(),
    }
    found = compare(recipes, texts[:300], held_out_documents(12), steps=4, pairs=12, readings=2)
    assert 0.5 <= found["chance"] <= 1.0
    curves = found["curves"]
    assert list(curves) == list(recipes)
    for name, curve in curves.items():
        assert curve["steps"] == [1, 2, 3, 4]
        parts = {MASKED} if name == MASKED else {"generator", "discriminator"}
        assert set(curve["losses"]) == parts
        more = set() if name == MASKED else {"precision", "recall"}
        assert parts <= set(curve["accuracy"]) <= parts | more
        assert ("replaced" in curve) == (name != MASKED)
        for values in (*curve["losses"].values(), *curve["accuracy"].values()):
            assert len(values) == 4
        assert curve["pairs"]["steps"] == [2, 4]
        assert all(0.0 <= accuracy <= 1.0 for accuracy in curve["pairs"]["accuracy"])
    # One start and one masking: before the first update only what is shared differs.
    first = [curves[name]["losses"]["generator"][0] for name in ("shared", "separate")]
    assert first[0] == pytest.approx(first[1], rel=0.05)
    assert "pairs" in capsys.readouterr().err


@pytest.fixture(scope="module")
def bundled():
    path = Paths.standard().bundled_models.parent / "curves" / "electra.json"
    return json.loads(path.read_text("utf-8"))


def test_the_bundled_curves_are_whole_and_fall(bundled):
    curves = bundled["curves"]
    assert list(curves) == [*WAYS, MASKED]
    for curve in curves.values():
        assert curve["steps"] == curves[MASKED]["steps"]
        assert curve["steps"][-1] == curve["pairs"]["steps"][-1] == bundled["steps"]
        for values in (*curve["losses"].values(), *curve["accuracy"].values()):
            assert len(values) == len(curve["steps"])
        for losses in curve["losses"].values():
            assert losses[-1] < 0.9 * losses[len(losses) // 3] < losses[0]


def test_generators_learn_better_when_detection_does_not_pull_at_their_embeddings(bundled):
    """He et al. 2023, section 3.2: the tug of war between the two losses."""
    ends = {way: bundled["curves"][way]["losses"]["generator"][-5:] for way in WAYS}
    means = {way: sum(values) / len(values) for way, values in ends.items()}
    assert means["gradient-disentangled"] < means["shared"]
    assert means["separate"] < means["shared"]


def test_detection_teaches_more_about_pairs_than_masks_do(bundled):
    """Clark et al. 2020, section 3.5: a loss at every token."""
    pairs = {name: curve["pairs"]["accuracy"] for name, curve in bundled["curves"].items()}
    best = max(pairs["gradient-disentangled"][-3:])
    assert best > max(pairs[MASKED]) > bundled["chance"]
