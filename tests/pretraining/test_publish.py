import json

import pytest
import torch

from explorer.pretraining.cards import masked as cards
from explorer.pretraining.publish import prepare, publish


@pytest.fixture(scope="module")
def published(small_recipe, tmp_path_factory):
    """Two steps of training, written as a miniature is."""
    out = tmp_path_factory.mktemp("models") / "tried"
    run, tokenizer = prepare(small_recipe, steps=2, seed=5, documents=400)
    run.curve.every = 1
    run.train()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "UNSEEN", 8)
        publish(run, tokenizer, out)
    return run, tokenizer, out


def test_transformers_loads_what_was_written(published, quiet_loading):
    from transformers import AutoTokenizer, BertForMaskedLM, BertForPreTraining

    run, tokenizer, out = published
    loaded, info = BertForPreTraining.from_pretrained(out, output_loading_info=True)
    assert not info["missing_keys"]
    for (name, was), now in zip(
        run.model.state_dict().items(), loaded.state_dict().values(), strict=True
    ):
        assert now.dtype == torch.float32
        assert torch.equal(was.half().float(), now), name
    assert BertForMaskedLM.from_pretrained(out).config.vocab_size == len(tokenizer)
    text = "Anna ate [MASK]."
    assert AutoTokenizer.from_pretrained(out)(text) == tokenizer(text)


def test_the_trained_model_keeps_its_precision(published):
    run, _, _ = published
    assert {p.dtype for p in run.model.parameters()} == {torch.float32}


def test_curve_and_card_tell_of_the_run(published):
    run, _, out = published
    curve = json.loads((out / "curve.json").read_text("utf-8"))
    assert [row["step"] for row in curve["rows"]] == [1.0, 2.0]
    assert curve["rows"] == run.curve.rows
    card = (out / "README.md").read_text("utf-8")
    assert "Measured on 8 documents" in card
    assert "bert --seed 5" in card
    assert all(text in card for text in cards.EXAMPLES)


def test_preparing_twice_gives_the_same_start(small_recipe, published):
    _, tokenizer, _ = published
    one, same = prepare(small_recipe, steps=2, seed=5, documents=400)
    assert same.get_vocab() == tokenizer.get_vocab()
    two, _ = prepare(small_recipe, steps=2, seed=5, documents=400)
    for a, b in zip(one.model.parameters(), two.model.parameters(), strict=True):
        assert torch.equal(a, b)
    first, second = one.batches.batch(1), two.batches.batch(1)
    assert all(torch.equal(first[name], second[name]) for name in first)
