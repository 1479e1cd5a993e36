import dataclasses

import numpy as np
import pytest
import torch

from explorer.pretraining.corpus import held_out_documents
from explorer.pretraining.learning_curves import (
    MASKED,
    MaskedElectra,
    compare,
    linear_reading,
    pair_states,
)
from explorer.pretraining.recipes.electra import ElectraRecipe


def small(kind):
    """A recipe with small batches."""
    schedule = dataclasses.replace(ElectraRecipe.schedule, examples=8)
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
        "shared": small(ElectraRecipe)("shared"),
        "separate": small(ElectraRecipe)("separate"),
        MASKED: small(MaskedElectra)(),
    }
    runs = compare(recipes, texts[:300], held_out_documents(12), steps=4, pairs=12, readings=2)
    assert [row["step"] for row in runs["shared"]["rows"]] == [1.0, 2.0, 3.0, 4.0]
    assert "rtd_loss" in runs["separate"]["rows"][0]
    assert "rtd_loss" not in runs[MASKED]["rows"][0]
    for run in runs.values():
        assert [read["step"] for read in run["pairs"]] == [2.0, 4.0]
        assert all(0.0 <= read["accuracy"] <= 1.0 for read in run["pairs"])
    assert "pairs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sharing", "tables"), [("shared", 1), ("gradient-disentangled", 2), ("separate", 2)]
)
def test_ways_of_sharing_differ_in_how_many_tables_are_trained(tokenizer, sharing, tables):
    model = ElectraRecipe(sharing).make_model(tokenizer)
    shape = (len(tokenizer), 128)
    assert sum(p.shape == shape for p in model.parameters()) == tables
