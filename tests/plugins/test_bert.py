"""BERT's plugin: its manifest against the architecture, and the bundled miniature."""

from pathlib import Path

import pytest

from explorer.api.family import Context, LoadOptions
from explorer.api.family.checkpoint import Source
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.hf import tiny

ROOT = Path(__file__).resolve().parents[2]
HEADER = 50_000
"""Bytes that a safetensors header of such a model takes at most."""


@pytest.fixture(scope="module")
def host():
    return tiny.families()


def published():
    return [one for family, one in tiny.families().published if family == "bert"]


@pytest.mark.parametrize("one", published(), ids=lambda one: one.id)
def test_sizes_follow_from_the_architecture(one):
    """Parameters counted from the config, on the meta device, and four bytes for each."""
    import torch
    from transformers import BertConfig, BertForPreTraining

    with torch.device("meta"):
        module = BertForPreTraining(BertConfig(**one.config))
    assert one.parameters == sum(p.numel() for p in module.parameters())
    if one.size_bytes is not None:
        assert 0 <= one.size_bytes - 4 * one.parameters < HEADER
    licences = {"google-bert": "Apache-2.0", "klue": "CC-BY-SA-4.0"}
    assert one.licence == licences[one.id.split("/")[0]]
    assert one.note.endswith(".")


def test_googles_nine_and_a_korean_one_are_there():
    google = [one for one in published() if one.id.startswith("google-bert/")]
    sizes = {(one.config["num_hidden_layers"], one.config["vocab_size"]) for one in google}
    assert len(google) == 9
    assert [one.id for one in published() if one.languages == "Korean"] == ["klue/bert-base"]
    layers_and_pieces = {(12, 30522), (12, 28996), (24, 30522), (24, 28996), (12, 119547)}
    assert sizes == layers_and_pieces | {(12, 105879), (12, 21128)}


def test_the_bundled_miniature_knows_the_film_was_good(host, tmp_path):
    catalogue = Catalogue(host, ROOT / "resources" / "models", tmp_path)
    row = next(one for one in catalogue.list() if one.id == "bert-miniature")
    assert (row.source, row.title, row.problem) == (Source.BUNDLED, "BERT miniature", "")
    assert all(head.present for head in row.heads)
    runner = Runner(host, catalogue)
    card = runner.load("A", row.id, LoadOptions(device="cpu"), Context())
    assert card.parameters == row.parameters
    assert card.report.missing == ()
    request = MaskedTokensRequest("I liked the movie, it was [MASK].", top_k=500)
    (mask,) = runner.ask(request, {"model": "A"}, Context()).masks
    probability = {p.word: p.probability for p in mask.predictions}
    assert probability["exciting"] > 10 * probability.get("dull", 0.0)
    assert probability["great"] > 10 * probability.get("boring", 0.0)
