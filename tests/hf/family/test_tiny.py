"""Tiny checkpoints for trying plugins, and what families may say of their own files."""

import json
from types import SimpleNamespace

import pytest

from explorer.api.family import CheckpointFault, Files, LoadReport, PluginFault
from explorer.hf.family.added_heads import add_head
from explorer.hf.family.tiny import (
    HEADS,
    TINY_LAYERS,
    TINY_LENGTH,
    TINY_WIDTH,
    byte_level_vocabulary,
    tiny_tokenizer,
    wordpiece_vocabulary,
    write_tiny,
)
from explorer.hf.loading.checkpoint import load_tokenizer, tell_segments_apart
from tests.hf import tiny


@pytest.fixture(scope="module")
def bert():
    return tiny.families().family("bert")


def weights(folder):
    from safetensors.torch import load_file

    return load_file(folder / "model.safetensors")


def test_the_same_seed_gives_the_same_weights(bert, tmp_path):
    import torch

    torch.manual_seed(0)
    before = torch.get_rng_state()
    one = weights(write_tiny(bert, tmp_path / "one"))
    again = weights(write_tiny(bert, tmp_path / "again"))
    other = weights(write_tiny(bert, tmp_path / "other", seed=1))
    assert torch.equal(torch.get_rng_state(), before)
    assert all(torch.equal(one[name], again[name]) for name in one)
    assert any(not torch.equal(one[name], other[name]) for name in one)


def test_it_is_small_and_whole(bert, tmp_path):
    folder = write_tiny(bert, tmp_path / "bert", added={"extra.weight": (2, 3)})
    config = json.loads((folder / "config.json").read_text("utf-8"))
    assert bert.attention_shape(config) == (TINY_LAYERS, HEADS)
    assert config["hidden_size"] == TINY_WIDTH
    assert bert.max_length(config) == TINY_LENGTH
    assert config["architectures"] == ["BertForPreTraining"]
    stored = weights(folder)
    assert tuple(stored["extra.weight"].shape) == (2, 3)
    assert "cls.predictions.decoder.weight" not in stored
    assert float(stored["cls.predictions.bias"].std()) > 0.01
    assert (folder / "model.safetensors").stat().st_size < 200_000


def test_kinds_of_tokenizers():
    assert tiny_tokenizer("bert").tokenize("the cats") == ["the", "cat", "##s"]
    assert tiny_tokenizer("roberta").tokenize("the cat é") == ["the", "Ġcat", "Ġ", "Ã", "©"]
    assert tiny_tokenizer("albert").tokenize("the cat") == ["▁the", "▁cat"]
    with pytest.raises(PluginFault, match="No tiny tokenizer"):
        tiny_tokenizer("no-such-type")
    assert len(wordpiece_vocabulary()) == len(set(wordpiece_vocabulary().values()))
    vocabulary, merges = byte_level_vocabulary()
    assert sorted(vocabulary.values()) == list(range(len(vocabulary)))
    assert all("".join(merge) in vocabulary for merge in merges)


def test_a_family_without_classes(bert, tmp_path):
    from dataclasses import replace

    with pytest.raises(PluginFault, match="names no class"):
        write_tiny(replace(bert, classes=()), tmp_path / "none")


@pytest.mark.parametrize(
    ("types", "names", "expected"),
    [
        (2, ["input_ids", "attention_mask"], ["input_ids", "token_type_ids", "attention_mask"]),
        (1, ["input_ids", "token_type_ids"], ["input_ids"]),
        (0, ["input_ids", "token_type_ids"], ["input_ids"]),
        (None, ["input_ids", "token_type_ids"], ["input_ids"]),
        (4, ["input_ids", "token_type_ids"], ["input_ids", "token_type_ids"]),
    ],
)
def test_segments_follow_the_config(types, names, expected):
    tokenizer = SimpleNamespace(model_input_names=list(names))
    tell_segments_apart(tokenizer, SimpleNamespace(type_vocab_size=types))
    assert tokenizer.model_input_names == expected


def files(folder, **config):
    names = tuple(path.name for path in folder.iterdir())
    return Files(folder, folder.name, config, {}, (), False, names, 0)


def test_a_tokenizer_without_a_model_type(bert, tmp_path):
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(wordpiece_vocabulary()) + "\n", encoding="utf-8")
    with pytest.raises(CheckpointFault, match="can't be read"):
        load_tokenizer(files(folder))
    assert bert.tokenizer(files(folder)).tokenize("The cat") == ["the", "cat"]
    cased = load_tokenizer(files(folder), tokenizer_type="bert", do_lower_case=False)
    assert cased.tokenize("The cat") == ["[UNK]", "cat"]


def test_an_added_head_is_part_of_the_model():
    import torch

    module = torch.nn.Sequential(torch.nn.Linear(2, 2)).to(torch.float64)
    report = LoadReport(3, unexpected=("extra.bias", "extra.weight", "other"))
    model = SimpleNamespace(module=module, report=report)
    stored = {"weight": torch.ones(1, 2), "bias": torch.zeros(1)}
    add_head(model, "extra.", torch.nn.Linear(2, 1), stored)
    head = module.extra
    assert head.weight.dtype == torch.float64
    assert not head.training
    assert (model.report.found, model.report.unexpected) == (5, ("other",))
    with pytest.raises(CheckpointFault, match=r"The tensors extra\.\* do not fit"):
        add_head(model, "extra.", torch.nn.Linear(3, 1), stored)
