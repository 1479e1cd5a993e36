"""The decoder against what the authors' own code computed for three tiny models."""

import json
from pathlib import Path

import pytest
import torch

from explorer.learning.models.span_boundary import plugin_module
from explorer.pretraining.models import deberta_discriminator, deberta_masked_lm

REFERENCE = Path(__file__).resolve().parents[1] / "reference" / "deberta"


def load(version, make):
    """A model with the reference's weights, and what the authors computed with them."""
    from safetensors.torch import load_file
    from transformers import DebertaConfig, DebertaV2Config

    kind = DebertaConfig if version == "v1" else DebertaV2Config
    config = kind(**json.loads((REFERENCE / version / "config.json").read_text("utf-8")))
    model = make(config)
    weights = load_file(REFERENCE / version / "model.safetensors")
    missing, _ = model.load_state_dict(weights, strict=False)
    assert not missing
    return model.eval(), load_file(REFERENCE / version / "expected.safetensors")


@pytest.fixture(params=["v1", "v2", "v3"])
def reference(request):
    return load(request.param, deberta_masked_lm(int(request.param[1:])))


def test_logits_are_the_authors(reference):
    model, expected = reference
    with torch.inference_mode():
        logits = model(input_ids=expected["input_ids"]).logits[0]
    found = logits[expected["mask_positions"].long()]
    torch.testing.assert_close(found, expected["emd_logits"], atol=1e-5, rtol=0)


def test_padding_changes_nothing(reference):
    model, expected = reference
    tokens = expected["input_ids"]
    padded = torch.cat((tokens, tokens.new_full((1, 3), 7)), dim=1)
    attention = torch.ones_like(padded)
    attention[:, -3:] = 0
    with torch.inference_mode():
        logits = model(input_ids=padded, attention_mask=attention).logits
        alone = model(input_ids=tokens).logits
    torch.testing.assert_close(logits[:, :-3], alone, atol=1e-5, rtol=0)


def test_positions_reach_the_predictions_through_the_decoder_only(reference):
    model, expected = reference
    tokens = expected["input_ids"]
    with torch.inference_mode():
        before = model(input_ids=tokens).logits
        encoded = model.deberta(input_ids=tokens).last_hidden_state
        model.deberta.embeddings.position_embeddings.weight.neg_()
        assert not torch.allclose(model(input_ids=tokens).logits, before, atol=1e-3)
        assert torch.equal(model.deberta(input_ids=tokens).last_hidden_state, encoded)


def test_both_steps_are_trained_through_one_layer(reference, monkeypatch):
    """Gradients reach the last layer's weights and the positions; one step gives another result."""
    model, expected = reference
    logits = model(input_ids=expected["input_ids"]).logits
    logits.square().sum().backward()
    assert model.deberta.embeddings.position_embeddings.weight.grad.abs().sum() > 0
    last = model.deberta.encoder.layer[-1]
    assert all(p.grad is not None for p in last.parameters())
    monkeypatch.setattr(plugin_module("deberta", "modules"), "DECODER_STEPS", 1)
    assert not torch.allclose(model(input_ids=expected["input_ids"]).logits, logits, atol=1e-3)


def test_detector_logits_are_the_authors():
    model, expected = load("v3", deberta_discriminator())
    with torch.inference_mode():
        logits = model(input_ids=expected["rtd_input_ids"]).logits
    torch.testing.assert_close(logits, expected["rtd_logits"], atol=1e-5, rtol=0)
