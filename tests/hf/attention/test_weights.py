"""Attention is transformers' own, for every family, and nothing is left switched behind."""

import dataclasses
import math
import sys

import numpy as np
import pytest

from explorer.api.family import (
    Attentions,
    Cancelled,
    Context,
    ExplorerError,
    MachineFault,
    Predictor,
    Unavailable,
    UserMistake,
)
from explorer.document import Mask
from explorer.hf.attention import weights as attentions
from explorer.hf.family.tiny import write_tiny
from tests.hf import tiny
from tests.plugins import deberta_files

TEXT = "the cat sat on the mat"
ENCODERS = (
    "albert",
    "bert",
    "distilbert",
    "electra",
    "ernie",
    "mobilebert",
    "roberta",
    "spanbert",
    "tinybert",
    "xlm",
)
LEFT = ("gpt1", "gpt2")


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Folders of a tiny checkpoint of each family, by the family's id."""
    host = tiny.families()
    made = {}
    for name in (*ENCODERS, *LEFT, "t5"):
        family = host.family(name)
        folder = tmp_path_factory.mktemp(name)
        write = getattr(sys.modules[type(family).__module__], "tiny", None)
        if write is None:
            write_tiny(family, folder)
        else:
            write(folder)
        inside = [one for one in folder.iterdir() if one.is_dir()]
        made[name] = sorted(inside) or [folder]
    for version in deberta_files.VERSIONS:
        made[f"deberta-{version}"] = [deberta_files.REFERENCE / version]
    return made


def transformers_own(model, folder):
    """The class's own weights and forward, loaded by transformers with plain attention."""
    return type(model.module).from_pretrained(folder, attn_implementation="eager").eval()


def same(stack, theirs):
    assert stack.layers == len(theirs) > 0
    for layer, other in zip(stack.weights, theirs, strict=True):
        np.testing.assert_allclose(layer, other[0].detach().numpy(), atol=2e-7)
        np.testing.assert_allclose(layer.sum(axis=-1), 1, atol=1e-6)


@pytest.mark.parametrize("name", [*ENCODERS, *(f"deberta-{v}" for v in deberta_files.VERSIONS)])
def test_an_encoders_attention_is_transformers_own(folders, name):
    for folder in folders[name]:
        model = tiny.load(folder)
        encoded = model.encode(TEXT)
        found = model.port(Attentions).capture(encoded, Context())
        theirs = transformers_own(model, folder).base_model(
            **encoded.inputs, output_attentions=True
        )
        assert set(found) == {"encoder"}
        assert not found["encoder"].causal
        assert found["encoder"].queries == found["encoder"].keys == encoded.tokens
        same(found["encoder"], theirs.attentions)


@pytest.mark.parametrize(("groups", "inner"), [(1, 2), (2, 2)])
def test_alberts_layers_within_layers_are_layers(tmp_path, groups, inner):
    config = {"num_hidden_layers": 4, "num_hidden_groups": groups, "inner_group_num": inner}
    folder = write_tiny(tiny.families().family("albert"), tmp_path / "albert", config=config)
    model = tiny.load(folder)
    encoded = model.encode(TEXT)
    found = model.port(Attentions).capture(encoded, Context())["encoder"]
    theirs = transformers_own(model, folder).base_model(**encoded.inputs, output_attentions=True)
    assert found.layers == 4 * inner
    same(found, theirs.attentions)


@pytest.mark.parametrize("version", deberta_files.VERSIONS)
def test_debertas_attention_is_its_authors_own(folders, version):
    """What their own code computed for the same weights and input."""
    model = tiny.load(folders[f"deberta-{version}"][0])
    expected = deberta_files.expected(version)
    inputs = {"input_ids": expected["input_ids"]}
    encoded = dataclasses.replace(model.encode(TEXT), inputs=inputs)
    found = model.port(Attentions).capture(encoded, Context())["encoder"]
    for layer, theirs in zip(found.weights, expected["attention_probs"], strict=True):
        np.testing.assert_allclose(layer, theirs.numpy(), atol=1e-5)


@pytest.mark.parametrize("name", LEFT)
def test_a_left_readers_attention_is_transformers_own_and_causal(folders, name):
    model = tiny.load(folders[name][0])
    encoded = model.encode(TEXT)
    found = model.port(Attentions).capture(encoded, Context())
    theirs = transformers_own(model, folders[name][0])(**encoded.inputs, output_attentions=True)
    assert set(found) == {"decoder"}
    assert found["decoder"].causal
    same(found["decoder"], theirs.attentions)
    for layer in found["decoder"].weights:
        assert not np.triu(layer, 1).any()


def test_two_stacks_have_three_attentions(folders):
    model = tiny.load(folders["t5"][0])
    encoded = model.encode(TEXT, masks=[Mask(4, 7)])
    answer = (5, 9, 11)
    found = model.port(Attentions).capture(encoded, Context(), answer)
    import torch

    start = model.config.decoder_start_token_id
    theirs = transformers_own(model, folders["t5"][0])(
        **encoded.inputs,
        decoder_input_ids=torch.tensor([[start, *answer]]),
        output_attentions=True,
    )
    same(found["encoder"], theirs.encoder_attentions)
    same(found["decoder"], theirs.decoder_attentions)
    same(found["cross"], theirs.cross_attentions)
    assert found["cross"].weights[0].shape == (4, 4, len(encoded.tokens))
    assert [token.id for token in found["cross"].queries] == [start, *answer]
    assert found["cross"].keys == encoded.tokens
    assert found["decoder"].causal
    assert not found["cross"].causal


def test_a_decoder_without_a_text_reads_what_it_writes_itself(folders):
    model = tiny.load(folders["t5"][0])
    encoded = model.encode(TEXT, masks=[Mask(4, 7)])
    written = attentions.greedy_answer(model, encoded, Context(), 8)
    theirs = transformers_own(model, folders["t5"][0]).generate(
        **encoded.inputs, do_sample=False, num_beams=1, max_new_tokens=8, min_new_tokens=8
    )
    assert list(written) == theirs[0, 1:].tolist()
    queries = model.port(Attentions).capture(encoded, Context())["decoder"].queries
    assert [token.id for token in queries][1:9] == list(written)


def test_attention_is_the_softmax_of_queries_with_keys(folders):
    """Vaswani et al. 2017, equation 1, with the first layer's own projections."""
    model = tiny.load(folders["bert"][0])
    encoded = model.encode(TEXT)
    base = model.module.base_model
    import torch

    with torch.no_grad():
        states = base.embeddings(**encoded.inputs)
        layer = base.encoder.layer[0].attention.self
        query, key = (
            part(states)[0].unflatten(-1, (4, -1)).transpose(0, 1)
            for part in (layer.query, layer.key)
        )
        expected = torch.softmax(query @ key.mT / math.sqrt(query.shape[-1]), -1)
    found = model.port(Attentions).capture(encoded, Context())["encoder"].weights[0]
    np.testing.assert_allclose(found, expected.numpy(), atol=1e-6)


def test_the_fast_kernels_are_put_back(folders):
    model = tiny.load(folders["t5"][0])
    configs = [part.config for part in model.module.modules() if hasattr(part, "config")]
    before = [config._attn_implementation for config in configs]
    assert "sdpa" in before
    model.port(Attentions).capture(model.encode(TEXT), Context())
    assert [config._attn_implementation for config in configs] == before

    with pytest.raises(Cancelled):
        model.port(Attentions).capture(model.encode(TEXT), Context(is_cancelled=lambda: True))
    assert [config._attn_implementation for config in configs] == before


def test_missing_arrays_are_a_failure_and_no_empty_picture(folders, monkeypatch):
    model = tiny.load(folders["bert"][0])
    monkeypatch.setattr(model.config, "num_hidden_layers", 5)
    with pytest.raises(ExplorerError, match="3 attention arrays for the 5 layers"):
        model.port(Attentions).capture(model.encode(TEXT), Context())


def test_numbers_that_overflow_are_told(folders):
    model = tiny.load(folders["bert"][0])
    model.module.base_model.encoder.layer[1].attention.self.query.bias.data.fill_(float("inf"))
    with pytest.raises(MachineFault, match="overflow in float32"):
        model.port(Attentions).capture(model.encode(TEXT), Context())


def test_long_inputs_are_kept_in_half_the_memory(folders, monkeypatch):
    model = tiny.load(folders["bert"][0])
    encoded = model.encode(TEXT)
    exact = model.port(Attentions).capture(encoded, Context())["encoder"]
    monkeypatch.setattr(attentions, "FULL_PRECISION", exact.nbytes - 1)
    half = model.port(Attentions).capture(encoded, Context())["encoder"]
    assert half.nbytes * 2 == exact.nbytes
    for layer, other in zip(half.weights, exact.weights, strict=True):
        assert np.abs(layer.astype(np.float32) - other).max() <= 2**-11


@pytest.mark.parametrize("name", LEFT)
def test_one_token_is_enough_to_know_a_left_reader(folders, name):
    model = tiny.load(folders[name][0])
    found = model.port(Attentions).capture(model.encode("t"), Context())
    assert set(found) == {"decoder"}
    assert found["decoder"].weights[0].tolist() == [[[1.0]]] * 4


def test_a_left_reader_sees_its_own_guess_and_not_what_is_hidden(folders):
    model = tiny.load(folders["gpt2"][0])
    found = {}
    for word in ("dog", "cat"):
        encoded = model.encode(f"the {word} sat on", masks=[Mask(4, 7)])
        found[word] = model.port(Attentions).capture(encoded, Context())["decoder"]
        guess = attentions.without_masks(model, encoded, Context()).input_ids[0]
        logits = model.module(guess[None, : encoded.mask_positions[0]]).logits
        assert int(guess[encoded.mask_positions[0]]) == int(logits[0, -1].argmax())
    for one, other in zip(found["dog"].weights, found["cat"].weights, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_left_reader_without_a_head_says_what_it_lacks(folders):
    model = tiny.load(folders["gpt2"][0])
    del model.ports[Predictor]
    encoded = model.encode("the cat sat", masks=[Mask(4, 7)])
    with pytest.raises(Unavailable, match="no head that could fill the masks"):
        model.port(Attentions).capture(encoded, Context())


def test_nothing_to_read_is_the_users_mistake(folders):
    model = tiny.load(folders["gpt2"][0])
    with pytest.raises(UserMistake, match="no token"):
        model.port(Attentions).capture(model.encode(""), Context())
