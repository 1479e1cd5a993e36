"""GPT-3 is a config: listed, described, and never opened."""

from pathlib import Path

import pytest

from explorer.api.family import CheckpointFault, Context, LoadOptions
from explorer.api.family.checkpoint import Source
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from tests.hf import tiny

ID = "gpt3-175b"
MODELS = Path(__file__).resolve().parents[2] / "resources" / "models"


@pytest.fixture
def catalogue(tmp_path):
    return Catalogue(tiny.families(), MODELS, tmp_path)


def test_listed_as_a_config(catalogue):
    row = catalogue.find(ID)
    assert row.source is Source.CONFIG
    assert row.family == "gpt3"
    assert row.title == "GPT-3 175B (config only)"
    assert row.architecture == "GPT-3 · 96 layers × 12288 wide × 96 heads · 50,257 pieces"
    assert row.max_length == 2048
    assert row.operations == ()
    assert "never published" in row.problem
    assert "weights" not in row.hint


def test_never_opened(catalogue):
    runner = Runner(tiny.families(), catalogue)
    with pytest.raises(CheckpointFault, match="no weights"):
        runner.load("A", ID, LoadOptions(), Context())


def test_its_size_is_the_published_one(catalogue):
    """175 billion (Brown et al. 2020, table 2.1), counted on the meta device."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    files = catalogue.files(catalogue.find(ID))
    with torch.device("meta"):
        module = GPT2LMHeadModel(GPT2Config.from_dict(dict(files.config)))
    total = sum(p.numel() for p in module.parameters())
    assert total == pytest.approx(175e9, rel=0.005)
