"""Recipes of models that read from the left, of T5 and of XLM: a few steps, never more."""

import copy
import math

import numpy as np
import pytest

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.training import TrainingRun
from explorer.objectives import IGNORED
from explorer.pretraining.recipes import load_recipe

NAMES = ["gpt1", "gpt2", "t5", "xlm"]


class Same(TrainingBatches):
    """One batch again and again."""

    def __init__(self, found):
        self.found = found

    def batch(self, step):
        return self.found


@pytest.fixture(scope="module")
def made(texts):
    import torch

    known = {}

    def make(name):
        if name not in known:
            recipe = load_recipe(name)
            tokenizer = recipe.make_tokenizer(texts[:600])
            torch.manual_seed(1)
            model = recipe.make_model(tokenizer)
            batches = recipe.make_batches(tokenizer, texts[:600], 1)
            known[name] = recipe, tokenizer, model, batches
        return known[name]

    return make


@pytest.mark.parametrize("name", NAMES)
def test_a_fresh_model_knows_nothing_and_learns(made, name):
    recipe, tokenizer, model, batches = made(name)
    run = TrainingRun(recipe, copy.deepcopy(model), Same(batches.batch(0)), steps=20, seed=1)
    found = [run.advance() for _ in range(6)]
    (loss,) = [key for key in found[0] if key.startswith("loss")]
    assert abs(found[0][loss] - math.log(len(tokenizer))) < 1.5
    assert found[-1][loss] < found[0][loss] - 0.5


@pytest.mark.parametrize("name", NAMES)
def test_batches_repeat_by_step(made, name):
    batches = made(name)[3]
    one = {key: values.numpy().copy() for key, values in batches.batch(2).items()}
    batches.batch(200)
    two = batches.batch(2)
    assert one.keys() == two.keys()
    assert all(np.array_equal(one[key], two[key].numpy()) for key in one)


def test_gpt2_scales_residual_weights_at_initialisation(made):
    recipe, _, _, _ = made("gpt2")
    import torch

    torch.manual_seed(5)
    model = recipe.make_model(made("gpt2")[1])
    layers = len(model.transformer.h)
    for block in model.transformer.h:
        plain = float(block.mlp.c_fc.weight.detach().std())
        for residual in (block.mlp.c_proj, block.attn.c_proj):
            scaled = float(residual.weight.detach().std())
            assert scaled == pytest.approx(plain / math.sqrt(2 * layers), rel=0.05)


def test_gpt2_keeps_casing_and_gpt1_does_not(made):
    two, one = made("gpt2")[1], made("gpt1")[1]
    assert two.convert_ids_to_tokens(len(two) - 1) == "<|endoftext|>"
    assert two.decode(two("The chef cooked.")["input_ids"]) == "The chef cooked."
    pieces = one.convert_ids_to_tokens(one("The chef cooked.")["input_ids"])
    assert pieces[0] == "the</w>"
    assert pieces[-1] == ".</w>"


def test_t5_numbers_its_sentinels_as_published(made):
    tokenizer = made("t5")[1]
    first, last = tokenizer.convert_tokens_to_ids(["<extra_id_0>", "<extra_id_99>"])
    assert first == len(tokenizer) - 1
    assert last == len(tokenizer) - 100
    assert tokenizer.convert_ids_to_tokens([0, 1, 2]) == ["<pad>", "</s>", "<unk>"]
    pieces = tokenizer.convert_ids_to_tokens(tokenizer("The chef, the <extra_id_0>.")["input_ids"])
    assert "<extra_id_0>" in pieces
    assert "<unk>" not in pieces


def test_the_decoder_of_t5_sees_what_it_has_written(made):
    tokenizer, batches = made("t5")[1], made("t5")[3]
    batch = batches.batch(0)
    assert batch["decoder_input_ids"][:, 0].eq(tokenizer.pad_token_id).all()
    for written, labels in zip(batch["decoder_input_ids"], batch["labels"], strict=True):
        kept = labels[labels != IGNORED]
        assert written[1 : len(kept)].tolist() == kept[:-1].tolist()
        assert kept[-1] == tokenizer.eos_token_id


def test_t5_rates_are_scaled_by_name(made):
    recipe, _, model, batches = made("t5")
    run = TrainingRun(recipe, model, batches, steps=10, seed=1)
    run.advance()
    rates = {id(p): group["lr"] for group in run.optimizer.param_groups for p in group["params"]}
    named = dict(model.named_parameters())
    assert len(rates) == len(named)
    query = rates[id(named["encoder.block.0.layer.0.SelfAttention.q.weight"])]
    key = rates[id(named["encoder.block.0.layer.0.SelfAttention.k.weight"])]
    shared = rates[id(named["shared.weight"])]
    assert query / key == pytest.approx(32**-0.5)
    assert shared / key == pytest.approx(128**0.5 / 2)


def test_xlm_cuts_texts_as_transformers_does(made, texts):
    from explorer.pretraining.cards.translations import pieces_of
    from explorer.world.korean.text import korean

    tokenizer = made("xlm")[1]
    seen = 0
    for document in texts[:150]:
        for language, text in (("en", document.text), ("ko", korean(document))):
            if text is not None:
                seen += language == "ko"
                assert pieces_of(tokenizer, text) == tokenizer._tokenize(text, lang=language)
    assert seen > 20


def test_xlm_reads_either_language_and_translations(made):
    _, tokenizer, _, batches = made("xlm")
    kinds = set()
    for step in range(6):
        batch = batches.batch(step)
        for languages, positions, kept in zip(
            batch["langs"], batch["position_ids"], batch["attention_mask"], strict=True
        ):
            told = languages[kept == 1]
            kinds.add((int(told[0]), int(told[-1])))
            starts = [i for i, place in enumerate(positions[kept == 1].tolist()) if place == 0]
            assert len(starts) == (1 if told[0] == told[-1] else 2)
    assert kinds == {(0, 0), (1, 1), (0, 1), (1, 0)}
    assert int(batch["input_ids"][0, 0]) == tokenizer.bos_token_id
